//! The eight hook events.

use std::fmt;

/// The name of an event in the contract's spelling.
///
/// Hosts have more events and spell them differently; `host` maps theirs onto these
/// and leaves the rest unanswered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventName {
    /// A session starts, resumes or was compacted.
    SessionStart,
    /// A person sent a prompt.
    UserPromptSubmit,
    /// The model wants to call a tool.
    PreToolUse,
    /// A tool call ended, successfully or not.
    PostToolUse,
    /// The host is about to compact its context.
    PreCompact,
    /// The main agent wants to end its turn.
    Stop,
    /// A subagent starts.
    SubagentStart,
    /// A subagent wants to end.
    SubagentStop,
}

impl EventName {
    /// Every event, in the order in which a session raises them.
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

    /// Returns the event with exactly this spelling.
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
