//! The right to write to a journal: appending, and taking off what a killed writer left half done.

use std::io::Write;
use std::time::Duration;

use super::{Batch, Journal, JournalError};

/// The right to write: nobody else appends while this lives.
#[derive(Debug)]
pub struct Held<'a> {
    journal: &'a Journal,
}

impl<'a> Held<'a> {
    /// The lock on the journal's file must be held.
    pub(super) fn of(journal: &'a Journal) -> Self {
        Self { journal }
    }

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
        let lines = batch.as_str();
        match (&journal.file).write_all(lines.as_bytes()) {
            Ok(()) => Ok(end + lines.len() as u64),
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

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // The lock would go with the process anyway; nothing can be done about a failure.
        let _ = self.journal.file.unlock();
    }
}
