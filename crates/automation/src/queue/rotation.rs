//! Rotates the journal, so that it grows with the open runs and not with history.
//!
//! The old journal stays next to it under a number, for the history. A process that has the old one
//! open notices after taking its lock that its path leads to another file. Running runs are not
//! affected: the new journal carries their state over.
//!
//! INVARIANT: a kill at any moment leaves the old journal in its place, or the new one, whole:
//!
//! | killed after | files | the next rotation |
//! |---|---|---|
//! | the new journal was created | `queue.next.jsonl`, which no process reads | removes it |
//! | the old journal got its number | one file under two names | keeps that number |
//! | the new journal was renamed | complete | |

use std::fs;
use std::io;

use event::AbsPath;
use store::{Journal, Timestamp};

use super::entry::{Entry, Line, batch};
use super::journal::{LOCK_TIMEOUT, Queue, QueueError, lines_from, open};
use super::queue_state::QueueState;

impl Queue {
    /// Rotates the journal if it has more than `bytes` bytes and returns the path of the archive.
    /// Returns `None` if it did not rotate.
    #[expect(clippy::disallowed_methods, reason = "the rotation replaces the journal under its lock")]
    pub fn rotate_beyond(&mut self, now: Timestamp, bytes: u64) -> Result<Option<AbsPath>, QueueError> {
        if self.journal.length()? <= bytes {
            return Ok(None);
        }
        self.refresh()?;
        let held = self.journal.lock(LOCK_TIMEOUT).ok_or(QueueError::Busy)?;
        // Another process may have rotated it during the wait for the lock.
        if !self.journal.is_in_place() || self.journal.length()? <= bytes {
            return Ok(None);
        }
        held.heal()?;
        let (more, end) = lines_from(&self.journal, self.offset)?;
        self.state.add_lines(&more);
        self.offset = end;
        let path = self.workspace.automation_queue();
        let number = self.next_number()?;
        let next = self.workspace.automation_next_queue();
        remove_if_exists(&next)?;
        let journal = Journal::create(&next)?;
        journal.keep_private()?;
        let first = Entry::Rotated { number };
        let lines = batch(now, std::iter::once(first).chain(self.state.carried()));
        // Held until it is open under its new name: else another process could rotate it in between.
        let held_next = journal.lock(LOCK_TIMEOUT).ok_or(QueueError::Busy)?;
        let mut offset = held_next.append(&lines)?;
        let archive = self.workspace.automation_archive(number);
        if !self.journal.is_at(archive.as_path()) {
            link_or_copy(&path, &archive)?;
        }
        fs::rename(next.as_path(), path.as_path())?;
        let mut queue_state = QueueState::of(lines.as_str());
        // A process whose wait for the lock timed out may have appended without it until now.
        let (late, _) = self.journal.whole_lines(end)?;
        let late = batch(now, late.lines().filter_map(Line::parse).map(|line| line.entry));
        if !late.is_empty() {
            offset = held_next.append_after(offset, &late)?;
            queue_state.add_lines(late.as_str());
        }
        drop(held);
        self.journal = open(&self.workspace)?;
        drop(held_next);
        queue_state.keep_counts(&self.state);
        (self.state, self.offset) = (queue_state, offset);
        Ok(Some(archive))
    }

    /// Returns the archived journals, the oldest first.
    pub fn archives(&self) -> Result<Vec<AbsPath>, QueueError> {
        let newest = self.next_number()?;
        let all = (1..newest).map(|number| self.workspace.automation_archive(number));
        Ok(all.filter(|archive| archive.as_path().exists()).collect())
    }

    /// Returns the number for the archive: the first above all archives, or the number that the journal
    /// already has because a process was killed between linking and renaming.
    fn next_number(&self) -> Result<u32, QueueError> {
        let mut newest = self.state.rotation();
        let entries = match fs::read_dir(self.workspace.automation_dir().as_path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(newest + 1),
            other => other?,
        };
        for entry in entries {
            let name = entry?.file_name();
            let digits = name.to_str().and_then(|it| it.strip_prefix("queue-")?.strip_suffix(".jsonl"));
            newest = newest.max(digits.and_then(|it| it.parse().ok()).unwrap_or(0));
        }
        let is_archived = self.journal.is_at(self.workspace.automation_archive(newest).as_path());
        Ok(if is_archived { newest } else { newest + 1 })
    }
}

/// Gives the journal its archive name as a second name.
#[expect(clippy::disallowed_methods, reason = "the rotation keeps the journal under a second name")]
fn link_or_copy(journal: &AbsPath, archive: &AbsPath) -> io::Result<()> {
    // Some file systems have no hard links.
    fs::hard_link(journal.as_path(), archive.as_path())
        .or_else(|_| fs::copy(journal.as_path(), archive.as_path()).map(drop))
}

fn remove_if_exists(path: &AbsPath) -> Result<(), QueueError> {
    store::remove_file(path.as_path())?;
    Ok(())
}
