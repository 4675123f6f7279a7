//! The deadline for answering one event.

use std::time::{Duration, Instant};

/// The moment by which an answer must be written.
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

    /// Returns the start time.
    pub const fn started(self) -> Instant {
        self.started
    }

    /// Returns the whole time budget.
    pub const fn budget(self) -> Duration {
        self.budget
    }

    /// Returns the time left at `now`; zero once the deadline has passed.
    pub fn left(self, now: Instant) -> Duration {
        self.budget.saturating_sub(now.saturating_duration_since(self.started))
    }

    /// Returns whether the deadline has passed at `now`.
    pub fn has_passed(self, now: Instant) -> bool {
        self.left(now).is_zero()
    }
}
