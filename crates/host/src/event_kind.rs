//! The kinds of host events.

use event::EventName;

use crate::closed_set::closed_set;

closed_set! {
    /// A kind of host event, as finely as its answers differ.
    ///
    /// The contract's eight, and the cases where a host splits one of them in two with different answers.
    pub enum EventKind {
        /// A session begins.
        SessionStart,
        /// The user sent a prompt.
        UserPromptSubmit,
        /// The model wants to call a tool.
        PreToolUse,
        /// Cursor's own gate before a shell command.
        ShellGate,
        /// Cursor's own gate before a tool of an MCP server.
        McpGate,
        /// Cursor's own gate before a file is read.
        ReadGate,
        /// The host is about to ask the user about a tool call.
        PermissionRequest,
        /// A tool call ended.
        PostToolUse,
        /// A tool call failed, on hosts that have a separate event for that.
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
}

impl EventKind {
    /// Returns the contract's event. Returns `None` for an event outside the eight.
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
            Self::PermissionRequest | Self::Other => None,
        }
    }

    /// Returns the plain event kind of an event of the contract.
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

    /// Returns the event kind that a host without this one fires instead.
    pub(crate) const fn plain(self) -> Self {
        match self.event() {
            Some(event) => Self::of(event),
            None => Self::Other,
        }
    }
}
