//! The lock that lets one process per workspace run automations.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::thread;
use std::time::{Duration, Instant};

use automation::{ServerRecord, Unwatched};
use event::AbsPath;
use store::{Workspace, no_follow};

/// The right to run a workspace's automations; the system releases it when the process ends.
#[derive(Debug)]
pub struct Lock {
    file: File,
    path: AbsPath,
    holder: ServerRecord,
    /// The locked folder of the workspace. `None` where the system does not lock folders.
    ///
    /// WHY beside the file: `git clean` deletes the file, and a second server could lock a new one.
    root: Option<File>,
}

/// How long to wait for a lock whose holder has died.
const DEAD_HOLDER_TIMEOUT: Duration = Duration::from_secs(5);

/// Why the lock cannot be taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process holds it.
    #[error("process {} already runs the automations of this workspace", .0.pid)]
    Held(ServerRecord),
    /// Another process holds it and has not written its id yet.
    #[error("another process already runs the automations of this workspace")]
    HeldByUnknown,
    /// The lock file cannot be used.
    #[error("cannot open or lock the file `{path}`")]
    File {
        /// The file.
        path: AbsPath,
        /// The system's error.
        source: io::Error,
    },
}

impl Lock {
    /// Takes the lock. The error names the process that holds it.
    pub fn take(workspace: &Workspace) -> Result<Self, LockError> {
        let root = lock_root(workspace)?;
        Self::take_file(workspace, root)
    }

    /// Takes the lock of the file; `root` is already locked.
    fn take_file(workspace: &Workspace, root: Option<File>) -> Result<Self, LockError> {
        let path = workspace.automation_server();
        let failed = |source| LockError::File { path: path.clone(), source };
        workspace.make_tmp_dir().map_err(failed)?;
        store::create_folder(workspace.automation_dir().as_path()).map_err(failed)?;
        let file =
            no_follow::options().read(true).write(true).create(true).open(path.as_path()).map_err(failed)?;
        let deadline = Instant::now() + DEAD_HOLDER_TIMEOUT;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                // A process that was killed between fork and exec of a child leaves the lock to the child
                // until its exec: a few milliseconds, more on a busy machine.
                Err(TryLockError::WouldBlock) if is_dead_or_unknown(&file) && Instant::now() < deadline => {
                    thread::sleep(Duration::from_millis(10));
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(read(&file).map_or(LockError::HeldByUnknown, LockError::Held));
                }
                Err(TryLockError::Error(source)) => return Err(failed(source)),
            }
        }
        let holder = ServerRecord::of_this_process();
        let mut lock = Self { file, path, holder, root };
        lock.write().map_err(|source| LockError::File { path: lock.path.clone(), source })?;
        Ok(lock)
    }

    /// Returns the process that holds the lock, without taking it.
    pub fn holder(workspace: &Workspace) -> Option<ServerRecord> {
        ServerRecord::of_holder(&workspace.automation_server())
    }

    /// Records the port and the address of the page.
    pub fn set_page(&mut self, port: u16, url: &str) -> io::Result<()> {
        self.holder.port = Some(port);
        self.holder.url = Some(url.to_owned());
        self.write()
    }

    /// Records why files are not watched, for other commands.
    pub fn set_unwatched(&mut self, unwatched: Unwatched) -> io::Result<()> {
        self.holder.unwatched = Some(unwatched);
        self.write()
    }

    /// Takes the lock again if its file was deleted, as `git clean` does.
    pub fn keep(&mut self, workspace: &Workspace) -> Result<(), LockError> {
        if is_same_file(&self.file, &self.path) {
            return Ok(());
        }
        let holder = self.holder.clone();
        let root = self.root.as_ref().and_then(|it| it.try_clone().ok());
        *self = Self::take_file(workspace, root)?;
        self.holder = holder;
        self.write().map_err(|source| LockError::File { path: self.path.clone(), source })
    }

    fn write(&mut self) -> io::Result<()> {
        let text = serde_json::to_string(&self.holder).unwrap_or_default() + "\n";
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(text.as_bytes())
    }
}

/// Locks the folder of the workspace. Returns `None` where the system does not lock folders.
fn lock_root(workspace: &Workspace) -> Result<Option<File>, LockError> {
    let Ok(root) = File::open(workspace.root().as_path()) else { return Ok(None) };
    let deadline = Instant::now() + DEAD_HOLDER_TIMEOUT;
    loop {
        match root.try_lock() {
            Ok(()) => return Ok(Some(root)),
            Err(TryLockError::Error(_)) => return Ok(None),
            Err(TryLockError::WouldBlock) => {}
        }
        let record = File::open(workspace.automation_server().as_path()).ok().and_then(|file| read(&file));
        match record.filter(|it| is_alive(it.pid)) {
            Some(holder) => return Err(LockError::Held(holder)),
            // Its file was deleted, or a child of a dead process has the lock until its exec.
            None if Instant::now() < deadline => thread::sleep(Duration::from_millis(10)),
            None => return Err(LockError::HeldByUnknown),
        }
    }
}

/// Returns whether the file names no process, as while it is being written, or one that has ended.
fn is_dead_or_unknown(file: &File) -> bool {
    read(file).is_none_or(|holder| !is_alive(holder.pid))
}

#[cfg(unix)]
fn is_alive(pid: u32) -> bool {
    use rustix::process::{Pid, test_kill_process};
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    // A process of another user is alive, too.
    pid.is_some_and(|pid| test_kill_process(pid) != Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn is_alive(_pid: u32) -> bool {
    true
}

fn read(mut file: &File) -> Option<ServerRecord> {
    let mut text = String::new();
    file.seek(SeekFrom::Start(0)).ok()?;
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
        lock.set_page(4717, "http://s0.localhost:4717/").unwrap();
        let holder = ServerRecord {
            port: Some(4717),
            url: Some("http://s0.localhost:4717/".to_owned()),
            ..ServerRecord::of_this_process()
        };
        assert!(matches!(Lock::take(&workspace), Err(LockError::Held(found)) if found == holder));
        assert_eq!(Lock::holder(&workspace), Some(holder));
        drop(lock);
        assert!(Lock::take(&workspace).is_ok());
    }

    #[test]
    fn a_lock_that_a_dead_process_has_left_to_a_child_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace::at(AbsPath::new(dir.path()).unwrap());
        let mut lock = Lock::take(&workspace).unwrap();
        // No process has this number.
        lock.holder.pid = 0x7fff_fff0;
        lock.write().unwrap();
        let next = thread::spawn({
            let workspace = workspace.clone();
            move || Lock::take(&workspace)
        });
        thread::sleep(Duration::from_millis(30));
        drop(lock);
        assert!(next.join().unwrap().is_ok());
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

    #[test]
    fn a_second_process_gets_no_lock_although_the_file_was_swept_away() {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace::at(AbsPath::new(dir.path()).unwrap());
        let lock = Lock::take(&workspace).unwrap();
        std::fs::remove_dir_all(dir.path().join(".ai")).unwrap();
        assert!(matches!(Lock::take(&workspace), Err(LockError::HeldByUnknown)));
        assert!(!dir.path().join(".ai").exists(), "nothing is created in a folder that is being emptied");
        drop(lock);
        assert!(Lock::take(&workspace).is_ok());
    }
}
