//! How far a workflow has come.

use std::collections::BTreeMap;
use std::time::Duration;

/// What came of one run of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It did what it was asked to, and said this.
    Success {
        /// What it said.
        output: String,
    },
    /// It did not: it failed, ran out of time or could not be started.
    Failure {
        /// Why.
        reason: String,
    },
}

/// How far a workflow has come; all that is needed to go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// The agent that runs or is about to.
    pub agent: String,
    /// How often each agent has run.
    pub runs: BTreeMap<String, u64>,
    /// How often any has.
    pub n_iterations: u64,
    /// How many of the last runs failed, without a success between them.
    pub failures_in_a_row: u64,
    /// How long it has taken so far.
    pub elapsed: Duration,
}

impl Progress {
    /// Returns that of a workflow in which nothing has run yet.
    pub fn from(agent: impl Into<String>) -> Self {
        Self {
            agent: agent.into(),
            runs: BTreeMap::new(),
            n_iterations: 0,
            failures_in_a_row: 0,
            elapsed: Duration::ZERO,
        }
    }

    /// Returns how often the current agent has run.
    pub fn runs_of_current(&self) -> u64 {
        self.runs.get(&self.agent).copied().unwrap_or(0)
    }
}
