//! How much time is left for one event.

use std::time::{Duration, Instant};

/// The moment by which an answer has to be out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    started: Instant,
    budget: Duration,
}

impl Deadline {
    /// Returns the deadline `budget` after `started`.
    pub const fn after(started: Instant, budget: Duration) -> Self {
        Self { started, budget }
    }

    /// Returns when the clock began to run.
    pub const fn started(self) -> Instant {
        self.started
    }

    /// Returns how long may be taken in all.
    pub const fn budget(self) -> Duration {
        self.budget
    }

    /// Returns what is left at `now`; nothing once the deadline has passed.
    pub fn left(self, now: Instant) -> Duration {
        self.budget.saturating_sub(now.saturating_duration_since(self.started))
    }

    /// Returns whether the time is up at `now`.
    pub fn has_passed(self, now: Instant) -> bool {
        self.left(now).is_zero()
    }
}
