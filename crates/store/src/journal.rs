//! An append-only file of JSON lines that many processes write at once.
//!
//! The lock is on the journal itself, so holding it costs no file of its own. All
//! lines of a run go out in one `write`. Whoever holds the lock first takes off
//! what a killed writer left half done.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use event::AbsPath;
use redact::{Redacted, RedactedJson};
use serde::Serialize;

use crate::{no_follow, patient_lock, plain_file};

/// A journal that is open for reading and appending.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    /// How many bytes it had when it was opened.
    pub length_when_opened: u64,
}

/// The right to write: nobody else appends while this lives.
#[derive(Debug)]
pub struct Held<'a> {
    journal: &'a Journal,
}

/// A journal's file, by the system's number for it.
#[derive(Debug, Clone, Copy)]
pub struct JournalHandle(i32);

/// Whole lines that shall be appended together.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Batch(String);

/// What may stand in a journal: every text in it is redacted, one of our own ids or a constant.
pub trait Recordable: Serialize {}

impl Recordable for RedactedJson {}

/// Why a journal could not be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It could not be opened or made.
    #[error("cannot open journal `{}`", path.display())]
    Open {
        /// The journal.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Lines could not be added.
    #[error("cannot append to journal `{}`", path.display())]
    Append {
        /// The journal.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It could not be read.
    #[error("cannot read journal `{}`", path.display())]
    Read {
        /// The journal.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl JournalError {
    /// Returns whether the folder of the journal is not there.
    pub fn is_absence(&self) -> bool {
        matches!(self, Self::Open { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}

impl JournalHandle {
    /// Returns the system's number for it.
    pub const fn as_raw_fd(self) -> i32 {
        self.0
    }
}

impl Batch {
    /// Adds one record. JSON as it is written here has no line break in it.
    pub fn push(&mut self, record: &impl Recordable) {
        // Strings, numbers and maps with text for keys always serialize.
        if let Ok(line) = serde_json::to_string(record) {
            self.0.push_str(&line);
            self.0.push('\n');
        }
    }

    /// Adds one line that is no record, for a log that people read.
    pub fn push_line(&mut self, line: &Redacted) {
        self.0.push_str(&line.as_str().replace(['\n', '\r'], " "));
        self.0.push('\n');
    }

    /// Returns whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the lines as they will stand in the file.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

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
        patient_lock::lock(&self.file, patience).then_some(Held { journal: self })
    }

    /// Appends without the lock, for when it cannot be had: a record out of turn is
    /// better than none. A torn line before it is closed, not taken off, since its writer
    /// may still be at work.
    pub fn append_unlocked(&self, batch: &Batch) -> Result<(), JournalError> {
        let torn = self.length().and_then(|end| self.is_torn_at(end)).unwrap_or(false);
        let text = if torn { format!("\n{}", batch.0) } else { batch.0.clone() };
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
            Ok(text_of(bytes))
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
        Ok(end > 0 && self.between(end - 1, end)? != "\n")
    }

    fn append_error(&self, source: io::Error) -> JournalError {
        JournalError::Append { path: self.path.clone(), source }
    }

    fn read_error(&self, source: io::Error) -> JournalError {
        JournalError::Read { path: self.path.clone(), source }
    }
}

impl Held<'_> {
    /// Appends the lines and returns where the journal ends then.
    ///
    /// If the disk takes only part of them, that part is taken back: a run is recorded
    /// whole or not at all.
    pub fn append(&self, batch: &Batch) -> Result<u64, JournalError> {
        self.append_after(self.heal()?, batch)
    }

    /// Appends the lines to a journal that was healed and found to end at `end`.
    pub fn append_after(&self, end: u64, batch: &Batch) -> Result<u64, JournalError> {
        let journal = self.journal;
        match (&journal.file).write_all(batch.0.as_bytes()) {
            Ok(()) => Ok(end + batch.0.len() as u64),
            Err(source) => {
                let _ = journal.file.set_len(end);
                Err(journal.append_error(source))
            }
        }
    }

    /// Takes off a torn last line and returns where the journal ends then.
    pub fn heal(&self) -> Result<u64, JournalError> {
        let journal = self.journal;
        let end = journal.length()?;
        if !journal.is_torn_at(end)? {
            return Ok(end);
        }
        // A writer without the lock may be in the middle of its `write`; a dead one stays still.
        std::thread::sleep(Duration::from_millis(2));
        if journal.length()? != end {
            return self.heal();
        }
        let mut start = end;
        while start > 0 {
            let from = start.saturating_sub(64 * 1024);
            if let Some(at) = journal.between(from, start)?.rfind('\n') {
                start = from + at as u64 + 1;
                break;
            }
            start = from;
        }
        journal.file.set_len(start).map_err(|source| journal.append_error(source))?;
        Ok(start)
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // The lock would go with the process anyway; nothing can be done about a failure.
        let _ = self.journal.file.unlock();
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::OpenOptions;

    struct Sandbox {
        _dir: tempfile::TempDir,
        path: AbsPath,
    }

    fn sandbox() -> Sandbox {
        let dir = tempfile::tempdir().unwrap();
        let path = AbsPath::new(dir.path().join("deep/er/events.jsonl")).unwrap();
        Sandbox { _dir: dir, path }
    }

    fn batch(lines: &[&str]) -> Batch {
        let mut batch = Batch::default();
        for line in lines {
            batch.push(&redact::value(&serde_json::Value::from(*line)));
        }
        batch
    }

    fn append(path: &AbsPath, lines: &[&str]) -> u64 {
        let journal = Journal::create(path).unwrap();
        let held = journal.lock(Duration::from_secs(1)).unwrap();
        held.append(&batch(lines)).unwrap()
    }

    #[test]
    fn lines_stand_in_the_order_they_were_appended() {
        let sandbox = sandbox();
        append(&sandbox.path, &["1", "2"]);
        let end = append(&sandbox.path, &["3"]);
        assert_eq!(read_lines(&sandbox.path, 0).unwrap(), "\"1\"\n\"2\"\n\"3\"\n");
        assert_eq!(end, 12);
        assert_eq!(read_lines(&sandbox.path, 8).unwrap(), "\"3\"\n");
    }

    #[test]
    fn a_torn_line_is_gone_after_the_next_write() {
        for torn in ["{\"half\":", "x", &"y".repeat(200_000)] {
            let sandbox = sandbox();
            append(&sandbox.path, &["whole"]);
            let mut file = OpenOptions::new().append(true).open(sandbox.path.as_path()).unwrap();
            file.write_all(torn.as_bytes()).unwrap();
            append(&sandbox.path, &["next"]);
            assert_eq!(read_lines(&sandbox.path, 0).unwrap(), "\"whole\"\n\"next\"\n");
        }
    }

    #[test]
    fn a_journal_that_is_only_a_torn_line_begins_anew() {
        let sandbox = sandbox();
        fs::create_dir_all(sandbox.path.as_path().parent().unwrap()).unwrap();
        fs::write(sandbox.path.as_path(), "torn").unwrap();
        append(&sandbox.path, &["first"]);
        assert_eq!(read_lines(&sandbox.path, 0).unwrap(), "\"first\"\n");
    }

    #[test]
    fn without_the_lock_a_torn_line_is_closed_so_that_ours_is_whole() {
        let sandbox = sandbox();
        append(&sandbox.path, &["whole"]);
        let mut file = OpenOptions::new().append(true).open(sandbox.path.as_path()).unwrap();
        file.write_all(b"torn").unwrap();
        Journal::open(&sandbox.path).unwrap().append_unlocked(&batch(&["mine"])).unwrap();
        assert_eq!(read_lines(&sandbox.path, 0).unwrap(), "\"whole\"\ntorn\n\"mine\"\n");
    }

    #[test]
    fn the_lock_keeps_others_out_until_it_is_dropped() {
        let sandbox = sandbox();
        let one = Journal::create(&sandbox.path).unwrap();
        let other = Journal::open(&sandbox.path).unwrap();
        let held = one.lock(Duration::ZERO).unwrap();
        assert!(other.lock(Duration::from_millis(1)).is_none());
        drop(held);
        assert!(other.lock(Duration::ZERO).is_some());
    }

    #[test]
    fn whole_lines_end_where_their_bytes_end() {
        let sandbox = sandbox();
        append(&sandbox.path, &["one"]);
        let mut file = OpenOptions::new().append(true).open(sandbox.path.as_path()).unwrap();
        file.write_all(b"\xff\xfe\n\"two\"\nhalf").unwrap();
        let journal = Journal::open(&sandbox.path).unwrap();
        let (lines, end) = journal.whole_lines(0).unwrap();
        assert_eq!((lines.as_str(), end), ("\"one\"\n\u{fffd}\u{fffd}\n\"two\"\n", 15));
        assert_eq!(journal.whole_lines(end).unwrap(), (String::new(), end));
    }

    #[cfg(unix)]
    #[test]
    fn a_journal_that_was_removed_or_replaced_is_not_in_place() {
        let sandbox = sandbox();
        append(&sandbox.path, &["one"]);
        let journal = Journal::open(&sandbox.path).unwrap();
        assert!(journal.is_in_place());
        fs::remove_file(sandbox.path.as_path()).unwrap();
        assert!(!journal.is_in_place());
        append(&sandbox.path, &["another"]);
        assert!(!journal.is_in_place());
    }

    #[test]
    fn a_tail_begins_with_a_whole_line() {
        let sandbox = sandbox();
        append(&sandbox.path, &["aaaa", "bbbb", "cccc"]);
        let journal = Journal::open(&sandbox.path).unwrap();
        assert_eq!(journal.tail(9).unwrap(), "\"cccc\"\n");
        assert_eq!(journal.tail(1000).unwrap(), "\"aaaa\"\n\"bbbb\"\n\"cccc\"\n");
    }

    #[test]
    fn an_absent_journal_has_no_lines() {
        let sandbox = sandbox();
        assert_eq!(read_lines(&sandbox.path, 0).unwrap(), "");
    }
}
