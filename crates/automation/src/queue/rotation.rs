//! Beginning the journal anew, so that it grows with what is open and not with history.
//!
//! The old journal stays beside it under a number, for the history. Whoever had the old one
//! open finds out after taking its lock that it is no longer in its place. Runs at work go on:
//! they stand in the new journal as they stood in the old one.
//!
//! INVARIANT: a kill at any moment leaves the old journal in its place, or the new one, whole:
//!
//! | killed after | what is there | what the next rotation does |
//! |---|---|---|
//! | the new one was begun | `queue.next.jsonl`, which nobody reads | removes it |
//! | the old one got its number | one file under two names | leaves it at that number |
//! | the new one took its place | all | |

use std::fs;
use std::io;

use event::AbsPath;
use store::{Journal, Timestamp};

use super::entry::{Entry, Line, batch};
use super::fold::Folded;
use super::journal::{PATIENCE, Queue, QueueError, news, open};

impl Queue {
    /// Begins the journal anew if it has more than so many bytes; returns the file the old
    /// one is kept in.
    pub fn rotate_beyond(&mut self, now: Timestamp, bytes: u64) -> Result<Option<AbsPath>, QueueError> {
        if self.journal.length()? <= bytes {
            return Ok(None);
        }
        self.refresh()?;
        let held = self.journal.lock(PATIENCE).ok_or(QueueError::Busy)?;
        // Somebody else may have begun it anew while we waited.
        if !self.journal.is_in_place() || self.journal.length()? <= bytes {
            return Ok(None);
        }
        held.heal()?;
        let (more, end) = news(&self.journal, self.offset)?;
        self.folded.add_lines(&more);
        self.offset = end;
        let path = self.workspace.automation_queue();
        let number = self.next_number()?;
        let next = self.workspace.automation_dir().child("queue.next.jsonl");
        remove_if_there(&next)?;
        let journal = Journal::create(&next)?;
        let first = Entry::Rotated { number };
        let lines = batch(now, std::iter::once(first).chain(self.folded.carried()));
        // Held until it is open under its new name: else somebody could begin it anew in between.
        let held_next = journal.lock(PATIENCE).ok_or(QueueError::Busy)?;
        let mut offset = held_next.append(&lines)?;
        let archive = self.workspace.automation_archive(number);
        if !self.journal.is_at(archive.as_path()) {
            keep(&path, &archive)?;
        }
        fs::rename(next.as_path(), path.as_path())?;
        let mut folded = Folded::of(lines.as_str());
        // Who had waited too long for the lock may have appended without it until just now.
        let (late, _) = self.journal.whole_lines(end)?;
        let late = batch(now, late.lines().filter_map(Line::parse).map(|line| line.entry));
        if !late.is_empty() {
            offset = held_next.append_after(offset, &late)?;
            folded.add_lines(late.as_str());
        }
        drop(held);
        self.journal = open(&self.workspace)?;
        drop(held_next);
        folded.go_on_counting(&self.folded);
        (self.folded, self.offset) = (folded, offset);
        Ok(Some(archive))
    }

    /// Returns the journals before this one, the oldest first.
    pub fn archives(&self) -> Result<Vec<AbsPath>, QueueError> {
        let newest = self.next_number()?;
        let all = (1..newest).map(|number| self.workspace.automation_archive(number));
        Ok(all.filter(|archive| archive.as_path().exists()).collect())
    }

    /// Returns the number the journal gets: the first above every archive there is, or that of
    /// the archive it already is, because a process was killed before another took its place.
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
        let is_kept = self.journal.is_at(self.workspace.automation_archive(newest).as_path());
        Ok(if is_kept { newest } else { newest + 1 })
    }
}

/// Gives the journal a second name, by which it stays.
fn keep(journal: &AbsPath, archive: &AbsPath) -> io::Result<()> {
    // Some file systems know only one name for a file.
    fs::hard_link(journal.as_path(), archive.as_path())
        .or_else(|_| fs::copy(journal.as_path(), archive.as_path()).map(drop))
}

fn remove_if_there(path: &AbsPath) -> Result<(), QueueError> {
    match fs::remove_file(path.as_path()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => Ok(other?),
    }
}
