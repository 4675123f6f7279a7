//! The verdict of an agent's definition on a call.

use std::fmt;

/// Whether a call is permitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Permission {
    /// The agent's definition permits it.
    Allowed,
    /// The agent's definition forbids it.
    Denied(Denial),
}

/// Why a call is forbidden, and an alternative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// The reason, in one sentence.
    pub reason: String,
    /// The alternative for the model.
    pub instead: String,
    /// The rule that forbids it.
    pub rule: Rule,
}

/// The rule of a definition that forbids a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// `tools.allowed` does not list it.
    Allowed,
    /// `tools.blocked` lists it, by this entry.
    Blocked(String),
    /// `tools.bashFilter.allowedCommands` does not list a program of it.
    AllowedCommands,
    /// A pattern of `tools.bashFilter.blockedPatterns`.
    BlockedPattern(String),
    /// A pattern of the project's `tools.bash.globalBlockedPatterns`.
    GlobalBlockedPattern(String),
    /// The call would change the file that defines the agent itself.
    OwnDefinition,
}

impl Permission {
    /// Returns whether the call is permitted.
    pub fn is_allowed(&self) -> bool {
        matches!(self, Self::Allowed)
    }
}

impl fmt::Display for Denial {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ({}). {}", self.reason, self.rule, self.instead)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Allowed => write!(out, "tools.allowed"),
            Self::Blocked(entry) => write!(out, "tools.blocked: {entry}"),
            Self::AllowedCommands => write!(out, "tools.bashFilter.allowedCommands"),
            Self::BlockedPattern(pattern) => write!(out, "tools.bashFilter.blockedPatterns: {pattern}"),
            Self::GlobalBlockedPattern(pattern) => {
                write!(out, "tools.bash.globalBlockedPatterns: {pattern}")
            }
            Self::OwnDefinition => write!(out, "own-definition"),
        }
    }
}
