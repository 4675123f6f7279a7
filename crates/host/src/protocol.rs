//! The wire protocols: the rules for payloads and answers.

use crate::closed_set::closed_set;
use crate::{EventKind, Host, claude_code, codex, copilot, cursor, gemini, qwen, raw, vscode};

closed_set! {
    /// A wire protocol. A host has one or two, and two hosts share one.
    pub enum Protocol {
        /// VS Code's own (the Local harness).
        VsCodeLocal,
        /// Claude Code's.
        ClaudeCode,
        /// Copilot's if hooks are registered under camelCase keys; VS Code's Agent Host forwards it too.
        CopilotCamel,
        /// Copilot's if hooks are registered under `PascalCase` keys.
        CopilotPascal,
        /// Codex's.
        Codex,
        /// Gemini CLI's.
        Gemini,
        /// Cursor's.
        Cursor,
        /// Qwen Code's.
        Qwen,
        /// The contract's own.
        Raw,
    }
}

/// The maximum length of a string before the host cuts or rejects it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limit {
    /// No limit is known.
    Unknown,
    /// This many UTF-16 units, which JavaScript calls characters.
    Utf16(usize),
    /// This many bytes.
    Bytes(usize),
}

impl Protocol {
    /// Returns the name used in tables and journals.
    pub const fn name(self) -> &'static str {
        match self {
            Self::VsCodeLocal => "vscode",
            Self::ClaudeCode => "claude-code",
            Self::CopilotCamel => "copilot-cli (camelCase)",
            Self::CopilotPascal => "copilot-cli (PascalCase)",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Cursor => "cursor",
            Self::Qwen => "qwen",
            Self::Raw => "raw",
        }
    }

    /// Returns the host it belongs to.
    pub const fn host(self) -> Host {
        match self {
            Self::VsCodeLocal => Host::VsCode,
            Self::ClaudeCode => Host::ClaudeCode,
            Self::CopilotCamel | Self::CopilotPascal => Host::CopilotCli,
            Self::Codex => Host::Codex,
            Self::Gemini => Host::Gemini,
            Self::Cursor => Host::Cursor,
            Self::Qwen => Host::Qwen,
            Self::Raw => Host::Raw,
        }
    }

    /// Returns the protocol of a host's payloads with flat camelCase fields; `None` if it has none.
    pub(crate) const fn flat(host: Host) -> Option<Self> {
        match host {
            Host::VsCode | Host::CopilotCli => Some(Self::CopilotCamel),
            Host::ClaudeCode | Host::Codex | Host::Gemini | Host::Cursor | Host::Qwen | Host::Raw => None,
        }
    }

    /// Returns the protocol of a host whose payload does not reveal it.
    ///
    /// WHY `PascalCase` for Copilot: its answers contain the flat fields too.
    pub const fn usual(host: Host) -> Self {
        match host {
            Host::VsCode => Self::VsCodeLocal,
            Host::ClaudeCode => Self::ClaudeCode,
            Host::CopilotCli => Self::CopilotPascal,
            Host::Codex => Self::Codex,
            Host::Gemini => Self::Gemini,
            Host::Cursor => Self::Cursor,
            Host::Qwen => Self::Qwen,
            Host::Raw => Self::Raw,
        }
    }

    /// Returns the event kind of an event name in the host's spelling.
    pub(crate) fn event_kind(self, name: &str) -> Option<(&'static str, EventKind)> {
        self.events().iter().find(|(spelling, _)| *spelling == name).copied()
    }

    /// Returns the host's name for this event kind. Returns `None` if it has no such event.
    pub(crate) fn spelling(self, event_kind: EventKind) -> Option<&'static str> {
        let found = |wanted| self.events().iter().find(|(_, event_kind)| *event_kind == wanted);
        found(event_kind).or_else(|| found(event_kind.plain())).map(|(spelling, _)| *spelling)
    }

    /// Returns all known event names of this protocol with their event kinds.
    pub(crate) const fn events(self) -> &'static [(&'static str, EventKind)] {
        match self {
            Self::VsCodeLocal => vscode::EVENTS,
            Self::ClaudeCode => claude_code::EVENTS,
            Self::CopilotCamel => copilot::CAMEL_EVENTS,
            Self::CopilotPascal => copilot::PASCAL_EVENTS,
            Self::Codex => codex::EVENTS,
            Self::Gemini => gemini::EVENTS,
            Self::Cursor => cursor::EVENTS,
            Self::Qwen => qwen::EVENTS,
            Self::Raw => raw::EVENTS,
        }
    }

    pub(crate) const fn limit(self) -> Limit {
        match self {
            Self::ClaudeCode => Limit::Utf16(10_000),
            Self::CopilotCamel | Self::CopilotPascal => Limit::Bytes(10_000),
            _ => Limit::Unknown,
        }
    }

    /// Returns whether the host shows and runs the original call after a question, although the answer
    /// changes its input.
    pub(crate) const fn asks_about_original(self) -> bool {
        matches!(self, Self::CopilotCamel | Self::CopilotPascal)
    }

    /// Returns whether a changed input is sent only as part of an allow.
    pub(crate) const fn rewrite_is_allow(self) -> bool {
        matches!(self, Self::Codex)
    }
}
