//! When a waiting run may begin, on a clock that cannot be set.
//!
//! WHY: the journal says when by the clock on the wall. If somebody sets that clock back by a
//! day, a run that waits a second for its next try would wait a day. So the time left is read
//! off once, when the run is first seen waiting, and counted down from there.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use automation::ExecutionId;
use automation::limits::MAX_BACKOFF;
use automation::queue::{Folded, Stage};
use store::Timestamp;

/// The moments at which waiting runs may begin.
#[derive(Debug, Default)]
pub(crate) struct Due {
    moments: HashMap<ExecutionId, (Timestamp, Instant)>,
}

impl Due {
    /// Looks at what is waiting now.
    pub(crate) fn look(&mut self, folded: &Folded, wall: Timestamp, now: Instant) {
        let mut moments = HashMap::with_capacity(folded.n_open());
        for run in folded.open() {
            let Stage::Pending { not_before } = run.stage else { continue };
            let known = self.moments.remove(&run.queued.id).filter(|(then, _)| *then == not_before);
            let moment = known.unwrap_or_else(|| {
                let left = Duration::from_millis(not_before.millis_since(wall)).min(MAX_BACKOFF);
                (not_before, now + left)
            });
            moments.insert(run.queued.id.clone(), moment);
        }
        self.moments = moments;
    }

    /// Returns whether the run may begin.
    pub(crate) fn has_come(&self, run: &ExecutionId, now: Instant) -> bool {
        self.moments.get(run).is_some_and(|(_, moment)| *moment <= now)
    }

    /// Returns the next moment that is still to come.
    pub(crate) fn next(&self, now: Instant) -> Option<Instant> {
        self.moments.values().map(|(_, moment)| *moment).filter(|moment| *moment > now).min()
    }
}

#[cfg(test)]
mod tests {
    use automation::queue::{Entry, Line, QueuedRun};
    use automation::{AutomationId, ExecutionFault, Occurrence, What};

    use super::*;

    #[test]
    fn a_clock_that_is_set_back_does_not_hold_a_run_up() {
        let noon = Timestamp::from_millis(1_800_000_000_000);
        let second_later = Timestamp::from_millis(noon.as_millis() + 1000);
        let hook = AutomationId::new("a").unwrap();
        let run = QueuedRun::new(noon, hook, Occurrence::new(noon, What::FileSaved { path: "a".into() }));
        let id = run.id.clone();
        let mut folded = Folded::default();
        folded.add(Line::new(noon, Entry::Queued { run }));
        folded.add(Line::new(noon, Entry::Started { run: id.clone(), attempt: 1, process: 1 }));
        let error = ExecutionFault { code: "X".into(), message: "x".into() };
        folded.add(Line::new(noon, Entry::Failed { run: id.clone(), error, retry_at: second_later }));

        let (mut due, now) = (Due::default(), Instant::now());
        due.look(&folded, noon, now);
        assert!(!due.has_come(&id, now));
        let day_before = Timestamp::from_millis(noon.as_millis() - 86_400_000);
        let then = now + Duration::from_secs(1);
        due.look(&folded, day_before, then);
        assert!(due.has_come(&id, then));
    }
}
