//! The eight moments of an agent's work that a hook can answer to.

use std::fmt;

/// Which moment an event stands for, in the contract's own spelling.
///
/// Hosts have more of them and spell them differently; `host` maps theirs onto
/// these and leaves the rest unanswered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventName {
    /// A session begins, resumes or was compacted.
    SessionStart,
    /// A person sent a prompt.
    UserPromptSubmit,
    /// The model wants to call a tool.
    PreToolUse,
    /// A tool call ended, well or badly.
    PostToolUse,
    /// The host is about to shorten its context.
    PreCompact,
    /// The main agent wants to end its turn.
    Stop,
    /// A subagent begins.
    SubagentStart,
    /// A subagent wants to end.
    SubagentStop,
}

impl EventName {
    /// Every event, in the order of a session.
    pub const ALL: [Self; 8] = [
        Self::SessionStart,
        Self::UserPromptSubmit,
        Self::PreToolUse,
        Self::PostToolUse,
        Self::PreCompact,
        Self::Stop,
        Self::SubagentStart,
        Self::SubagentStop,
    ];

    /// Returns the contract's spelling.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SessionStart => "SessionStart",
            Self::UserPromptSubmit => "UserPromptSubmit",
            Self::PreToolUse => "PreToolUse",
            Self::PostToolUse => "PostToolUse",
            Self::PreCompact => "PreCompact",
            Self::Stop => "Stop",
            Self::SubagentStart => "SubagentStart",
            Self::SubagentStop => "SubagentStop",
        }
    }

    /// Finds the event with exactly this spelling.
    pub fn from_contract(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.as_str() == name)
    }
}

impl fmt::Display for EventName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_finds_its_way_back() {
        for event in EventName::ALL {
            assert_eq!(EventName::from_contract(event.as_str()), Some(event));
        }
        assert_eq!(EventName::from_contract("pretooluse"), None);
    }
}
