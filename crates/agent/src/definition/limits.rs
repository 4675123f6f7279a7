//! How long one agent may go on.

use std::time::Duration;

/// The limits of one agent; what is not set is limited by the project alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunLimits {
    /// How often it may run within one workflow.
    pub max_iterations: Option<u64>,
    /// How long one run may take.
    pub timeout: Option<Duration>,
    /// How many tokens an answer may have.
    pub max_tokens: Option<u64>,
}
