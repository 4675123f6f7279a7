//! A line of `experience.jsonl`: an attempt of a session, and its outcome.

use serde::{Deserialize, Serialize};

/// A request, an attempt, a failure, a fix, a refusal or a correction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Experience {
    /// The format of the line; 1.
    pub v: u64,
    /// When, in milliseconds since 1970.
    pub ts: u64,
    /// The run that recorded it.
    pub hook_run_id: String,
    /// The session.
    pub session_id: String,
    /// The work id.
    pub work_id: String,
    /// The agent.
    pub agent_id: String,
    /// The turn.
    pub turn_id: u64,
    /// The kind of experience.
    pub kind: ExperienceKind,
    /// The tool, in the host's spelling.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tool: String,
    /// The command or file the tool was used on; for a prompt, its hash.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subject: String,
    /// The error, the objection, or the user's words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The module that objected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The command that worked instead, if it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worked: Option<String>,
    /// The changed files; for a fix, those changed since the failure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
}

/// The kind of an experience.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ExperienceKind {
    /// The user asked for something.
    Asked,
    /// A call succeeded.
    Tried,
    /// A call failed.
    Failed,
    /// A call succeeded that had failed before.
    Fixed,
    /// A module refused a call or asked the user about it.
    Friction,
    /// The user corrected the agent.
    Corrected,
}

impl Experience {
    /// The format this build writes.
    pub const FORMAT: u64 = 1;

    /// The name of the file in the module's output folder.
    pub const FILE: &'static str = "experience.jsonl";

    /// Parses a line. Returns `None` for a malformed line or a newer format.
    pub fn parse(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok().filter(|read: &Self| read.v <= Self::FORMAT)
    }
}
