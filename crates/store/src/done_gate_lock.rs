//! Lets one process at a time run the acceptance commands of a session.

use std::fs::{File, TryLockError};

use crate::SessionDir;

/// Held while the acceptance commands of a session run.
#[derive(Debug)]
pub struct DoneGateLock(#[expect(dead_code, reason = "the lock ends with the file")] Option<File>);

impl DoneGateLock {
    /// Takes the lock. Returns `None` if another process has it. Where a folder cannot be locked, every process gets it.
    pub fn take(session: &SessionDir) -> Option<Self> {
        let Ok(folder) = File::open(session.root().as_path()) else { return Some(Self(None)) };
        match folder.try_lock() {
            Ok(()) => Some(Self(Some(folder))),
            Err(TryLockError::WouldBlock) => None,
            Err(TryLockError::Error(_)) => Some(Self(None)),
        }
    }
}
