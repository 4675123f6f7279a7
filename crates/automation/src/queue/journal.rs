//! The queue on disk.

use std::io;
use std::time::Duration;

use store::{Journal, JournalError, Timestamp, Workspace, read_lines};

use super::changes::Changes;
use super::entry::{Entry, Line, batch};
use super::fold::Folded;

/// How long a writer waits for the others.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// The queue, open for those who take something out.
#[derive(Debug)]
pub struct Queue {
    pub(super) workspace: Workspace,
    pub(super) journal: Journal,
    /// Up to here the journal is folded.
    pub(super) offset: u64,
    pub(super) folded: Folded,
}

/// Why the queue could not be used.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// The folder for it could not be made.
    #[error("cannot make the folder of the queue")]
    Folder {
        /// What the system said.
        #[from]
        source: io::Error,
    },
    /// The journal could not be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Others held the journal all the time.
    #[error("the queue was busy for {} s", PATIENCE.as_secs())]
    Busy,
    /// A newer build wrote it.
    #[error("the queue has format {found}, newer than the {} this build knows; update steersman", Line::FORMAT.0)]
    Newer {
        /// What a line says.
        found: u64,
    },
}

/// Appends to the workspace's queue without reading it. This is how something is handed in.
///
/// If others hold the journal all the time it is appended all the same: a line out of turn is
/// better than none.
pub fn append(
    workspace: &Workspace,
    now: Timestamp,
    entries: impl IntoIterator<Item = Entry>,
) -> Result<(), QueueError> {
    let batch = batch(now, entries);
    loop {
        let journal = open(workspace)?;
        let held = journal.lock(PATIENCE);
        if !journal.is_in_place() {
            // It began anew between the opening and the lock.
            continue;
        }
        if let Some(held) = held {
            held.append(&batch)?;
        } else {
            journal.append_unlocked(&batch)?;
            // Whoever held the lock may have begun it anew just then, without these lines.
            if !journal.is_in_place() {
                continue;
            }
        }
        return Ok(());
    }
}

/// Returns what the workspace's queue comes to, for those who only look.
pub fn read(workspace: &Workspace) -> Result<Folded, QueueError> {
    let lines = read_lines(&workspace.automation_queue(), 0)?;
    check_format(&lines)?;
    Ok(Folded::of(&lines))
}

impl Queue {
    /// Opens the workspace's queue, making it if need be.
    pub fn open(workspace: &Workspace) -> Result<Self, QueueError> {
        let journal = open(workspace)?;
        let mut queue = Self { workspace: workspace.clone(), journal, offset: 0, folded: Folded::default() };
        queue.change(store::now(), |_| Vec::new())?;
        Ok(queue)
    }

    /// Returns what the queue came to when it was last looked at.
    pub const fn folded(&self) -> &Folded {
        &self.folded
    }

    /// Returns how many bytes the journal has.
    pub fn length(&self) -> Result<u64, QueueError> {
        Ok(self.journal.length()?)
    }

    /// Takes which runs have changed since this was last taken; all may have if the journal began anew.
    pub fn take_changes(&mut self) -> Changes {
        self.folded.take_changes()
    }

    /// Reads what others added.
    pub fn refresh(&mut self) -> Result<&Folded, QueueError> {
        if self.journal.is_in_place() {
            self.catch_up()?;
            Ok(&self.folded)
        } else {
            self.change(store::now(), |_| Vec::new())
        }
    }

    /// Reads what others added and appends what `decide` makes of it, while nobody else can
    /// append: no two processes ever take the same run.
    pub fn change(
        &mut self,
        now: Timestamp,
        decide: impl FnOnce(&Folded) -> Vec<Entry>,
    ) -> Result<&Folded, QueueError> {
        let held = loop {
            self.settle(now)?;
            let held = self.journal.lock(PATIENCE).ok_or(QueueError::Busy)?;
            // It may have begun anew while we waited.
            if self.journal.is_in_place() {
                break held;
            }
        };
        // What was cut off is gone before anything is read: nobody folds half a line.
        held.heal()?;
        let (lines, end) = news(&self.journal, self.offset)?;
        self.folded.add_lines(&lines);
        self.offset = end;
        let entries = decide(&self.folded);
        if !entries.is_empty() {
            let batch = batch(now, entries);
            self.offset = held.append_after(end, &batch)?;
            self.folded.add_lines(batch.as_str());
        }
        drop(held);
        Ok(&self.folded)
    }

    /// Makes sure that the journal is the one its path leads to. If it was removed, what was
    /// open is written into the one that takes its place.
    fn settle(&mut self, now: Timestamp) -> Result<(), QueueError> {
        while !self.journal.is_in_place() {
            let journal = open(&self.workspace)?;
            let held = journal.lock(PATIENCE).ok_or(QueueError::Busy)?;
            held.heal()?;
            let (lines, end) = news(&journal, 0)?;
            let mut folded = Folded::of(&lines);
            let mut offset = end;
            // One that began anew in order holds all that was open.
            if folded.rotation() <= self.folded.rotation() {
                let missing = self.folded.carried().filter(|entry| !folded.knows(entry));
                let lost = batch(now, missing);
                if !lost.is_empty() {
                    offset = held.append_after(end, &lost)?;
                    folded.add_lines(lost.as_str());
                }
            }
            drop(held);
            (self.journal, self.folded, self.offset) = (journal, folded, offset);
        }
        Ok(())
    }

    /// Folds the whole lines behind the offset, without the lock.
    fn catch_up(&mut self) -> Result<(), QueueError> {
        let (lines, end) = news(&self.journal, self.offset)?;
        self.folded.add_lines(&lines);
        self.offset = end;
        Ok(())
    }
}

/// Returns the whole lines from an offset on, and where they end.
pub(super) fn news(journal: &Journal, offset: u64) -> Result<(String, u64), QueueError> {
    let (lines, end) = journal.whole_lines(offset)?;
    check_format(&lines)?;
    Ok((lines, end))
}

/// Refuses lines of a newer build: what they say may matter.
pub(super) fn check_format(lines: &str) -> Result<(), QueueError> {
    #[derive(serde::Deserialize)]
    struct Version {
        v: u64,
    }
    for line in lines.lines() {
        // Cheap for the lines of our own format, which all begin like this.
        if line.starts_with("{\"v\":1,") {
            continue;
        }
        if let Ok(Version { v: found }) = serde_json::from_str(line)
            && found > Line::FORMAT.0
        {
            return Err(QueueError::Newer { found });
        }
    }
    Ok(())
}

pub(super) fn open(workspace: &Workspace) -> Result<Journal, QueueError> {
    let path = workspace.automation_queue();
    match Journal::open(&path) {
        Err(error) if error.is_absence() => {
            workspace.make_tmp_dir()?;
            Ok(Journal::create(&path)?)
        }
        other => Ok(other?),
    }
}
