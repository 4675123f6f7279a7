//! What is to be written into the journal, and could not be yet if the disk is full.
//!
//! INVARIANT: takes room for every file that was saved, not for every save, however long the disk is
//! full: a run about a file that nobody has written down yet gives way to a later one about it,
//! as one that waits in the journal does.

use std::collections::HashMap;

use automation::queue::{Entry, QueuedRun};
use automation::{AutomationId, ExecutionId};

/// The entries, in the order in which they are to stand in the journal.
#[derive(Debug, Default)]
pub(crate) struct Unwritten {
    entries: Vec<Entry>,
    /// Where the run about each automation and file stands among them.
    queued: HashMap<(AutomationId, String), usize>,
}

impl Unwritten {
    /// Adds an entry that is no queued run.
    pub(crate) fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// Adds entries that are no queued runs.
    pub(crate) fn extend(&mut self, entries: impl IntoIterator<Item = Entry>) {
        self.entries.extend(entries);
    }

    /// Puts a run into the place of an earlier one about the same file; hands it back if there is none.
    pub(crate) fn replace_earlier(&mut self, run: QueuedRun) -> Option<QueuedRun> {
        let subject = run.subject().map(|(hook, file)| (hook.clone(), file.to_owned()));
        let Some(place) = subject.and_then(|subject| self.queued.get(&subject).copied()) else {
            return Some(run);
        };
        let later = run.id.clone();
        let earlier = std::mem::replace(&mut self.entries[place], Entry::Queued { run });
        // A waiting run that the earlier one was to replace gives way to this one.
        if let (Entry::Queued { run: earlier }, Some(Entry::Replaced { by, .. })) =
            (earlier, self.entries.get_mut(place + 1))
            && *by == earlier.id
        {
            *by = later;
        }
        None
    }

    /// Adds a run, and which waiting one gives way to it.
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

    /// Forgets them: they are written.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.queued.clear();
    }
}
