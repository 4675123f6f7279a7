//! The registry of agents on disk: what was known at the last look.
//!
//! INVARIANT: nothing is known only here. Whoever finds it missing or broken looks for agents anew.

use std::fs;
use std::time::Duration;

use agent::registry::{EntryRecord, Registry, Snapshot, SnapshotError};
use event::AbsPath;
use store::{Timestamp, Workspace};

/// How old a snapshot gets before it is written again without a change: an agent that goes is
/// listed for a week from when it was last seen.
const RENEWED_AFTER: Duration = Duration::from_hours(24);

/// What became of a registry that was to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// It is on disk now.
    Written,
    /// It was there already.
    Unchanged,
    /// A newer build wrote the one that is there; it is left alone.
    NewerFormat,
}

/// Why the registry could not be kept.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// It could not be put into words.
    #[error("cannot write the registry of agents")]
    Words(#[source] SnapshotError),
    /// The file could not be written.
    #[error("cannot write `{path}`: {source}")]
    File {
        /// The file.
        path: AbsPath,
        /// What the system said.
        source: std::io::Error,
    },
}

/// Returns the agents that were known at the last look; none if there was none.
pub fn read(workspace: &Workspace) -> Registry {
    snapshot(workspace).and_then(Result::ok).map(|it| it.restore()).unwrap_or_default()
}

/// Keeps the registry for the next look, if it says something new.
pub fn keep(workspace: &Workspace, registry: &Registry, now: Timestamp) -> Result<Kept, KeepError> {
    let new = Snapshot::of(registry, now);
    match snapshot(workspace) {
        Some(Ok(old)) if says_the_same(&old, &new) => return Ok(Kept::Unchanged),
        Some(Err(SnapshotError::Format(_))) => return Ok(Kept::NewerFormat),
        _ => {}
    }
    let text = new.to_json().map_err(KeepError::Words)?;
    let path = workspace.agent_registry_file();
    let written = workspace
        .make_tmp_dir()
        .and_then(|()| store::write_shared(path.as_path(), text.as_bytes()).map_err(std::io::Error::other));
    written.map(|()| Kept::Written).map_err(|source| KeepError::File { path, source })
}

fn snapshot(workspace: &Workspace) -> Option<Result<Snapshot, SnapshotError>> {
    let text = fs::read_to_string(workspace.agent_registry_file().as_path()).ok()?;
    Some(Snapshot::parse(&text))
}

/// When an agent was last looked at is no news by itself.
fn says_the_same(old: &Snapshot, new: &Snapshot) -> bool {
    let age = new.last_updated.saturating_sub(old.last_updated);
    let is_young = u128::from(age) < RENEWED_AFTER.as_millis();
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
        assert_eq!(keep(&workspace, &registry, at(1_000)).unwrap(), Kept::Written);
        assert_eq!(keep(&workspace, &registry, at(2_000)).unwrap(), Kept::Unchanged);
        assert_eq!(keep(&workspace, &registry, at(86_401_000)).unwrap(), Kept::Written);
        let file = workspace.agent_registry_file();
        fs::write(file.as_path(), "broken").unwrap();
        assert_eq!(keep(&workspace, &registry, at(1_000)).unwrap(), Kept::Written);
        let newer = r#"{"version":2,"lastUpdated":1,"agents":[]}"#;
        fs::write(file.as_path(), newer).unwrap();
        assert_eq!(keep(&workspace, &registry, at(1_000)).unwrap(), Kept::NewerFormat);
        assert_eq!(fs::read_to_string(file.as_path()).unwrap(), newer);
    }
}
