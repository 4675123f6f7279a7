//! The progress of a workflow.

use std::collections::BTreeMap;
use std::time::Duration;

/// The outcome of one agent run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The agent succeeded.
    Success {
        /// Its output.
        output: String,
    },
    /// The agent failed, timed out or could not be started.
    Failure {
        /// The reason.
        reason: String,
    },
}

/// The progress of a workflow, sufficient to resume it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// The agent that runs or runs next.
    pub agent: String,
    /// The number of runs of each agent.
    pub runs: BTreeMap<String, u64>,
    /// The number of all runs.
    pub n_iterations: u64,
    /// The number of consecutive failures.
    pub failures_in_a_row: u64,
    /// The total duration so far.
    pub elapsed: Duration,
}

impl Progress {
    /// Returns the progress before the first run.
    pub fn from(agent: impl Into<String>) -> Self {
        Self {
            agent: agent.into(),
            runs: BTreeMap::new(),
            n_iterations: 0,
            failures_in_a_row: 0,
            elapsed: Duration::ZERO,
        }
    }

    /// Returns the number of runs of the current agent.
    pub fn runs_of_current(&self) -> u64 {
        self.runs.get(&self.agent).copied().unwrap_or(0)
    }
}
