//! A line of `experience.jsonl`: something a session tried, and what came of it.

use serde::{Deserialize, Serialize};

/// One thing that was asked, tried, failed, fixed, or got in the way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Experience {
    /// The format of the line; 1.
    pub v: u64,
    /// When, in milliseconds since 1970.
    pub ts: u64,
    /// The run it is about.
    pub hook_run_id: String,
    /// The session.
    pub session_id: String,
    /// The piece of work.
    pub work_id: String,
    /// The agent.
    pub agent_id: String,
    /// The turn.
    pub turn_id: u64,
    /// What it is.
    pub kind: ExperienceKind,
    /// The tool, in the host's spelling.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tool: String,
    /// The command or the file it was used on; of a prompt, its hash.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subject: String,
    /// What went wrong, what the objection was, or what the person said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Who objected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// What worked in its place, if it was something else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worked: Option<String>,
    /// Files that were changed; of a fix, those changed since the failure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
}

/// What an experience is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ExperienceKind {
    /// A person asked for something.
    Asked,
    /// It worked.
    Tried,
    /// It failed.
    Failed,
    /// What had failed before worked.
    Fixed,
    /// A module refused it or asked a person about it.
    Friction,
    /// A person set the agent right.
    Corrected,
}

impl Experience {
    /// The format this build writes.
    pub const FORMAT: u64 = 1;

    /// The name of the file in the module's output folder.
    pub const FILE: &'static str = "experience.jsonl";

    /// Reads a line; one of a newer format, or none of ours, is none.
    pub fn parse(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok().filter(|read: &Self| read.v <= Self::FORMAT)
    }
}
