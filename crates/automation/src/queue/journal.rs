//! The queue on disk.

use std::io;
use std::time::Duration;

use config_file::NewerFormat;
use store::{Journal, JournalError, Timestamp, Workspace, read_lines};

use super::changes::Changes;
use super::entry::{Entry, Line, batch};
use super::queue_state::QueueState;

/// How long a writer waits for the journal's lock.
pub(super) const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// The queue, open for taking runs.
#[derive(Debug)]
pub struct Queue {
    pub(super) workspace: Workspace,
    pub(super) journal: Journal,
    /// The end of the lines that `state` contains.
    pub(super) offset: u64,
    pub(super) state: QueueState,
    /// Whether to create the journal again if it was deleted.
    recreates: bool,
}

/// Why the queue cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// The folder of the queue cannot be created.
    #[error("cannot create the folder of the queue")]
    Folder {
        /// The system's error.
        #[from]
        source: io::Error,
    },
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Other processes held the journal's lock all the time.
    #[error("cannot lock the queue: other processes held its lock for {} s", LOCK_TIMEOUT.as_secs())]
    Busy,
    /// A process deleted it, perhaps together with the workspace.
    #[error("cannot write the queue: it was deleted")]
    Deleted,
    /// A newer build wrote it.
    #[error("cannot read the queue: {0}; hint: {hint}", hint = NewerFormat::HINT)]
    Newer(NewerFormat),
}

/// Appends entries to the workspace's queue without reading it. This is how `emit` and hooks add
/// occurrences.
///
/// If other processes hold the lock for too long, it appends without the lock: a line out of turn is
/// better than a lost line.
pub fn append(
    workspace: &Workspace,
    now: Timestamp,
    entries: impl IntoIterator<Item = Entry>,
) -> Result<(), QueueError> {
    let batch = batch(now, entries);
    loop {
        let journal = open(workspace)?;
        let held = journal.lock(LOCK_TIMEOUT);
        if !journal.is_in_place() {
            // The journal was rotated between the opening and the lock.
            continue;
        }
        if let Some(held) = held {
            held.append(&batch)?;
        } else {
            journal.append_unlocked(&batch)?;
            // The lock's holder may have rotated the journal just then, without these lines.
            if !journal.is_in_place() {
                continue;
            }
        }
        return Ok(());
    }
}

/// Returns the state of the workspace's queue, for readers that do not change it.
pub fn read(workspace: &Workspace) -> Result<QueueState, QueueError> {
    let lines = read_lines(&workspace.automation_queue(), 0)?;
    check_format(&lines)?;
    Ok(QueueState::of(&lines))
}

impl Queue {
    /// Opens the workspace's queue and creates it if it does not exist.
    pub fn open(workspace: &Workspace) -> Result<Self, QueueError> {
        let journal = open(workspace)?;
        // An older build may have created it readable for others.
        journal.keep_private()?;
        let mut queue = Self {
            workspace: workspace.clone(),
            journal,
            offset: 0,
            state: QueueState::default(),
            recreates: true,
        };
        queue.change(store::now(), |_| Vec::new())?;
        Ok(queue)
    }

    /// Sets whether a deleted journal is created again. If not, reading and writing it fail.
    pub fn set_recreates(&mut self, recreates: bool) {
        self.recreates = recreates;
    }

    /// Returns the state of the queue as of the last read.
    pub const fn state(&self) -> &QueueState {
        &self.state
    }

    /// Returns the size of the journal in bytes.
    pub fn length(&self) -> Result<u64, QueueError> {
        Ok(self.journal.length()?)
    }

    /// Returns the runs that changed since the last call; all of them if the journal was rotated.
    pub fn take_changes(&mut self) -> Changes {
        self.state.take_changes()
    }

    /// Reads the lines that other processes added.
    pub fn refresh(&mut self) -> Result<&QueueState, QueueError> {
        if self.journal.is_in_place() {
            self.catch_up()?;
            Ok(&self.state)
        } else {
            self.change(store::now(), |_| Vec::new())
        }
    }

    /// Reads the lines that other processes added and appends the entries that `decide` returns, under
    /// the journal's lock: no two processes ever take the same run.
    pub fn change(
        &mut self,
        now: Timestamp,
        decide: impl FnOnce(&QueueState) -> Vec<Entry>,
    ) -> Result<&QueueState, QueueError> {
        let held = loop {
            self.reopen_if_moved(now)?;
            let held = self.journal.lock(LOCK_TIMEOUT).ok_or(QueueError::Busy)?;
            // Another process may have rotated it during the wait for the lock.
            if self.journal.is_in_place() {
                break held;
            }
        };
        // Removes a torn last line before reading, so that no process folds half a line.
        held.heal()?;
        let (lines, end) = lines_from(&self.journal, self.offset)?;
        self.state.add_lines(&lines);
        self.offset = end;
        let entries = decide(&self.state);
        if !entries.is_empty() {
            let batch = batch(now, entries);
            self.offset = held.append_after(end, &batch)?;
            self.state.add_lines(batch.as_str());
        }
        drop(held);
        Ok(&self.state)
    }

    /// Reopens the journal if its path leads to another file now. If the journal was deleted, writes
    /// the open runs and occurrences to the new one.
    fn reopen_if_moved(&mut self, now: Timestamp) -> Result<(), QueueError> {
        while !self.journal.is_in_place() {
            if !self.recreates && !self.workspace.automation_queue().as_path().exists() {
                return Err(QueueError::Deleted);
            }
            let journal = open(&self.workspace)?;
            let held = journal.lock(LOCK_TIMEOUT).ok_or(QueueError::Busy)?;
            held.heal()?;
            let (lines, end) = lines_from(&journal, 0)?;
            let mut queue_state = QueueState::of(&lines);
            let mut offset = end;
            // A rotated journal contains everything that was open.
            if queue_state.rotation() <= self.state.rotation() {
                let missing = self.state.carried().filter(|entry| !queue_state.contains(entry));
                let lost = batch(now, missing);
                if !lost.is_empty() {
                    offset = held.append_after(end, &lost)?;
                    queue_state.add_lines(lost.as_str());
                }
            }
            drop(held);
            (self.journal, self.state, self.offset) = (journal, queue_state, offset);
        }
        Ok(())
    }

    /// Folds the whole lines after the offset, without the lock.
    fn catch_up(&mut self) -> Result<(), QueueError> {
        let (lines, end) = lines_from(&self.journal, self.offset)?;
        self.state.add_lines(&lines);
        self.offset = end;
        Ok(())
    }
}

/// Returns the whole lines from an offset on, and their end.
pub(super) fn lines_from(journal: &Journal, offset: u64) -> Result<(String, u64), QueueError> {
    let (lines, end) = journal.whole_lines(offset)?;
    check_format(&lines)?;
    Ok((lines, end))
}

/// Refuses lines of a newer format, whose meaning this build does not know.
pub(super) fn check_format(lines: &str) -> Result<(), QueueError> {
    #[derive(serde::Deserialize)]
    struct Version {
        v: u64,
    }
    for line in lines.lines() {
        // Cheap for our own lines, which all start like this.
        if line.starts_with("{\"v\":1,") {
            continue;
        }
        if let Ok(Version { v: found }) = serde_json::from_str(line)
            && found > Line::FORMAT.0
        {
            return Err(QueueError::Newer(NewerFormat { found, ours: Line::FORMAT.0 }));
        }
    }
    Ok(())
}

pub(super) fn open(workspace: &Workspace) -> Result<Journal, QueueError> {
    let path = workspace.automation_queue();
    let journal = match Journal::open(&path) {
        Err(error) if error.is_absence() => {
            workspace.make_tmp_dir()?;
            Journal::create(&path)?
        }
        other => other?,
    };
    // Only the user may read file names and prompts. Only an empty journal is new.
    if journal.length_when_opened == 0 {
        journal.keep_private()?;
    }
    Ok(journal)
}
