//! One process per workspace runs automations; this is how the next one finds out.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};

use event::AbsPath;
use serde::{Deserialize, Serialize};
use store::{Workspace, no_follow};

/// The right to run a workspace's automations; goes with the process.
#[derive(Debug)]
pub struct Lock {
    file: File,
    path: AbsPath,
    holder: Holder,
}

/// Who holds it, as the file says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Holder {
    /// The format of the file; 1.
    pub version: u32,
    /// The process.
    pub pid: u32,
    /// The port of its page; none if it has no page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
}

/// Why it could not be had.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process has it.
    #[error("process {} runs the automations of this workspace already", .0.pid)]
    Held(Holder),
    /// Another process has it and has not yet said which it is.
    #[error("another process runs the automations of this workspace already")]
    HeldByUnknown,
    /// The file could not be used.
    #[error("cannot use `{path}`")]
    File {
        /// The file.
        path: AbsPath,
        /// What the system said.
        source: io::Error,
    },
}

impl Lock {
    /// Takes the lock or says who has it.
    pub fn take(workspace: &Workspace) -> Result<Self, LockError> {
        let path = workspace.automation_server();
        let failed = |source| LockError::File { path: path.clone(), source };
        workspace.make_tmp_dir().map_err(failed)?;
        std::fs::create_dir_all(workspace.automation_dir().as_path()).map_err(failed)?;
        let file =
            no_follow::options().read(true).write(true).create(true).open(path.as_path()).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(read(&file).map_or(LockError::HeldByUnknown, LockError::Held));
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let holder = Holder { version: 1, pid: std::process::id(), port: None };
        let mut lock = Self { file, path, holder };
        lock.write().map_err(|source| LockError::File { path: lock.path.clone(), source })?;
        Ok(lock)
    }

    /// Returns who has it now, without taking it.
    pub fn holder(workspace: &Workspace) -> Option<Holder> {
        let file = File::open(workspace.automation_server().as_path()).ok()?;
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => read(&file),
            _ => None,
        }
    }

    /// Writes down where the page is.
    pub fn tell_port(&mut self, port: u16) -> io::Result<()> {
        self.holder.port = Some(port);
        self.write()
    }

    /// Takes the lock again if its file was removed, as `git clean` does.
    pub fn keep(&mut self, workspace: &Workspace) -> Result<(), LockError> {
        if is_same_file(&self.file, &self.path) {
            return Ok(());
        }
        let port = self.holder.port;
        *self = Self::take(workspace)?;
        self.holder.port = port;
        self.write().map_err(|source| LockError::File { path: self.path.clone(), source })
    }

    fn write(&mut self) -> io::Result<()> {
        let text = serde_json::to_string(&self.holder).unwrap_or_default() + "\n";
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(text.as_bytes())
    }
}

fn read(mut file: &File) -> Option<Holder> {
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

#[cfg(unix)]
fn is_same_file(file: &File, path: &AbsPath) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), std::fs::metadata(path.as_path())) {
        (Ok(ours), Ok(there)) => (ours.dev(), ours.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_same_file(_file: &File, path: &AbsPath) -> bool {
    path.as_path().exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_who_the_first_is_and_where() {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace::at(AbsPath::new(dir.path()).unwrap());
        assert_eq!(Lock::holder(&workspace), None);
        let mut lock = Lock::take(&workspace).unwrap();
        lock.tell_port(4717).unwrap();
        let holder = Holder { version: 1, pid: std::process::id(), port: Some(4717) };
        assert!(matches!(Lock::take(&workspace), Err(LockError::Held(found)) if found == holder));
        assert_eq!(Lock::holder(&workspace), Some(holder));
        drop(lock);
        assert!(Lock::take(&workspace).is_ok());
    }

    #[test]
    fn a_lock_whose_file_was_swept_away_is_taken_again() {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace::at(AbsPath::new(dir.path()).unwrap());
        let mut lock = Lock::take(&workspace).unwrap();
        std::fs::remove_dir_all(dir.path().join(".ai")).unwrap();
        lock.keep(&workspace).unwrap();
        assert!(Lock::take(&workspace).is_err());
    }
}
