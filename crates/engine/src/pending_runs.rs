//! The pending runs, and which of them may start now.
//!
//! Updated with the changes of the queue, so that the cost of a turn depends on these and not on the
//! length of the queue: of four thousand runs a turn reads the few that started or ended.
//!
//! Moments are on the monotonic clock. WHY: the journal stores by the wall clock when a run may
//! start. If a user sets that clock back by a day, a run with a second left until its retry would
//! be delayed by a day. So the time left is computed once, when the run is first seen pending, and
//! counted down from there.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use automation::limits::MAX_BACKOFF;
use automation::queue::{Changes, QueueState, Stage};
use automation::{AutomationId, ExecutionId};
use store::Timestamp;

/// The pending runs of a queue.
#[derive(Debug, Default)]
pub(crate) struct PendingRuns {
    runs: HashMap<ExecutionId, PendingRun>,
    /// The runs that may start, by automation, in queue order.
    ready: HashMap<AutomationId, BTreeSet<(u64, ExecutionId)>>,
    /// The runs that may start later, by that moment.
    delayed: BTreeSet<(Instant, ExecutionId)>,
    /// The runs that start after another run has ended, by that run.
    followers: HashMap<ExecutionId, BTreeSet<ExecutionId>>,
    /// If set, only this run may start.
    only: Option<ExecutionId>,
}

/// The position and the constraints of a pending run.
#[derive(Debug)]
struct PendingRun {
    place: u64,
    hook: AutomationId,
    /// The runs that must end first.
    waits_for: Vec<ExecutionId>,
    /// The wall-clock time in the journal, and the moment computed from it.
    not_before: Timestamp,
    moment: Instant,
}

impl PendingRuns {
    /// Lets only this run start. Returns whether that changed, so that the caller must update with
    /// [`Changes::Everything`].
    pub(crate) fn set_only(&mut self, run: ExecutionId) -> bool {
        let before = self.only.replace(run);
        before != self.only
    }

    /// Applies changes of the queue and returns the changed runs.
    pub(crate) fn update(
        &mut self,
        changes: Changes,
        queue_state: &QueueState,
        wall: Timestamp,
        now: Instant,
    ) -> Vec<ExecutionId> {
        let ids = match changes {
            Changes::These(runs) => runs,
            Changes::Everything => {
                let gone = self.runs.keys().filter(|id| queue_state.run(id).is_none());
                gone.chain(queue_state.open().map(|run| &run.queued.id)).cloned().collect()
            }
        };
        for id in &ids {
            self.put(id, queue_state, wall, now);
            for follower in self.followers.get(id).cloned().unwrap_or_default() {
                self.put(&follower, queue_state, wall, now);
            }
        }
        while let Some((moment, id)) = self.delayed.pop_first() {
            if now < moment {
                self.delayed.insert((moment, id));
                break;
            }
            if let Some(run) = self.runs.get(&id) {
                self.ready.entry(run.hook.clone()).or_default().insert((run.place, id));
            }
        }
        ids
    }

    /// Returns the automations with runs that may start, each with the place of its first.
    pub(crate) fn hooks(&self) -> impl Iterator<Item = (&AutomationId, u64)> {
        self.ready.iter().filter_map(|(hook, runs)| Some((hook, runs.first()?.0)))
    }

    /// Returns the runs of an automation that may start, in queue order.
    pub(crate) fn ready(&self, hook: &AutomationId) -> impl Iterator<Item = &ExecutionId> {
        self.ready.get(hook).into_iter().flatten().map(|(_, run)| run)
    }

    /// Returns when the next delayed run may start.
    pub(crate) fn next(&self) -> Option<Instant> {
        self.delayed.first().map(|(moment, _)| *moment)
    }

    /// Returns how many runs are pending, for whatever reason.
    pub(crate) fn len(&self) -> usize {
        self.runs.len()
    }

    /// Files a run under its current state; removes it if it is not pending.
    fn put(&mut self, id: &ExecutionId, queue_state: &QueueState, wall: Timestamp, now: Instant) {
        let known = self.take_out(id);
        let Some((run, place)) = queue_state.run(id).zip(queue_state.place(id)) else { return };
        let Stage::Pending { not_before } = run.stage else { return };
        let moment = match known {
            Some(known) if known.not_before == not_before => known.moment,
            _ => now + Duration::from_millis(not_before.millis_since(wall)).min(MAX_BACKOFF),
        };
        let hook = run.queued.hook.clone();
        let waits_for: Vec<ExecutionId> = run.queued.waits_for().cloned().collect();
        for before in &waits_for {
            self.followers.entry(before.clone()).or_default().insert(id.clone());
        }
        let is_blocked = run.cancel_asked
            || run.broken_by.is_some()
            || waits_for.iter().any(|before| queue_state.run(before).is_some())
            || self.only.as_ref().is_some_and(|only| only != id);
        if is_blocked {
            // The end of the cause is a change that files this run again.
        } else if moment <= now {
            self.ready.entry(hook.clone()).or_default().insert((place, id.clone()));
        } else {
            self.delayed.insert((moment, id.clone()));
        }
        self.runs.insert(id.clone(), PendingRun { place, hook, waits_for, not_before, moment });
    }

    fn take_out(&mut self, id: &ExecutionId) -> Option<PendingRun> {
        let run = self.runs.remove(id)?;
        if let Some(ready) = self.ready.get_mut(&run.hook) {
            ready.remove(&(run.place, id.clone()));
            if ready.is_empty() {
                self.ready.remove(&run.hook);
            }
        }
        self.delayed.remove(&(run.moment, id.clone()));
        for before in &run.waits_for {
            if let Some(followers) = self.followers.get_mut(before) {
                followers.remove(id);
                if followers.is_empty() {
                    self.followers.remove(before);
                }
            }
        }
        Some(run)
    }
}

#[cfg(test)]
mod tests;
