//! An append-only file of JSON lines that many processes write at once.
//!
//! The lock is on the journal itself, so holding it costs no file of its own. All
//! lines of a run go out in one `write`. Whoever holds the lock first takes off
//! what a killed writer left half done.

mod batch;
mod error;
mod held;
#[cfg(test)]
mod tests;

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use event::AbsPath;

use crate::{no_follow, patient_lock, plain_file};

pub use batch::{Batch, Recordable};
pub use error::JournalError;
pub use held::Held;

/// A journal that is open for reading and appending.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    /// How many bytes it had when it was opened.
    pub length_when_opened: u64,
}

/// A journal's file, by the system's number for it.
#[derive(Debug, Clone, Copy)]
pub struct JournalHandle(i32);

impl Journal {
    /// Opens a journal, making it if its folder is there.
    pub fn open(path: &AbsPath) -> Result<Self, JournalError> {
        let path = path.as_path();
        let open = || {
            let file = no_follow::options().read(true).append(true).create(true).open(path)?;
            let length_when_opened = plain_file::length_of_plain(&file)?;
            Ok(Self { file, path: path.to_path_buf(), length_when_opened })
        };
        open().map_err(|source| JournalError::Open { path: path.to_path_buf(), source })
    }

    /// Opens a journal, making it and the folder it is in if need be.
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

    /// Opens a journal to look at it; one that is not there is none.
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

    /// Waits for the right to write, at most `patience`.
    pub fn lock(&self, patience: Duration) -> Option<Held<'_>> {
        patient_lock::lock(&self.file, patience).then(|| Held::of(self))
    }

    /// Appends without the lock, for when it cannot be had: a record out of turn is
    /// better than none. A torn line before it is closed, not taken off, since its writer
    /// may still be at work.
    pub fn append_unlocked(&self, batch: &Batch) -> Result<(), JournalError> {
        let torn = self.length().and_then(|end| self.is_torn_at(end)).unwrap_or(false);
        let text = if torn { format!("\n{}", batch.as_str()) } else { batch.as_str().to_owned() };
        (&self.file).write_all(text.as_bytes()).map_err(|source| self.append_error(source))
    }

    /// Returns the file's handle, for a signal handler; good as long as the journal lives.
    #[cfg(unix)]
    pub fn handle(&self) -> JournalHandle {
        JournalHandle(std::os::fd::AsRawFd::as_raw_fd(&self.file))
    }

    /// Returns nothing of use: there are no signal handlers here.
    #[cfg(not(unix))]
    pub fn handle(&self) -> JournalHandle {
        JournalHandle(-1)
    }

    /// Returns whether its path still leads to this very file: it was not removed, and no
    /// other was put in its place.
    pub fn is_in_place(&self) -> bool {
        self.is_at(&self.path)
    }

    /// Returns whether a path leads to this very file.
    #[cfg(unix)]
    pub fn is_at(&self, path: &Path) -> bool {
        use std::os::unix::fs::MetadataExt;
        let identity = |meta: &fs::Metadata| (meta.dev(), meta.ino());
        match (self.file.metadata(), fs::symlink_metadata(path)) {
            (Ok(ours), Ok(there)) => identity(&ours) == identity(&there),
            _ => false,
        }
    }

    /// Returns whether a path is its own and leads to a file; an open one cannot be replaced here.
    #[cfg(not(unix))]
    pub fn is_at(&self, path: &Path) -> bool {
        path == self.path && path.exists()
    }

    /// Returns how many bytes the journal has.
    pub fn length(&self) -> Result<u64, JournalError> {
        self.file.metadata().map(|meta| meta.len()).map_err(|source| self.read_error(source))
    }

    /// Returns the whole lines among the last `at_most` bytes.
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

    /// Returns the bytes from `start` to `end` as text.
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

    /// Returns the whole lines from the byte `start` on, and the byte behind the last of them.
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
    /// Returns the system's number for it.
    pub const fn as_raw_fd(self) -> i32 {
        self.0
    }
}

/// Reads the whole lines of a journal from a byte on; a journal that is not there has none.
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

/// Reads bytes as text; what is not UTF-8 is replaced.
fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn error_means_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn make_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}
