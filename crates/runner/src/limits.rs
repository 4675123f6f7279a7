//! How long a program may run, how long it may take to stop, and how much of its output is kept.

use std::time::Duration;

/// The bounds of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// When this is over the program is stopped.
    pub timeout: Duration,
    /// How long it has between being asked to stop and being killed.
    pub grace: Duration,
    /// How many bytes are kept of each of stdout and stderr.
    pub output: usize,
}

impl Limits {
    /// What a run gets that nobody has set bounds for, except its time.
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
