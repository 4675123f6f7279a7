//! The record of a run (001) and its states (000).

use serde::{Deserialize, Serialize};

use crate::{AutomationId, ExecutionId};

/// The status of a run, with the names of specification 001.
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

/// The state of a run, with the names of specification 000.
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

impl ExecutionRecord {
    /// Returns how long it ran, from the start of its first attempt, in milliseconds. Returns `None` if it did not
    /// start or end.
    pub fn duration_millis(&self) -> Option<u64> {
        if self.attempts == 0 {
            return None;
        }
        let (start, end) = (millis_of(&self.start_ts)?, millis_of(self.end_ts.as_deref()?)?);
        Some(end.saturating_sub(start))
    }

    /// Returns the last line that it printed to stderr, or why it failed if it printed none: a run that could not start
    /// its program printed nothing. Returns `None` if it did neither.
    pub fn error_line(&self) -> Option<&str> {
        self.last_error_line().or_else(|| self.error.as_ref().map(|error| error.message.as_str()))
    }

    /// Returns the last line that it printed to stderr, without warnings about templates.
    pub fn last_error_line(&self) -> Option<&str> {
        let (_, stderr) = self.logs.as_deref()?.rsplit_once("[stderr]\n")?;
        stderr.lines().rev().map(str::trim).find(|line| !line.is_empty() && !line.starts_with("[warning] "))
    }
}

/// Parses the time of a record, in ISO 8601 and UTC.
fn millis_of(iso: &str) -> Option<u64> {
    let number = |from: usize, to: usize| iso.get(from..to)?.parse::<u64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let seconds = number(11, 13)? * 3600 + number(14, 16)? * 60 + number(17, 19)?;
    Some((days_since_1970(year, month, day)? * 86_400 + seconds) * 1000 + number(20, 23)?)
}

/// Counts days in years that start in March, so that a leap day is the last of its year.
fn days_since_1970(year: u64, month: u64, day: u64) -> Option<u64> {
    let (year, month) = if month <= 2 { (year.checked_sub(1)?, month + 9) } else { (year, month - 3) };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day;
    days.checked_sub(719_469)
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

#[cfg(test)]
mod tests {
    use store::Timestamp;

    use super::*;

    #[test]
    fn the_times_of_records_are_read_as_they_are_written() {
        for millis in
            [0, 951_782_399_999, 951_782_400_000, 1_709_251_199_000, 1_740_700_000_123, 4_107_542_400_000]
        {
            assert_eq!(millis_of(&Timestamp::from_millis(millis).to_string()), Some(millis));
        }
        for bad in ["", "now", "2025-02-27", "2025-02-27T23:46:40Z"] {
            assert_eq!(millis_of(bad), None, "{bad}");
        }
    }
}
