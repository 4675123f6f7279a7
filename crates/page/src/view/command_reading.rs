//! The reading of a command line: its commands, their files, and the guard's findings.

use serde::Serialize;

/// The reading of a command line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CommandReading {
    /// The command line.
    pub command: String,
    /// The class of the strongest command.
    pub class: String,
    /// Further effects: network, elevated privileges, fetched code.
    pub traits: Vec<String>,
    /// The guard's verdict: `allow`, `ask` or `deny`.
    pub verdict: String,
    /// The commands, in the order in which they were found.
    pub commands: Vec<ReadCommand>,
    /// The files of redirections without a command.
    pub redirections: Vec<PathsOfVerb>,
    /// Where the reading stopped, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped_at: Option<String>,
    /// The parts that cannot be known, each with the reason.
    pub unknown: Vec<String>,
    /// The rules that the line meets.
    pub findings: Vec<GuardFinding>,
}

/// A command of the line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReadCommand {
    /// Its words.
    pub text: String,
    /// Where it was found, through which wrappers, and its class.
    pub notes: Vec<String>,
    /// Its files.
    pub files: Vec<PathsOfVerb>,
}

/// The files that a command treats alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PathsOfVerb {
    /// `reads`, `writes`, `creates` or `deletes`.
    pub verb: String,
    /// The paths.
    pub paths: Vec<String>,
}

/// A rule that the line meets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GuardFinding {
    /// The rule.
    pub rule: String,
    /// `ask` or `deny`.
    pub level: String,
    /// The finding.
    pub text: String,
    /// The alternative.
    pub hint: String,
}
