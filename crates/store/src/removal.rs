//! Removes the folder of a session, and nothing else.
//!
//! INVARIANT: it removes only a real folder directly in the workspace's state folder, named by a
//! session id, that contains a session. It neither follows nor removes links.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use event::SessionId;

use crate::Workspace;

/// The size of a removed session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Freed {
    /// The number of files.
    pub n_files: u64,
    /// Their size in bytes.
    pub bytes: u64,
}

/// Why a session cannot be removed.
#[derive(Debug, thiserror::Error)]
pub enum RemoveError {
    /// The state folder is a link out of the workspace.
    #[error("cannot remove sessions: `{}` leads out of the workspace", path.display())]
    Outside {
        /// The state folder.
        path: PathBuf,
    },
    /// It is a link, a file, or a folder without a session.
    #[error("cannot remove `{}`: not the folder of a session", path.display())]
    NotASession {
        /// The path.
        path: PathBuf,
    },
    /// A process is writing to it.
    #[error("cannot remove `{}`: a process is writing to it", path.display())]
    InUse {
        /// The session's folder.
        path: PathBuf,
    },
    /// The system refused.
    #[error("cannot remove `{}`", path.display())]
    Io {
        /// The session's folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl Workspace {
    /// Returns the size of a session that can be removed.
    pub fn removable(&self, id: SessionId) -> Result<Freed, RemoveError> {
        let (path, _lock) = self.check_removable(id)?;
        size(&path).map_err(|source| RemoveError::Io { path, source })
    }

    /// Removes the folder of a session.
    #[expect(clippy::disallowed_methods, reason = "this crate writes files")]
    pub fn remove_session(&self, id: SessionId) -> Result<Freed, RemoveError> {
        let (path, _lock) = self.check_removable(id)?;
        let remove = || {
            let freed = size(&path)?;
            // This does not follow links, not even links created meanwhile.
            fs::remove_dir_all(&path)?;
            Ok(freed)
        };
        remove().map_err(|source| RemoveError::Io { path: path.clone(), source })
    }

    /// Returns the folder, and the lock that excludes writers.
    fn check_removable(&self, id: SessionId) -> Result<(PathBuf, Option<File>), RemoveError> {
        let tmp = self.tmp_dir().as_path();
        let inside =
            || Ok::<_, io::Error>(tmp.canonicalize()?.starts_with(self.root().as_path().canonicalize()?));
        if !inside().unwrap_or(false) {
            return Err(RemoveError::Outside { path: tmp.to_path_buf() });
        }
        let session = self.session(id);
        let path = session.root().as_path().to_path_buf();
        let is_folder = fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_dir());
        let is_file = |path: &Path| fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file());
        let journal = session.events_file();
        let holds_session = is_file(journal.as_path()) || is_file(session.state_file().as_path());
        if !is_folder || !holds_session {
            return Err(RemoveError::NotASession { path });
        }
        let Ok(file) = File::open(journal.as_path()) else { return Ok((path, None)) };
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(RemoveError::InUse { path }),
            // On a disk without locks no writer holds one.
            Ok(()) | Err(TryLockError::Error(_)) => Ok((path, Some(file))),
        }
    }
}

fn size(folder: &Path) -> io::Result<Freed> {
    let mut freed = Freed::default();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // The metadata of the entry itself, not of a link's target.
        let meta = entry.metadata()?;
        if meta.is_dir() {
            let inner = size(&entry.path())?;
            freed.n_files += inner.n_files;
            freed.bytes += inner.bytes;
        } else {
            freed.n_files += 1;
            freed.bytes += meta.len();
        }
    }
    Ok(freed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use event::AbsPath;

    const ID: &str = "a3f0c812";

    struct Sandbox {
        dir: tempfile::TempDir,
        workspace: Workspace,
        id: SessionId,
    }

    fn sandbox() -> Sandbox {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace::at(AbsPath::new(dir.path().join("project")).unwrap());
        fs::create_dir_all(workspace.tmp_dir().as_path()).unwrap();
        Sandbox { dir, workspace, id: SessionId::parse(ID).unwrap() }
    }

    fn put(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn a_session_goes_with_everything_in_it_and_its_neighbours_stay() {
        let it = sandbox();
        let tmp = it.workspace.tmp_dir().as_path().to_path_buf();
        put(&tmp.join(ID).join("events.jsonl"), "12345");
        put(&tmp.join(ID).join("session/logs/debug.log"), "123");
        put(&tmp.join("dispatch.log"), "stays");
        assert_eq!(it.workspace.removable(it.id).unwrap(), Freed { n_files: 2, bytes: 8 });
        assert_eq!(it.workspace.remove_session(it.id).unwrap(), Freed { n_files: 2, bytes: 8 });
        assert!(!tmp.join(ID).exists() && tmp.join("dispatch.log").exists());
    }

    #[test]
    fn a_folder_that_only_looks_like_a_session_stays() {
        let it = sandbox();
        put(&it.workspace.tmp_dir().as_path().join(ID).join("thesis.tex"), "years of work");
        assert!(matches!(it.workspace.remove_session(it.id), Err(RemoveError::NotASession { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let it = sandbox();
        let elsewhere = it.dir.path().join("elsewhere");
        put(&elsewhere.join("events.jsonl"), "not ours");
        let link = it.workspace.tmp_dir().as_path().join(ID);
        std::os::unix::fs::symlink(&elsewhere, &link).unwrap();
        assert!(matches!(it.workspace.remove_session(it.id), Err(RemoveError::NotASession { .. })));
        fs::remove_file(&link).unwrap();
        put(&link.join("events.jsonl"), "ours");
        std::os::unix::fs::symlink(&elsewhere, link.join("inner")).unwrap();
        it.workspace.remove_session(it.id).unwrap();
        assert!(elsewhere.join("events.jsonl").exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_state_folder_that_leads_elsewhere_is_left_alone() {
        let it = sandbox();
        let elsewhere = it.dir.path().join("elsewhere");
        put(&elsewhere.join(ID).join("events.jsonl"), "not ours");
        let tmp = it.workspace.tmp_dir().as_path();
        fs::remove_dir(tmp).unwrap();
        std::os::unix::fs::symlink(&elsewhere, tmp).unwrap();
        assert!(matches!(it.workspace.remove_session(it.id), Err(RemoveError::Outside { .. })));
    }

    #[test]
    fn a_session_that_is_being_written_to_stays() {
        let it = sandbox();
        let journal = crate::Journal::create(&it.workspace.session(it.id).events_file()).unwrap();
        let held = journal.lock(std::time::Duration::ZERO).unwrap();
        assert!(matches!(it.workspace.remove_session(it.id), Err(RemoveError::InUse { .. })));
        drop(held);
        it.workspace.remove_session(it.id).unwrap();
    }
}
