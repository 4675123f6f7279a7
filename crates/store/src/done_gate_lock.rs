//! Lets one process at a time run the acceptance commands of a session.

use std::fs::{File, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use crate::SessionDir;

/// How often a process that waits asks for the lock.
const INTERVAL: Duration = Duration::from_millis(20);

/// Held while the acceptance commands of a session run.
#[derive(Debug)]
pub struct DoneGateLock(#[expect(dead_code, reason = "the lock ends with the file")] Option<File>);

impl DoneGateLock {
    /// Takes the lock, and waits for it if another process has it. Returns `None` if that takes too long. Where a folder
    /// cannot be locked, every process gets it.
    pub fn take(session: &SessionDir, until: Instant) -> Option<Self> {
        let Ok(folder) = File::open(session.root().as_path()) else { return Some(Self(None)) };
        loop {
            match folder.try_lock() {
                Ok(()) => return Some(Self(Some(folder))),
                Err(TryLockError::WouldBlock) if Instant::now() < until => thread::sleep(INTERVAL),
                Err(TryLockError::WouldBlock) => return None,
                Err(TryLockError::Error(_)) => return Some(Self(None)),
            }
        }
    }
}
