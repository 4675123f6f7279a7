//! What the journal of a run says, line by line.
//!
//! INVARIANT: a step's end says how far the workflow has come and who is next, so that a run
//! goes on without judging again what was judged already.

use std::collections::BTreeMap;
use std::time::Duration;

use agent::workflow::{Progress, Step};
use serde::{Deserialize, Serialize};

use crate::answer::Tokens;

/// The format of the lines.
pub(crate) const LINE_FORMAT: u64 = 1;

/// One line of the journal of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordWire {
    /// The format of the line; 1.
    pub v: u64,
    /// Milliseconds since 1970.
    pub ts: u64,
    /// What happened.
    #[serde(flatten)]
    pub record: RunRecord,
}

/// What happened in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
pub enum RunRecord {
    /// A run begins.
    RunStarted {
        /// Its name.
        run_id: String,
        /// What is to be done, without secrets.
        task: String,
        /// The agent that begins.
        first: String,
        /// Who chose it: `--from`, `agents.default`, `arbiter` or `only one`.
        chosen_by: String,
        /// The most steps it may take.
        max_iterations: u64,
        /// The most failures in a row.
        max_failures: u64,
        /// The most time, in milliseconds.
        timeout_ms: u64,
    },
    /// A run goes on after its process ended before it did.
    RunResumed {
        /// The step it goes on with.
        step: u64,
        /// How many processes of the step before had to be ended.
        leftovers: usize,
    },
    /// An agent's program is started.
    StepStarted {
        /// Which step, from 1.
        step: u64,
        /// Whose turn it is.
        agent: String,
        /// Why.
        because: String,
        /// The program it runs in.
        provider: String,
        /// The model, if one is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        /// How long it may take, in milliseconds.
        timeout_ms: u64,
    },
    /// An agent's turn is over.
    StepEnded {
        /// Which step.
        step: u64,
        /// Whose turn it was.
        agent: String,
        /// How it ended.
        outcome: StepOutcome,
        /// What it said or why it failed: without secrets, long texts cut in the middle.
        text: String,
        /// How long it took, in milliseconds.
        ms: u64,
        /// What its program says it has used.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tokens: Option<Tokens>,
        /// Bytes it printed beyond what is kept.
        #[serde(default, skip_serializing_if = "is_zero")]
        left_out: u64,
        /// How far the workflow has come.
        progress: ProgressWire,
        /// What comes next.
        next: NextWire,
    },
    /// The run is over, for good or until it is resumed.
    RunEnded {
        /// `complete`, `failed` or `interrupted`.
        result: RunResult,
        /// Why it failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum StepOutcome {
    /// The agent did what it was asked to.
    Success,
    /// It did not.
    Failure,
    /// Somebody called the run off.
    Interrupted,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RunResult {
    /// It came to `complete`.
    Complete,
    /// It did not.
    Failed,
    /// Somebody called it off; it can be resumed.
    Interrupted,
}

/// How far a workflow has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProgressWire {
    agent: String,
    runs: BTreeMap<String, u64>,
    n_iterations: u64,
    failures_in_a_row: u64,
    elapsed_ms: u64,
}

/// What comes next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum NextWire {
    /// Run this agent.
    Run {
        /// Its name.
        agent: String,
        /// Why it is its turn.
        because: String,
    },
    /// Nothing: done.
    Complete,
    /// Nothing: failed.
    Failed {
        /// Why.
        reason: String,
    },
}

impl ProgressWire {
    pub(crate) fn of(progress: &Progress) -> Self {
        Self {
            agent: progress.agent.clone(),
            runs: progress.runs.clone(),
            n_iterations: progress.n_iterations,
            failures_in_a_row: progress.failures_in_a_row,
            elapsed_ms: u64::try_from(progress.elapsed.as_millis()).unwrap_or(u64::MAX),
        }
    }

    pub(crate) fn progress(&self) -> Progress {
        Progress {
            agent: self.agent.clone(),
            runs: self.runs.clone(),
            n_iterations: self.n_iterations,
            failures_in_a_row: self.failures_in_a_row,
            elapsed: Duration::from_millis(self.elapsed_ms),
        }
    }
}

impl NextWire {
    pub(crate) fn of(step: &Step) -> Self {
        match step {
            Step::Run { agent, because } => Self::Run { agent: agent.clone(), because: because.clone() },
            Step::Complete => Self::Complete,
            Step::Failed(failure) => Self::Failed { reason: failure.to_string() },
        }
    }
}

impl StepOutcome {
    /// Returns the word for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "succeeded",
            Self::Failure => "failed",
            Self::Interrupted => "interrupted",
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}
