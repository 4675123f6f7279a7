//! Journal entries that are not written yet, because a turn is in progress or the disk is full.
//!
//! INVARIANT: the buffer grows with the number of saved files, not with the number of saves, however
//! long the disk is full: a later run about a file replaces the buffered one, as it replaces a
//! pending run in the journal.

use std::collections::HashMap;

use automation::queue::{Entry, QueuedRun};
use automation::{AutomationId, ExecutionId};

/// The buffered entries, in journal order.
#[derive(Debug, Default)]
pub(crate) struct WriteBuffer {
    entries: Vec<Entry>,
    /// The index of the run about each automation and file in `entries`.
    queued: HashMap<(AutomationId, String), usize>,
}

impl WriteBuffer {
    /// Adds an entry other than a queued run.
    pub(crate) fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// Adds entries other than queued runs.
    pub(crate) fn extend(&mut self, entries: impl IntoIterator<Item = Entry>) {
        self.entries.extend(entries);
    }

    /// Replaces the buffered run about the same file. Returns the run if the buffer has no such run.
    pub(crate) fn replace_earlier(&mut self, run: QueuedRun) -> Option<QueuedRun> {
        let subject = run.subject().map(|(hook, file)| (hook.clone(), file.to_owned()));
        let Some(place) = subject.and_then(|subject| self.queued.get(&subject).copied()) else {
            return Some(run);
        };
        let later = run.id.clone();
        let earlier = std::mem::replace(&mut self.entries[place], Entry::Queued { run });
        // The earlier run was to replace a pending one; now the later run replaces it.
        if let (Entry::Queued { run: earlier }, Some(Entry::Replaced { by, .. })) =
            (earlier, self.entries.get_mut(place + 1))
            && *by == earlier.id
        {
            *by = later;
        }
        None
    }

    /// Adds a run, and an entry that it replaces a pending one.
    pub(crate) fn queue(&mut self, run: QueuedRun, replaces: Option<ExecutionId>) {
        if let Some((hook, file)) = run.subject() {
            self.queued.insert((hook.clone(), file.to_owned()), self.entries.len());
        }
        let by = run.id.clone();
        self.entries.push(Entry::Queued { run });
        self.entries.extend(replaces.map(|run| Entry::Replaced { run, by }));
    }

    /// Returns the entries.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Drops the entries after they were written.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.queued.clear();
    }
}
