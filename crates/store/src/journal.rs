//! An append-only file of JSON lines that many processes write at the same time.
//!
//! The lock is on the journal itself, so it needs no extra file. All lines of a run go out in one
//! `write`. The holder of the lock first removes a line that a killed writer left incomplete.

mod batch;
mod error;
mod journal_lock;
#[cfg(test)]
mod tests;

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use event::AbsPath;

use crate::{create_folder, no_follow, plain_file, timed_lock};

pub use batch::{Batch, Recordable};
pub use error::JournalError;
pub use journal_lock::JournalLock;

/// A journal, open for reading and appending.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    /// The length in bytes when it was opened.
    pub length_when_opened: u64,
}

/// The file descriptor of a journal.
#[derive(Debug, Clone, Copy)]
pub struct JournalHandle(i32);

impl Journal {
    /// Opens a journal. Creates the file if its folder exists.
    pub fn open(path: &AbsPath) -> Result<Self, JournalError> {
        let path = path.as_path();
        let open = || {
            let file = no_follow::options().read(true).append(true).create(true).open(path)?;
            let length_when_opened = plain_file::length_of_plain(&file)?;
            Ok(Self { file, path: path.to_path_buf(), length_when_opened })
        };
        open().map_err(|source| JournalError::Open { path: path.to_path_buf(), source })
    }

    /// Opens a journal. Creates the file and its folder if necessary.
    pub fn create(path: &AbsPath) -> Result<Self, JournalError> {
        match Self::open(path) {
            Err(error) if error.is_absence() => {
                make_parent(path.as_path())
                    .map_err(|source| JournalError::Open { path: path.as_path().to_path_buf(), source })?;
                Self::open(path)
            }
            other => other,
        }
    }

    /// Lets only the user read the journal.
    pub fn keep_private(&self) -> Result<(), JournalError> {
        crate::keep_private(&self.path)
            .map_err(|source| JournalError::Open { path: self.path.clone(), source })
    }

    /// Opens a journal for reading. Returns `None` if it does not exist.
    pub fn open_to_read(path: &AbsPath) -> Result<Option<Self>, JournalError> {
        let path = path.as_path();
        let open = || {
            let file = plain_file::open_plain(path)?;
            let length_when_opened = file.metadata()?.len();
            Ok(Self { file, path: path.to_path_buf(), length_when_opened })
        };
        match open() {
            Ok(journal) => Ok(Some(journal)),
            Err(error) if error_means_absent(&error) => Ok(None),
            Err(source) => Err(JournalError::Open { path: path.to_path_buf(), source }),
        }
    }

    /// Waits at most `timeout` for the lock.
    pub fn lock(&self, timeout: Duration) -> Option<JournalLock<'_>> {
        timed_lock::lock(&self.file, timeout).then(|| JournalLock::of(self))
    }

    /// Appends without the lock, if another process keeps it: a record out of order is better than a lost
    /// one. Completes an incomplete line instead of removing it, since its writer may still be
    /// running.
    pub fn append_unlocked(&self, batch: &Batch) -> Result<(), JournalError> {
        let torn = self.length().and_then(|end| self.is_torn_at(end)).unwrap_or(false);
        let text = if torn { format!("\n{}", batch.as_str()) } else { batch.as_str().to_owned() };
        (&self.file).write_all(text.as_bytes()).map_err(|source| self.append_error(source))
    }

    /// Returns the file descriptor for a signal handler; valid while the journal is open.
    #[cfg(unix)]
    pub fn handle(&self) -> JournalHandle {
        JournalHandle(std::os::fd::AsRawFd::as_raw_fd(&self.file))
    }

    /// Returns an invalid descriptor: there are no signal handlers on this system.
    #[cfg(not(unix))]
    pub fn handle(&self) -> JournalHandle {
        JournalHandle(-1)
    }

    /// Returns whether its path still leads to this file: it was neither removed nor replaced.
    pub fn is_in_place(&self) -> bool {
        self.is_at(&self.path)
    }

    /// Returns whether a path leads to this file.
    #[cfg(unix)]
    pub fn is_at(&self, path: &Path) -> bool {
        use std::os::unix::fs::MetadataExt;
        let identity = |meta: &fs::Metadata| (meta.dev(), meta.ino());
        match (self.file.metadata(), fs::symlink_metadata(path)) {
            (Ok(ours), Ok(there)) => identity(&ours) == identity(&there),
            _ => false,
        }
    }

    /// Returns whether a path is its own and exists; an open file cannot be replaced on this system.
    #[cfg(not(unix))]
    pub fn is_at(&self, path: &Path) -> bool {
        path == self.path && path.exists()
    }

    /// Returns the length in bytes.
    pub fn length(&self) -> Result<u64, JournalError> {
        self.file.metadata().map(|meta| meta.len()).map_err(|source| self.read_error(source))
    }

    /// Returns the complete lines among the last `at_most` bytes.
    pub fn tail(&self, at_most: u64) -> Result<String, JournalError> {
        let end = self.length()?;
        let start = end.saturating_sub(at_most);
        let mut text = self.between(start, end)?;
        if start > 0 {
            let first_whole = text.find('\n').map_or(text.len(), |at| at + 1);
            text.drain(..first_whole);
        }
        Ok(text)
    }

    /// Returns the bytes from `start` to `end` as a string.
    pub fn between(&self, start: u64, end: u64) -> Result<String, JournalError> {
        self.bytes_between(start, end).map(text_of)
    }

    fn bytes_between(&self, start: u64, end: u64) -> Result<Vec<u8>, JournalError> {
        let read = || {
            let mut bytes = vec![0; usize::try_from(end.saturating_sub(start)).unwrap_or(0)];
            let mut file = &self.file;
            file.seek(SeekFrom::Start(start))?;
            let mut n_read = 0;
            while n_read < bytes.len() {
                match file.read(&mut bytes[n_read..])? {
                    0 => break,
                    more => n_read += more,
                }
            }
            bytes.truncate(n_read);
            Ok(bytes)
        };
        read().map_err(|source| self.read_error(source))
    }

    /// Returns the complete lines from the byte `start` on, and the byte after the last of them.
    pub fn whole_lines(&self, start: u64) -> Result<(String, u64), JournalError> {
        let read = || {
            let mut bytes = Vec::new();
            let mut file = &self.file;
            file.seek(SeekFrom::Start(start))?;
            file.read_to_end(&mut bytes)?;
            bytes.truncate(bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1));
            Ok(bytes)
        };
        let bytes = read().map_err(|source| self.read_error(source))?;
        let end = start + bytes.len() as u64;
        Ok((text_of(bytes), end))
    }

    fn is_torn_at(&self, end: u64) -> Result<bool, JournalError> {
        Ok(end > 0 && self.bytes_between(end - 1, end)? != b"\n")
    }

    fn append_error(&self, source: io::Error) -> JournalError {
        JournalError::Append { path: self.path.clone(), source }
    }

    fn read_error(&self, source: io::Error) -> JournalError {
        JournalError::Read { path: self.path.clone(), source }
    }
}

impl JournalHandle {
    /// Returns the file descriptor.
    pub const fn as_raw_fd(self) -> i32 {
        self.0
    }
}

/// Reads the complete lines of a journal from a byte on. Returns an empty string if the journal does
/// not exist.
pub fn read_lines(path: &AbsPath, from: u64) -> Result<String, JournalError> {
    let path = path.as_path();
    let read = || {
        let mut file = plain_file::open_plain(path)?;
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    match read() {
        Ok(bytes) => {
            let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            Ok(String::from_utf8_lossy(&bytes[..whole]).into_owned())
        }
        Err(error) if error_means_absent(&error) => Ok(String::new()),
        Err(source) => Err(JournalError::Read { path: path.to_path_buf(), source }),
    }
}

/// Decodes bytes; replaces invalid UTF-8.
fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn error_means_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn make_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), create_folder)
}
