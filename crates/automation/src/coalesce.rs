//! One run for many saves: the same automation about the same file within half a second runs
//! once, for the latest of them.
//!
//! Pure logic: whoever uses it hands the clock in. A file that never comes to rest is answered
//! to every few seconds all the same.

use std::collections::HashMap;

use store::Timestamp;

use crate::AutomationId;
use crate::limits::{COALESCE_AT_MOST, COALESCE_WINDOW};
use crate::queue::QueuedRun;

/// Runs that wait for their file to come to rest.
#[derive(Debug, Default)]
pub struct Coalescer {
    waiting: HashMap<(AutomationId, String), Waiting>,
    n_dropped: u64,
}

#[derive(Debug)]
struct Waiting {
    run: QueuedRun,
    first: Timestamp,
    due: Timestamp,
}

impl Coalescer {
    /// Takes a run in. One that is about no file needs not wait and comes back at once.
    pub fn offer(&mut self, run: QueuedRun) -> Option<QueuedRun> {
        let Some((automation, file)) = run.subject() else { return Some(run) };
        let subject = (automation.clone(), file.to_owned());
        let at = run.occurrence.ts;
        let later = |from: Timestamp, by: std::time::Duration| {
            Timestamp::from_millis(from.as_millis().saturating_add(millis(by)))
        };
        let known = self.waiting.get(&subject);
        // A clock that was set back must not make anybody wait for the old time.
        let first = known.map_or(at, |known| known.first.min(at));
        let due = later(at, COALESCE_WINDOW).min(later(first, COALESCE_AT_MOST));
        if let Some(known) = self.waiting.get_mut(&subject) {
            self.n_dropped += 1;
            // The latest occurrence stays; what arrives late was not the latest.
            if at >= known.run.occurrence.ts {
                *known = Waiting { run, first, due };
            }
        } else {
            self.waiting.insert(subject, Waiting { run, first, due });
        }
        None
    }

    /// Returns the runs whose file has come to rest by now, in the order it did.
    pub fn due(&mut self, now: Timestamp) -> Vec<QueuedRun> {
        let (due, waiting) = std::mem::take(&mut self.waiting).into_iter().partition(|(_, it)| it.due <= now);
        self.waiting = waiting;
        let mut due: Vec<_> = HashMap::into_values(due).collect();
        due.sort_by(|one: &Waiting, other| (one.due, &one.run.id).cmp(&(other.due, &other.run.id)));
        due.into_iter().map(|it| it.run).collect()
    }

    /// Returns when the next run is due.
    pub fn next_due(&self) -> Option<Timestamp> {
        self.waiting.values().map(|it| it.due).min()
    }

    /// Returns how many runs wait.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Returns whether none does.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Returns how many runs another one stands for.
    pub const fn n_dropped(&self) -> u64 {
        self.n_dropped
    }
}

fn millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
