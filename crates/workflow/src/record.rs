//! The lines of a run's journal.
//!
//! INVARIANT: the line of a step's end holds the progress and the next step, so that a resumed
//! run does not decide again.

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
    /// The event.
    #[serde(flatten)]
    pub record: RunRecord,
}

/// An event of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
pub enum RunRecord {
    /// A run starts.
    RunStarted {
        /// The id of the run.
        run_id: String,
        /// The task, redacted.
        task: String,
        /// The first agent.
        first: String,
        /// The source of that choice: `--from`, `agents.default`, `arbiter` or `only one`.
        chosen_by: String,
        /// The maximum number of steps.
        max_iterations: u64,
        /// The maximum number of consecutive failures.
        max_failures: u64,
        /// The timeout of the run, in milliseconds.
        timeout_ms: u64,
    },
    /// A run resumes after its process ended before the run did.
    RunResumed {
        /// The step at which it resumes.
        step: u64,
        /// How many processes of the interrupted step were killed.
        leftovers: usize,
    },
    /// A step starts.
    StepStarted {
        /// The number of the step, from 1.
        step: u64,
        /// The agent of the step.
        agent: String,
        /// The reason for choosing this agent.
        because: String,
        /// The agent's program.
        provider: String,
        /// The model, if configured.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        /// The timeout of the step, in milliseconds.
        timeout_ms: u64,
    },
    /// A step has ended.
    StepEnded {
        /// The number of the step.
        step: u64,
        /// The agent of the step.
        agent: String,
        /// How it ended.
        outcome: StepOutcome,
        /// The answer or the failure: redacted, long texts cut in the middle.
        text: String,
        /// The duration in milliseconds.
        ms: u64,
        /// The token usage that the program reports.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tokens: Option<Tokens>,
        /// Bytes of output beyond the captured part.
        #[serde(default, skip_serializing_if = "is_zero")]
        left_out: u64,
        /// The progress of the workflow.
        progress: ProgressWire,
        /// The next step.
        next: NextWire,
    },
    /// The run has ended; an interrupted run can be resumed.
    RunEnded {
        /// `complete`, `failed` or `interrupted`.
        result: RunResult,
        /// The reason for the failure.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum StepOutcome {
    /// The agent completed its task.
    Success,
    /// The agent failed.
    Failure,
    /// The run was cancelled.
    Interrupted,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RunResult {
    /// The workflow reached `complete`.
    Complete,
    /// The workflow failed.
    Failed,
    /// The run was cancelled; it can be resumed.
    Interrupted,
}

/// The progress of a workflow.
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

/// The next step of a workflow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum NextWire {
    /// Run this agent.
    Run {
        /// The name of the agent.
        agent: String,
        /// The reason for choosing this agent.
        because: String,
    },
    /// The workflow is complete.
    Complete,
    /// The workflow has failed.
    Failed {
        /// The reason.
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
    /// Returns the outcome as a word for people.
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
