//! What is known of a run: the record of 001 and the states of 000.

use serde::{Deserialize, Serialize};

use crate::{AutomationId, ExecutionId};

/// How a run stands or ended, in the words of 001.
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

/// The step a run is at, in the words of 000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum State {
    /// It waits.
    Pending,
    /// It is seen whether its agent and its runner are there.
    Validating,
    /// Its templates are filled in.
    Replacing,
    /// It is at work.
    Executing,
    /// It is done.
    Success,
    /// It failed, at whichever step.
    Failure,
    /// Its time was up.
    Timeout,
    /// Somebody stopped it.
    Canceled,
}

/// A run, as history keeps it.
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
    /// When its first try began; when it was queued, if none did.
    pub start_ts: String,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_ts: Option<String>,
    /// How it stands or ended.
    pub status: Status,
    /// The step it is at.
    pub state: State,
    /// The exit code of the program that was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// How many tries began.
    pub attempts: u32,
    /// How many of them ended because the engine itself did.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub interruptions: u32,
    /// What set it off, by the trigger's name.
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
    /// What it printed, without secrets, its beginning and end if it is long.
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
    /// All of them, in the order of a run.
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

    /// Returns whether nothing more will happen.
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

    /// Returns what 001 calls it.
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
