//! The lock of a journal: appends lines, and removes an incomplete line of a killed writer.

use std::io::Write;
use std::time::Duration;

use super::{Batch, Journal, JournalError};

/// A held lock: no other process appends while it exists.
#[derive(Debug)]
pub struct JournalLock<'a> {
    journal: &'a Journal,
}

impl<'a> JournalLock<'a> {
    /// Wraps a journal whose lock the caller holds.
    pub(super) fn of(journal: &'a Journal) -> Self {
        Self { journal }
    }

    /// Appends the lines and returns the new length of the journal.
    ///
    /// If the disk takes only part of them, this removes that part: a run is recorded completely or
    /// not at all.
    pub fn append(&self, batch: &Batch) -> Result<u64, JournalError> {
        self.append_after(self.heal()?, batch)
    }

    /// Appends the lines to a journal whose healed length is `end`.
    pub fn append_after(&self, end: u64, batch: &Batch) -> Result<u64, JournalError> {
        let journal = self.journal;
        let lines = batch.as_str();
        match (&journal.file).write_all(lines.as_bytes()) {
            Ok(()) => Ok(end + lines.len() as u64),
            Err(source) => {
                let _ = journal.file.set_len(end);
                Err(journal.append_error(source))
            }
        }
    }

    /// Removes an incomplete last line and returns the length of the journal.
    pub fn heal(&self) -> Result<u64, JournalError> {
        let journal = self.journal;
        let end = journal.length()?;
        if !journal.is_torn_at(end)? {
            return Ok(end);
        }
        // A writer without the lock may be in the middle of its `write`; a dead one does not
        // continue.
        std::thread::sleep(Duration::from_millis(2));
        if journal.length()? != end {
            return self.heal();
        }
        let mut start = end;
        while start > 0 {
            let from = start.saturating_sub(64 * 1024);
            // As bytes: a block may begin or end within a character.
            let block = journal.bytes_between(from, start)?;
            if let Some(at) = block.iter().rposition(|byte| *byte == b'\n') {
                start = from + at as u64 + 1;
                break;
            }
            start = from;
        }
        journal.file.set_len(start).map_err(|source| journal.append_error(source))?;
        Ok(start)
    }
}

impl Drop for JournalLock<'_> {
    fn drop(&mut self) {
        // The process's exit releases the lock anyway; there is no remedy for a failure.
        let _ = self.journal.file.unlock();
    }
}
