//! Backups of a user's files, made before we change them.
//!
//! They are in `.ai/tmp/backup/<when>/<path>`: git ignores them, no host takes them for settings
//! (some read every `*.json` next to their own), and each run that changes something has its own
//! folder, so no run overwrites an older copy.

use std::fs;
use std::io;
use std::path::PathBuf;

use event::{AbsPath, RepoPath};

use crate::{Timestamp, create_folder};

/// The backups of a workspace.
#[derive(Debug, Clone)]
pub struct Backups {
    workspace: AbsPath,
    folder: AbsPath,
}

/// Why a file cannot be backed up.
#[derive(Debug, thiserror::Error)]
#[error("cannot back up the file to `{}`", path.display())]
pub struct BackupError {
    path: PathBuf,
    source: io::Error,
}

impl Backups {
    pub(crate) fn new(workspace: AbsPath, folder: AbsPath) -> Self {
        Self { workspace, folder }
    }

    /// Copies a file of the workspace with its permissions, and returns the folder of all copies of
    /// that moment.
    #[expect(clippy::disallowed_methods, reason = "this crate writes files")]
    pub fn keep(&self, file: &RepoPath, at: Timestamp) -> Result<AbsPath, BackupError> {
        // Some systems do not allow a colon in a file name.
        let moment = self.folder.join(at.to_string().replace(':', "-"));
        let copy = moment.join(file.as_str());
        let made = copy.as_path().parent().map_or(Ok(()), create_folder);
        made.and_then(|()| fs::copy(self.workspace.join(file.as_str()).as_path(), copy.as_path()))
            .map_err(|source| BackupError { path: copy.as_path().to_path_buf(), source })?;
        Ok(moment)
    }

    /// Returns the contents of all backups of a file, the newest first.
    pub fn of(&self, file: &RepoPath) -> Vec<Vec<u8>> {
        let entries = fs::read_dir(self.folder.as_path()).into_iter().flatten().flatten();
        let mut runs: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        runs.sort_unstable_by(|one, other| other.cmp(one));
        runs.into_iter().filter_map(|run| fs::read(run.join(file.as_str())).ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Workspace;

    #[test]
    fn every_run_keeps_its_own_copy_and_the_newest_comes_first() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path()).unwrap();
        let backups = Workspace::at(root.clone()).backups();
        let file = root.join(".claude/settings.json");
        fs::create_dir_all(dir.path().join(".claude")).unwrap();
        for (content, at) in [("one", 1_000), ("two", 2_000)] {
            fs::write(file.as_path(), content).unwrap();
            backups.keep(&file.below(&root).unwrap(), Timestamp::from_millis(at)).unwrap();
        }
        assert_eq!(backups.of(&file.below(&root).unwrap()), [b"two", b"one"]);
        assert!(dir.path().join(".ai/tmp/backup/1970-01-01T00-00-01.000Z/.claude/settings.json").exists());
    }
}
