//! The record of the checks that ran when an agent wanted to stop, for its writer and all its readers.

use event::{LineKind, named_set};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::EventRecord;

named_set! {
    /// The result of a check.
    pub enum CheckOutcome;
    /// The command exited with 0.
    Passed = "passed",
    /// It exited with another code, or a signal ended it.
    Failed = "failed",
    /// It did not end in time.
    TimedOut = "timed-out",
    /// It may not run.
    Refused = "refused",
    /// It needs the user's permission, which a hook does not have.
    Skipped = "skipped",
    /// It is a sentence for people, not a command.
    Read = "read",
}

impl CheckOutcome {
    /// Returns whether the command ran, so that it would end the same way if it ran again on the same files.
    pub fn is_conclusive(self) -> bool {
        matches!(self, Self::Passed | Self::Failed | Self::TimedOut | Self::Read)
    }

    /// Returns whether the result does not contradict that the work is done.
    pub fn holds(self) -> bool {
        matches!(self, Self::Passed | Self::Read)
    }
}

/// The `data` of a `DONE_CHECKED` line.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DoneCheck {
    /// The intent whose criteria were checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// Whether nothing contradicts that the work is done.
    pub holds: bool,
    /// The checks in the order in which they ran.
    pub checks: Vec<CheckLine>,
    /// The hash of all commands: their text is redacted, so it does not say whether they are the same.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub commands: String,
    /// The failures that were given to the model, as hashes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<String>,
}

/// One check.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CheckLine {
    /// The command.
    pub command: String,
    /// The node of the plan whose validation it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// The name of the [`CheckOutcome`].
    pub result: String,
    /// The reason, in one line.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// How long it took, in milliseconds.
    pub ms: u64,
}

impl DoneCheck {
    /// Reads the record from its line. Returns `None` for another line, and for one that a module emitted.
    pub fn of(line: &EventRecord) -> Option<Self> {
        let is_ours = line.module.is_none() && LineKind::parse(&line.kind) == Some(LineKind::DoneChecked);
        is_ours.then(|| Self::deserialize(&line.data).ok()).flatten()
    }

    /// Returns the `data` of its line.
    pub fn to_data(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(data)) => data,
            _ => Map::new(),
        }
    }

    /// Returns whether every command ran.
    pub fn is_conclusive(&self) -> bool {
        let outcome = |it: &CheckLine| CheckOutcome::parse(&it.result);
        self.checks.iter().all(|it| outcome(it).is_some_and(CheckOutcome::is_conclusive))
    }

    /// Returns the checks that do not hold.
    pub fn failing(&self) -> impl Iterator<Item = &CheckLine> {
        self.checks.iter().filter(|it| !CheckOutcome::parse(&it.result).is_some_and(CheckOutcome::holds))
    }
}
