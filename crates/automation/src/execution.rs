//! The record of a run (001) and its states (000).

use serde::{Deserialize, Serialize};

use crate::{AutomationId, ExecutionId};

/// The status of a run, in the words of 001.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are all there is to say")]
pub enum Status {
    Queued,
    Running,
    Success,
    Failed,
    Timeout,
    Canceled,
}

/// The state of a run, in the words of 000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum State {
    /// The run is queued.
    Pending,
    /// The engine checks that the agent and the runner exist.
    Validating,
    /// The engine fills in the templates.
    Replacing,
    /// The action runs.
    Executing,
    /// The run succeeded.
    Success,
    /// The run failed, in whichever state.
    Failure,
    /// The run reached its time limit.
    Timeout,
    /// A user cancelled the run.
    Canceled,
}

/// The record of a run in the history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExecutionRecord {
    /// The run.
    pub id: ExecutionId,
    /// The automation.
    pub hook_id: AutomationId,
    /// When it was queued, as ISO 8601.
    pub queued_ts: String,
    /// When its first attempt started; if none did, when it was queued.
    pub start_ts: String,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_ts: Option<String>,
    /// Its status.
    pub status: Status,
    /// Its state.
    pub state: State,
    /// The exit code of its program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// How many attempts started.
    pub attempts: u32,
    /// How many of them were interrupted by the end of the engine.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub interruptions: u32,
    /// The name of its trigger.
    pub trigger: String,
    /// The file it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// How many automations led to it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub chain_depth: u32,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ExecutionFault>,
    /// Its redacted output; of a long one the beginning and the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logs: Option<String>,
}

/// Why a run failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExecutionFault {
    /// A constant for programs, such as `CLI_NOT_INSTALLED`.
    pub code: String,
    /// A sentence for people.
    pub message: String,
}

impl Status {
    /// All of them, in the order in which a run has them.
    pub const ALL: [Self; 6] =
        [Self::Queued, Self::Running, Self::Success, Self::Failed, Self::Timeout, Self::Canceled];

    /// Returns the word used in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Success => "success",
            Self::Failed => "failed",
            Self::Timeout => "timeout",
            Self::Canceled => "canceled",
        }
    }

    /// Returns whether the run has ended.
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::Queued | Self::Running)
    }
}

impl State {
    /// Returns the word used in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "PENDING",
            Self::Validating => "VALIDATING",
            Self::Replacing => "REPLACING",
            Self::Executing => "EXECUTING",
            Self::Success => "SUCCESS",
            Self::Failure => "FAILURE",
            Self::Timeout => "TIMEOUT",
            Self::Canceled => "CANCELED",
        }
    }

    /// Returns the status of 001 for this state.
    pub const fn status(self) -> Status {
        match self {
            Self::Pending => Status::Queued,
            Self::Validating | Self::Replacing | Self::Executing => Status::Running,
            Self::Success => Status::Success,
            Self::Failure => Status::Failed,
            Self::Timeout => Status::Timeout,
            Self::Canceled => Status::Canceled,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}
