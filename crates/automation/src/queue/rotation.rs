//! Beginning the journal anew, so that it grows with what is open and not with history.
//!
//! The old journal stays beside it under a number, for the history. Whoever had the old one
//! open finds out after taking its lock that it is no longer in its place.

use std::fs;
use std::io;

use event::AbsPath;
use store::{Journal, Timestamp};

use super::entry::{Entry, batch};
use super::fold::Folded;
use super::journal::{PATIENCE, Queue, QueueError, open};

impl Queue {
    /// Begins the journal anew if it has more than so many bytes; returns the file the old
    /// one is kept in.
    ///
    /// A kill at any moment leaves the old journal in place or the new one, whole.
    pub fn rotate_beyond(&mut self, now: Timestamp, bytes: u64) -> Result<Option<AbsPath>, QueueError> {
        self.refresh()?;
        if self.journal.length()? <= bytes {
            return Ok(None);
        }
        let held = self.journal.lock(PATIENCE).ok_or(QueueError::Busy)?;
        if !self.journal.is_in_place() {
            return Ok(None);
        }
        held.heal()?;
        let (more, end) = self.journal.whole_lines(self.offset)?;
        self.folded.add_lines(&more);
        self.offset = end;
        let number = self.next_number()?;
        let next = self.workspace.automation_dir().child("queue.next.jsonl");
        remove_if_there(&next)?;
        let journal = Journal::create(&next)?;
        let first = Entry::Rotated { number };
        let lines = batch(now, std::iter::once(first).chain(self.folded.carried()));
        // Held until it is open under its new name: else somebody could begin it anew in between.
        let held_next = journal.lock(PATIENCE).ok_or(QueueError::Busy)?;
        held_next.append(&lines)?;
        let archive = self.workspace.automation_archive(number);
        fs::hard_link(self.workspace.automation_queue().as_path(), archive.as_path())?;
        fs::rename(next.as_path(), self.workspace.automation_queue().as_path())?;
        drop(held);
        // What was open in the old journal is known; only the place changes.
        self.journal = open(&self.workspace)?;
        drop(held_next);
        self.folded = Folded::of(lines.as_str());
        self.offset = lines.as_str().len() as u64;
        Ok(Some(archive))
    }

    /// Returns the journals before this one, the oldest first.
    pub fn archives(&self) -> Result<Vec<AbsPath>, QueueError> {
        let newest = self.next_number()?;
        let all = (1..newest).map(|number| self.workspace.automation_archive(number));
        Ok(all.filter(|archive| archive.as_path().exists()).collect())
    }

    /// Returns the first number above every archive there is. One that a killed process had
    /// linked and not yet replaced is the journal itself, twice in the history.
    fn next_number(&self) -> Result<u32, QueueError> {
        let mut newest = self.folded.rotation();
        let entries = match fs::read_dir(self.workspace.automation_dir().as_path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(newest + 1),
            other => other?,
        };
        for entry in entries {
            let name = entry?.file_name();
            let digits = name.to_str().and_then(|it| it.strip_prefix("queue-")?.strip_suffix(".jsonl"));
            newest = newest.max(digits.and_then(|it| it.parse().ok()).unwrap_or(0));
        }
        Ok(newest + 1)
    }
}

fn remove_if_there(path: &AbsPath) -> Result<(), QueueError> {
    match fs::remove_file(path.as_path()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => Ok(other?),
    }
}
