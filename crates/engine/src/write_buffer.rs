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
    /// The index of the latest run of each automation in `entries`, other than batches.
    latest: HashMap<AutomationId, usize>,
    /// The index of the latest batch of each automation in `entries`: a queued run, or files added to one.
    batches: HashMap<AutomationId, usize>,
    /// How many runs of each automation are queued in `entries`, less those that end in it.
    n_more: HashMap<AutomationId, isize>,
}

impl WriteBuffer {
    /// Adds an entry; a queued run added here is never replaced.
    pub(crate) fn push(&mut self, entry: Entry) {
        match &entry {
            Entry::Queued { run } => *self.n_more.entry(run.hook.clone()).or_default() += 1,
            Entry::Finished { record } => *self.n_more.entry(record.hook_id.clone()).or_default() -= 1,
            _ => {}
        }
        self.entries.push(entry);
    }

    /// Returns by how many open runs of an automation these entries change the queue.
    pub(crate) fn n_more(&self, hook: &AutomationId) -> isize {
        self.n_more.get(hook).copied().unwrap_or(0)
    }

    /// Adds the files of a run, and the runs that it needs, to the buffered or pending batch of its automation.
    /// Returns the id of that batch, or the run as an error if no such batch exists.
    pub(crate) fn join_batch(
        &mut self,
        run: QueuedRun,
        pending: Option<&QueuedRun>,
    ) -> Result<ExecutionId, Box<QueuedRun>> {
        let index = self.batches.get(&run.hook).copied();
        match index.and_then(|index| self.entries.get_mut(index)) {
            Some(Entry::Queued { run: batch }) if batch.is_batch_with(&run) => {
                let occurrence = &mut batch.occurrence;
                occurrence.files.extend(run.occurrence.files);
                occurrence.chain = std::mem::take(&mut occurrence.chain).longer(run.occurrence.chain);
                batch.needs.extend(run.needs);
                return Ok(batch.id.clone());
            }
            Some(Entry::Added { run: id, files, needs, chain })
                if pending.is_some_and(|it| it.id == *id && it.is_batch_with(&run)) =>
            {
                files.extend(run.occurrence.files);
                needs.extend(run.needs);
                *chain = std::mem::take(chain).longer(run.occurrence.chain);
                return Ok(id.clone());
            }
            _ => {}
        }
        match pending.filter(|it| it.is_batch_with(&run)) {
            Some(batch) => {
                self.batches.insert(run.hook, self.entries.len());
                self.entries.push(Entry::Added {
                    run: batch.id.clone(),
                    files: run.occurrence.files,
                    needs: run.needs,
                    chain: run.occurrence.chain,
                });
                Ok(batch.id.clone())
            }
            None => Err(Box::new(run)),
        }
    }

    /// Adds entries other than queued runs.
    pub(crate) fn extend(&mut self, entries: impl IntoIterator<Item = Entry>) {
        entries.into_iter().for_each(|entry| self.push(entry));
    }

    /// Replaces the buffered run about the same file. Returns the run if the buffer has no such run.
    pub(crate) fn replace_earlier(&mut self, run: QueuedRun) -> Option<QueuedRun> {
        let subject = run.subject().map(|(hook, file)| (hook.clone(), file.to_owned()));
        match subject.and_then(|subject| self.queued.get(&subject).copied()) {
            Some(place) => self.replace_at(place, run),
            None => Some(run),
        }
    }

    /// Replaces the buffered run of the same automation, whatever it is about. Returns the run if the buffer has
    /// no such run.
    pub(crate) fn replace_any(&mut self, run: QueuedRun) -> Option<QueuedRun> {
        match self.latest.get(&run.hook).copied() {
            Some(place) => self.replace_at(place, run),
            None => Some(run),
        }
    }

    fn replace_at(&mut self, place: usize, run: QueuedRun) -> Option<QueuedRun> {
        let later = run.id.clone();
        let earlier = std::mem::replace(&mut self.entries[place], Entry::Queued { run });
        let Entry::Queued { run: earlier } = earlier else { return None };
        // The earlier run was to replace or to stop others; now the later run does.
        for entry in &mut self.entries[place + 1..] {
            match entry {
                Entry::Replaced { by, .. } | Entry::CancelAsked { by: Some(by), .. } if *by == earlier.id => {
                    *by = later.clone();
                }
                _ => break,
            }
        }
        None
    }

    /// Adds a run, and an entry that it replaces a pending one.
    pub(crate) fn queue(&mut self, run: QueuedRun, replaces: Option<ExecutionId>) {
        if let Some((hook, file)) = run.subject() {
            self.queued.insert((hook.clone(), file.to_owned()), self.entries.len());
        }
        let latest = if run.occurrence.files.is_empty() { &mut self.latest } else { &mut self.batches };
        latest.insert(run.hook.clone(), self.entries.len());
        let by = run.id.clone();
        self.push(Entry::Queued { run });
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
        self.latest.clear();
        self.batches.clear();
        self.n_more.clear();
    }
}
