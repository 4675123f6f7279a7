//! Timeout, grace period and output limit of a run.

use std::time::Duration;

/// The bounds of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The run is stopped after this time.
    pub timeout: Duration,
    /// The time between SIGTERM and SIGKILL.
    pub grace: Duration,
    /// How many bytes of each of stdout and stderr are captured.
    pub output: usize,
}

impl Limits {
    /// Returns the default limits with this timeout.
    #[must_use]
    pub fn with_timeout(timeout: Duration) -> Self {
        Self { timeout, ..Self::default() }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { timeout: Duration::from_mins(1), grace: Duration::from_secs(2), output: 256 * 1024 }
    }
}
