//! The runs that wait, and which of them may begin now.
//!
//! Kept up to date with what changed, so that a turn costs what happened since the last one and not
//! what waits: of four thousand runs in the queue a turn looks at the few that began or ended.
//!
//! Moments are on a clock that cannot be set. WHY: the journal says by the clock on the wall when a run
//! may begin. If somebody sets that clock back by a day, a run that waits a second for its next try
//! would wait a day. So the time left is read off once, when the run is first seen waiting, and
//! counted down from there.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use automation::limits::MAX_BACKOFF;
use automation::queue::{Changes, Folded, Stage};
use automation::{AutomationId, ExecutionId};
use store::Timestamp;

/// The waiting runs of a queue.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    runs: HashMap<ExecutionId, Standing>,
    /// Those that may begin, by automation, in the order of the queue.
    lines: HashMap<AutomationId, BTreeSet<(u64, ExecutionId)>>,
    /// Those whose time is still to come.
    to_come: BTreeSet<(Instant, ExecutionId)>,
    /// Those that begin after another run has ended, by that run.
    followers: HashMap<ExecutionId, BTreeSet<ExecutionId>>,
    /// The only run that may begin, if there is one.
    only: Option<ExecutionId>,
}

/// Where a waiting run stands.
#[derive(Debug)]
struct Standing {
    place: u64,
    hook: AutomationId,
    after: Option<ExecutionId>,
    /// What the journal says, and what that came to when it was read.
    not_before: Timestamp,
    moment: Instant,
}

impl Waiting {
    /// Lets only this run begin. Returns whether that is news, and everything to be looked at again.
    pub(crate) fn set_only(&mut self, run: ExecutionId) -> bool {
        let before = self.only.replace(run);
        before != self.only
    }

    /// Takes in what changed and returns the runs that did.
    pub(crate) fn update(
        &mut self,
        news: Changes,
        folded: &Folded,
        wall: Timestamp,
        now: Instant,
    ) -> Vec<ExecutionId> {
        let changed = match news {
            Changes::These(runs) => runs,
            Changes::Everything => {
                let gone = self.runs.keys().filter(|id| folded.run(id).is_none());
                gone.chain(folded.open().map(|run| &run.queued.id)).cloned().collect()
            }
        };
        for id in &changed {
            self.put(id, folded, wall, now);
            for follower in self.followers.get(id).cloned().unwrap_or_default() {
                self.put(&follower, folded, wall, now);
            }
        }
        while let Some((moment, id)) = self.to_come.pop_first() {
            if now < moment {
                self.to_come.insert((moment, id));
                break;
            }
            if let Some(standing) = self.runs.get(&id) {
                self.lines.entry(standing.hook.clone()).or_default().insert((standing.place, id));
            }
        }
        changed
    }

    /// Returns the automations of which runs may begin, each with the place of its first.
    pub(crate) fn hooks(&self) -> impl Iterator<Item = (&AutomationId, u64)> {
        self.lines.iter().filter_map(|(hook, line)| Some((hook, line.first()?.0)))
    }

    /// Returns the runs of an automation that may begin, in the order of the queue.
    pub(crate) fn line(&self, hook: &AutomationId) -> impl Iterator<Item = &ExecutionId> {
        self.lines.get(hook).into_iter().flatten().map(|(_, run)| run)
    }

    /// Returns when the time of another run has come.
    pub(crate) fn next(&self) -> Option<Instant> {
        self.to_come.first().map(|(moment, _)| *moment)
    }

    /// Returns how many runs wait, whatever for.
    pub(crate) fn len(&self) -> usize {
        self.runs.len()
    }

    /// Puts a run where it belongs now, which is nowhere if it does not wait.
    fn put(&mut self, id: &ExecutionId, folded: &Folded, wall: Timestamp, now: Instant) {
        let known = self.take_out(id);
        let Some((run, place)) = folded.run(id).zip(folded.place(id)) else { return };
        let Stage::Pending { not_before } = run.stage else { return };
        let moment = match known {
            Some(known) if known.not_before == not_before => known.moment,
            _ => now + Duration::from_millis(not_before.millis_since(wall)).min(MAX_BACKOFF),
        };
        let (hook, after) = (run.queued.hook.clone(), run.queued.after.clone());
        if let Some(before) = &after {
            self.followers.entry(before.clone()).or_default().insert(id.clone());
        }
        let is_held_up = run.cancel_asked
            || after.as_ref().is_some_and(|before| folded.run(before).is_some())
            || self.only.as_ref().is_some_and(|only| only != id);
        if is_held_up {
            // What holds it up is a change of its own when it ends.
        } else if moment <= now {
            self.lines.entry(hook.clone()).or_default().insert((place, id.clone()));
        } else {
            self.to_come.insert((moment, id.clone()));
        }
        self.runs.insert(id.clone(), Standing { place, hook, after, not_before, moment });
    }

    fn take_out(&mut self, id: &ExecutionId) -> Option<Standing> {
        let standing = self.runs.remove(id)?;
        if let Some(line) = self.lines.get_mut(&standing.hook) {
            line.remove(&(standing.place, id.clone()));
            if line.is_empty() {
                self.lines.remove(&standing.hook);
            }
        }
        self.to_come.remove(&(standing.moment, id.clone()));
        if let Some(before) = &standing.after
            && let Some(followers) = self.followers.get_mut(before)
        {
            followers.remove(id);
            if followers.is_empty() {
                self.followers.remove(before);
            }
        }
        Some(standing)
    }
}

#[cfg(test)]
mod tests;
