//! One thing that happened in an agent program, whichever program it was.

use serde_json::Value;

use crate::{EventName, ToolCall};

/// A host's event in our own words.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The host's own id of its session; text from a payload, never a path.
    pub session: Option<String>,
    /// The folder the host works in.
    pub cwd: Option<String>,
    /// Where the host keeps the conversation, if it says.
    pub transcript: Option<String>,
    /// The subagent it happened in; `None` is the main agent.
    pub agent: Option<Agent>,
    /// The model behind the agent, if the host says.
    pub model: Option<String>,
    /// The host's own permission mode (`plan`, `acceptEdits`, …), as it spells it.
    pub permission_mode: Option<String>,
    /// What happened.
    pub detail: Detail,
}

/// The subagent an event belongs to, in the host's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// The host's id of this run of the subagent, where it has one.
    pub id: Option<String>,
    /// The role it was started as (`Explore`, `default`, …).
    pub kind: Option<String>,
}

/// What happened, with what only that event carries.
#[derive(Debug, Clone, PartialEq)]
pub enum Detail {
    /// A session begins; `source` is the host's word for why.
    SessionStart {
        /// `startup`, `resume`, `compact`, `new`, …
        source: Option<String>,
    },
    /// A person sent a prompt.
    UserPromptSubmit {
        /// What was typed.
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
    /// The context is about to be shortened.
    PreCompact {
        /// `manual` or `auto`.
        trigger: Option<String>,
        /// What the person asked the summary to keep.
        instructions: Option<String>,
    },
    /// The main agent wants to end its turn.
    Stop {
        /// The host says a hook has already kept this turn going once.
        kept_going: bool,
        /// The last thing the agent said.
        message: Option<String>,
    },
    /// A subagent begins; which one is in [`Event::agent`].
    SubagentStart,
    /// A subagent wants to end.
    SubagentStop {
        /// The host says a hook has already kept this subagent going once.
        kept_going: bool,
        /// The last thing the subagent said.
        message: Option<String>,
    },
}

/// How a tool call ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It ran; `response` is whatever the host hands on.
    Done {
        /// Host-shaped: text, an object, or nothing.
        response: Value,
    },
    /// It failed or was stopped.
    Failed {
        /// What the host says went wrong.
        error: String,
    },
}

impl Event {
    /// Returns an event of which only the detail is known.
    pub fn of(detail: Detail) -> Self {
        Self {
            session: None,
            cwd: None,
            transcript: None,
            agent: None,
            model: None,
            permission_mode: None,
            detail,
        }
    }

    /// Returns which of the eight moments this is.
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

    /// Returns the tool call the event is about, if it is about one.
    pub fn call(&self) -> Option<&ToolCall> {
        match &self.detail {
            Detail::PreToolUse { call } | Detail::PostToolUse { call, .. } => Some(call),
            _ => None,
        }
    }
}
