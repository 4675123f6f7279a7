//! What an agent is told about a call.

use std::fmt;

/// Whether a call may be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Permission {
    /// The agent's definition has nothing against it.
    Allowed,
    /// The agent's definition forbids it.
    Denied(Denial),
}

/// Why a call may not be made, and what may be done instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// Why, in one sentence.
    pub reason: String,
    /// What the model can do instead.
    pub instead: String,
    /// The rule that says so.
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
    /// The call would change the file that defines its own agent.
    OwnDefinition,
}

impl Permission {
    /// Returns whether the call may be made.
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
