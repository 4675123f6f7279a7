//! Queues the runs that an occurrence triggers: what a busy automation does with them, and batches of files.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use automation::queue::{Entry, QueuedRun, Run};
use automation::{AutomationId, ExecutionId, OnBusy};

use super::Engine;
use crate::end_entry;
use crate::ending::Ending;
use crate::run_event::RunEvent;

impl Engine {
    /// Buffers the runs of one occurrence and the entries about refused ones.
    pub(super) fn queue_all(&mut self, runs: Vec<QueuedRun>, refusals: Vec<Entry>) {
        for entry in refusals {
            self.end(entry);
        }
        let mut skipped: HashSet<ExecutionId> = HashSet::new();
        // The batch that each of these runs became a part of: the later runs wait for that batch instead.
        let mut joined: HashMap<ExecutionId, ExecutionId> = HashMap::new();
        for run in runs {
            let mut run = self.without_secrets(run);
            for before in run.after.iter_mut().chain(&mut run.needs) {
                if let Some(batch) = joined.get(before) {
                    *before = batch.clone();
                }
            }
            if run.needs.iter().any(|it| skipped.contains(it)) {
                skipped.insert(run.id.clone());
                self.skip(
                    run,
                    Ending::skipped("DEPENDENCY_FAILED", "an automation it depends on was skipped"),
                );
            } else if self.skips(&run) {
                skipped.insert(run.id.clone());
                self.skip(run, Ending::skipped("SKIPPED", "the automation was busy"));
            } else {
                let id = run.id.clone();
                joined.extend(self.queue_run(run).map(|batch| (id, batch)));
            }
        }
    }

    /// Returns whether an automation is busy and skips the run for that.
    fn skips(&self, run: &QueuedRun) -> bool {
        let Some(loaded) = self.automations.get(&run.hook) else { return false };
        loaded.automation.on_busy == OnBusy::Skip
            && self.n_open(&run.hook) >= concurrency(loaded.automation.concurrency)
    }

    /// Returns how many runs of an automation are queued or active, those in the buffer included.
    fn n_open(&self, hook: &AutomationId) -> usize {
        self.queue.state().open_of(hook).count().saturating_add_signed(self.buffer.n_more(hook))
    }

    /// Records a run that does not start.
    fn skip(&mut self, run: QueuedRun, ending: Ending) {
        let now = store::now();
        let ended = end_entry::of_attempt(&Run::newly_queued(now, run.clone()), None, ending, now);
        self.metrics.skipped += 1;
        self.buffer.push(Entry::Queued { run });
        self.end(ended);
    }

    /// Buffers an entry and, if it ends a run, counts and reports that.
    pub(super) fn end(&mut self, entry: Entry) {
        if let Entry::Finished { record } = &entry {
            self.metrics.count_end(&record.hook_id, record.status);
            self.events.push(RunEvent::Ended(record.clone()));
        }
        self.buffer.push(entry);
    }

    /// Queues a run. Returns the batch that it became a part of, if it did.
    fn queue_run(&mut self, run: QueuedRun) -> Option<ExecutionId> {
        let on_busy = self.automations.get(&run.hook).map_or(OnBusy::Queue, |it| it.automation.on_busy);
        if !run.occurrence.files.is_empty() {
            self.batches.touch(run.hook.clone(), Instant::now());
            return self.queue_batch(run, on_busy);
        }
        let run = match on_busy {
            // Only the latest of several events counts.
            OnBusy::Restart => self.buffer.replace_any(run),
            OnBusy::Queue | OnBusy::Skip => self.buffer.replace_earlier(run),
        };
        let Some(run) = run else {
            self.metrics.coalesced += 1;
            return None;
        };
        let earlier = self.queue.state().pending_about(&run).filter(|it| it.attempts == 0);
        let replaced = earlier.map(|earlier| earlier.queued.id.clone());
        self.metrics.replaced += u64::from(replaced.is_some());
        let restarted =
            if on_busy == OnBusy::Restart { self.stopped_for(&run, replaced.as_ref()) } else { Vec::new() };
        self.buffer.queue(run, replaced);
        self.buffer.extend(restarted);
        None
    }

    /// Adds the files of a run to the pending batch of its automation and returns that batch, or queues the run as
    /// a new batch.
    fn queue_batch(&mut self, run: QueuedRun, on_busy: OnBusy) -> Option<ExecutionId> {
        let is_free =
            |it: &&Run| it.is_pending() && it.attempts == 0 && !it.cancel_asked && it.broken_by.is_none();
        let pending = self.queue.state().open_of(&run.hook).rev().find(is_free).map(|it| &it.queued);
        let mut run = match self.buffer.join_batch(run, pending) {
            Ok(batch) => {
                self.metrics.coalesced += 1;
                return Some(batch);
            }
            Err(run) => *run,
        };
        let stopped = if on_busy == OnBusy::Restart { self.stopped_for(&run, None) } else { Vec::new() };
        // The stopped run may not have come to all its files.
        for entry in &stopped {
            if let Entry::CancelAsked { run: id, .. } | Entry::Replaced { run: id, .. } = entry
                && let Some(active) = self.queue.state().run(id)
            {
                run.occurrence.files.extend(active.queued.occurrence.files.iter().cloned());
                run.needs.extend(active.queued.needs.iter().cloned());
            }
        }
        self.buffer.queue(run, None);
        self.buffer.extend(stopped);
        None
    }

    /// Returns the entries that stop the runs which a new run restarts: all that are pending, and the oldest active
    /// ones beyond the limit. One write has them and the new run, so that a kill does not leave both.
    fn stopped_for(&self, run: &QueuedRun, replaced: Option<&ExecutionId>) -> Vec<Entry> {
        let Some(loaded) = self.automations.get(&run.hook) else { return Vec::new() };
        let state = self.queue.state();
        let open = || state.open_of(&run.hook).filter(|it| !it.cancel_asked);
        let pending = open().filter(|it| it.is_pending() && Some(&it.queued.id) != replaced);
        let by = || run.id.clone();
        let mut entries: Vec<Entry> =
            pending.map(|it| Entry::Replaced { run: it.queued.id.clone(), by: by() }).collect();
        let active: Vec<&Run> =
            open().filter(|it| !it.is_pending() && self.active.contains_key(&it.queued.id)).collect();
        let n_stopped = (active.len() + 1).saturating_sub(concurrency(loaded.automation.concurrency));
        let oldest = active.into_iter().take(n_stopped);
        entries.extend(oldest.map(|it| Entry::CancelAsked { run: it.queued.id.clone(), by: Some(by()) }));
        entries
    }

    /// Returns the run without the secrets of its automation in the names and the data of its occurrence.
    fn without_secrets(&self, run: QueuedRun) -> QueuedRun {
        let loaded = self.automations.get(&run.hook).filter(|it| !it.automation.secret_patterns.is_empty());
        // A filter that cannot be made fails the run before it does anything.
        match loaded.and_then(|it| it.filter().ok()) {
            Some(filter) => QueuedRun { occurrence: run.occurrence.without_secrets(filter), ..run },
            None => run,
        }
    }
}

fn concurrency(limit: u32) -> usize {
    usize::try_from(limit).unwrap_or(usize::MAX)
}
