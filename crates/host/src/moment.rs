//! Which kind of host event is being answered.

use event::EventName;

/// A kind of host event, as finely as answers to it differ.
///
/// The eight of the contract, and the places where some host splits one of them in
/// two and reads another answer on each half.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Moment {
    /// A session begins.
    SessionStart,
    /// A person sent a prompt.
    UserPromptSubmit,
    /// The model wants to call a tool.
    PreToolUse,
    /// Cursor's own gate before a shell command.
    ShellGate,
    /// Cursor's own gate before a tool of an MCP server.
    McpGate,
    /// Cursor's own gate before a file is read.
    ReadGate,
    /// A tool call ended.
    PostToolUse,
    /// A tool call failed, on hosts that have an event of its own for that.
    PostToolUseFailure,
    /// The context is about to be shortened.
    PreCompact,
    /// The main agent wants to end its turn.
    Stop,
    /// A subagent begins.
    SubagentStart,
    /// A subagent wants to end.
    SubagentStop,
    /// Any event outside the eight.
    Other,
}

impl Moment {
    /// Every moment, in the order of a session.
    pub const ALL: [Self; 13] = [
        Self::SessionStart,
        Self::UserPromptSubmit,
        Self::PreToolUse,
        Self::ShellGate,
        Self::McpGate,
        Self::ReadGate,
        Self::PostToolUse,
        Self::PostToolUseFailure,
        Self::PreCompact,
        Self::Stop,
        Self::SubagentStart,
        Self::SubagentStop,
        Self::Other,
    ];

    /// Returns the event of the contract it stands for; `None` is outside the eight.
    pub const fn event(self) -> Option<EventName> {
        match self {
            Self::SessionStart => Some(EventName::SessionStart),
            Self::UserPromptSubmit => Some(EventName::UserPromptSubmit),
            Self::PreToolUse | Self::ShellGate | Self::McpGate | Self::ReadGate => {
                Some(EventName::PreToolUse)
            }
            Self::PostToolUse | Self::PostToolUseFailure => Some(EventName::PostToolUse),
            Self::PreCompact => Some(EventName::PreCompact),
            Self::Stop => Some(EventName::Stop),
            Self::SubagentStart => Some(EventName::SubagentStart),
            Self::SubagentStop => Some(EventName::SubagentStop),
            Self::Other => None,
        }
    }

    /// Returns the plain moment of an event of the contract.
    pub const fn of(event: EventName) -> Self {
        match event {
            EventName::SessionStart => Self::SessionStart,
            EventName::UserPromptSubmit => Self::UserPromptSubmit,
            EventName::PreToolUse => Self::PreToolUse,
            EventName::PostToolUse => Self::PostToolUse,
            EventName::PreCompact => Self::PreCompact,
            EventName::Stop => Self::Stop,
            EventName::SubagentStart => Self::SubagentStart,
            EventName::SubagentStop => Self::SubagentStop,
        }
    }

    /// Returns the moment a host without this one would have fired instead.
    pub(crate) const fn plain(self) -> Self {
        match self.event() {
            Some(event) => Self::of(event),
            None => Self::Other,
        }
    }
}
