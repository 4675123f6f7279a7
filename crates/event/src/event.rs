//! One hook event, independent of the agent program that sent it.

use serde_json::Value;

use crate::{EventName, ToolCall};

/// A host's event in host-independent form.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The host's session id; text from a payload, never a path.
    pub session: Option<String>,
    /// The host's working folder.
    pub cwd: Option<String>,
    /// The host's transcript file, if the payload names it.
    pub transcript: Option<String>,
    /// The subagent that raised the event; `None` is the main agent.
    pub agent: Option<Agent>,
    /// The agent's model, if the payload names it.
    pub model: Option<String>,
    /// The host's permission mode (`plan`, `acceptEdits`, …), as the host spells it.
    pub permission_mode: Option<String>,
    /// The host's id of the prompt or turn that the event belongs to.
    pub prompt_id: Option<String>,
    /// When the host raised the event, as the host spells it. Two hooks of one event get the same.
    pub timestamp: Option<String>,
    /// The kind of event and its data.
    pub detail: Detail,
}

/// The subagent of an event, as the host spells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// The host's id of this subagent run, if it has one.
    pub id: Option<String>,
    /// The role the subagent was started as (`Explore`, `default`, …).
    pub kind: Option<String>,
}

/// The kind of event, with the data that only this kind carries.
#[derive(Debug, Clone, PartialEq)]
pub enum Detail {
    /// A session starts; `source` is the host's word for the reason.
    SessionStart {
        /// `startup`, `resume`, `compact`, `new`, …
        source: Option<String>,
    },
    /// A person sent a prompt.
    UserPromptSubmit {
        /// The text of the prompt.
        prompt: String,
    },
    /// The model wants to call a tool.
    PreToolUse {
        /// The call as it would run.
        call: ToolCall,
    },
    /// A tool call ended.
    PostToolUse {
        /// The call as it ran.
        call: ToolCall,
        /// How it ended.
        outcome: Outcome,
    },
    /// The host is about to compact the context.
    PreCompact {
        /// `manual` or `auto`.
        trigger: Option<String>,
        /// The user's instructions for the summary.
        instructions: Option<String>,
    },
    /// The main agent wants to end its turn.
    Stop {
        /// Whether the host reports that a hook has already continued this turn.
        kept_going: bool,
        /// The agent's last message.
        message: Option<String>,
    },
    /// A subagent starts; [`Event::agent`] identifies it.
    SubagentStart,
    /// A subagent wants to end.
    SubagentStop {
        /// Whether the host reports that a hook has already continued this subagent.
        kept_going: bool,
        /// The subagent's last message.
        message: Option<String>,
    },
}

/// How a tool call ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The call ran; `response` is the host's value.
    Done {
        /// In the host's format: a string, an object, or null.
        response: Value,
    },
    /// The call failed or was stopped.
    Failed {
        /// The host's error message.
        error: String,
        /// The result for the model, in the host's format; `None` if the host reports only the message.
        response: Option<Value>,
    },
}

impl Event {
    /// Returns an event with this detail and no other data.
    pub fn of(detail: Detail) -> Self {
        Self {
            session: None,
            cwd: None,
            transcript: None,
            agent: None,
            model: None,
            permission_mode: None,
            prompt_id: None,
            timestamp: None,
            detail,
        }
    }

    /// Returns which of the eight events this is.
    pub fn name(&self) -> EventName {
        match self.detail {
            Detail::SessionStart { .. } => EventName::SessionStart,
            Detail::UserPromptSubmit { .. } => EventName::UserPromptSubmit,
            Detail::PreToolUse { .. } => EventName::PreToolUse,
            Detail::PostToolUse { .. } => EventName::PostToolUse,
            Detail::PreCompact { .. } => EventName::PreCompact,
            Detail::Stop { .. } => EventName::Stop,
            Detail::SubagentStart => EventName::SubagentStart,
            Detail::SubagentStop { .. } => EventName::SubagentStop,
        }
    }

    /// Returns the event's tool call; `None` for events without one.
    pub fn call(&self) -> Option<&ToolCall> {
        match &self.detail {
            Detail::PreToolUse { call } | Detail::PostToolUse { call, .. } => Some(call),
            _ => None,
        }
    }
}
