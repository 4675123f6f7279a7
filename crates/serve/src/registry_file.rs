//! The snapshot of the registry of agents on disk.
//!
//! INVARIANT: it has no information that the agents' files lack. A reader that finds it missing or
//! broken discovers the agents again.

use std::fs;
use std::time::Duration;

use agent::registry::{EntryRecord, Registry, Snapshot, SnapshotError};
use event::AbsPath;
use store::{Timestamp, Workspace};

/// How old an unchanged snapshot becomes before it is rewritten: a deleted agent stays listed for a
/// week after it was last seen.
const REWRITE_AFTER: Duration = Duration::from_hours(24);

/// The result of saving a registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saved {
    /// The file was written.
    Written,
    /// The file already had this content.
    Unchanged,
    /// A newer build wrote the file; it stays as it is.
    NewerFormat,
}

/// Why the registry cannot be saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// It cannot be serialized.
    #[error("cannot serialize the registry of agents")]
    Serialize(#[source] SnapshotError),
    /// The file cannot be written.
    #[error("cannot write `{path}`: {source}")]
    File {
        /// The file.
        path: AbsPath,
        /// The system's error.
        source: std::io::Error,
    },
}

/// Returns the saved registry. Returns an empty one if the file is missing or broken.
pub fn read(workspace: &Workspace) -> Registry {
    snapshot(workspace).and_then(Result::ok).map(|it| it.restore()).unwrap_or_default()
}

/// Saves the registry if it has changed.
pub fn save(workspace: &Workspace, registry: &Registry, now: Timestamp) -> Result<Saved, SaveError> {
    let new = Snapshot::of(registry, now);
    match snapshot(workspace) {
        Some(Ok(old)) if is_unchanged(&old, &new) => return Ok(Saved::Unchanged),
        Some(Err(SnapshotError::Format(_))) => return Ok(Saved::NewerFormat),
        _ => {}
    }
    let text = new.to_json().map_err(SaveError::Serialize)?;
    let path = workspace.agent_registry_file();
    let written = workspace
        .make_tmp_dir()
        .and_then(|()| store::write_shared(path.as_path(), text.as_bytes()).map_err(std::io::Error::other));
    written.map(|()| Saved::Written).map_err(|source| SaveError::File { path, source })
}

fn snapshot(workspace: &Workspace) -> Option<Result<Snapshot, SnapshotError>> {
    let text = fs::read_to_string(workspace.agent_registry_file().as_path()).ok()?;
    Some(Snapshot::parse(&text))
}

/// Returns whether a recent snapshot has the same agents, apart from the times of validation.
fn is_unchanged(old: &Snapshot, new: &Snapshot) -> bool {
    let age = new.last_updated.saturating_sub(old.last_updated);
    let is_young = u128::from(age) < REWRITE_AFTER.as_millis();
    let bare = |it: &EntryRecord| EntryRecord { last_validated: None, ..it.clone() };
    is_young && old.agents.iter().map(bare).eq(new.agents.iter().map(bare))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_written_when_it_says_something_new_or_is_a_day_old_and_never_over_a_newer_one() {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace::at(AbsPath::new(dir.path()).unwrap());
        let at = Timestamp::from_millis;
        let registry = Registry::default();
        assert_eq!(save(&workspace, &registry, at(1_000)).unwrap(), Saved::Written);
        assert_eq!(save(&workspace, &registry, at(2_000)).unwrap(), Saved::Unchanged);
        assert_eq!(save(&workspace, &registry, at(86_401_000)).unwrap(), Saved::Written);
        let file = workspace.agent_registry_file();
        fs::write(file.as_path(), "broken").unwrap();
        assert_eq!(save(&workspace, &registry, at(1_000)).unwrap(), Saved::Written);
        let newer = r#"{"version":2,"lastUpdated":1,"agents":[]}"#;
        fs::write(file.as_path(), newer).unwrap();
        assert_eq!(save(&workspace, &registry, at(1_000)).unwrap(), Saved::NewerFormat);
        assert_eq!(fs::read_to_string(file.as_path()).unwrap(), newer);
    }
}
