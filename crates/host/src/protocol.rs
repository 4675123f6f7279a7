//! The wire protocols: one per set of rules about what is sent and what is read.

use crate::{Host, Moment, claude_code, codex, copilot, cursor, gemini, qwen, raw, vscode};

/// A way of talking. A host has one or two, and two hosts share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Protocol {
    /// VS Code's own (the Local harness).
    VsCodeLocal,
    /// Claude Code's.
    ClaudeCode,
    /// Copilot's when hooks are registered under camelCase keys; also what VS Code's
    /// Agent Host passes on.
    CopilotCamel,
    /// Copilot's when hooks are registered under `PascalCase` keys.
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

/// How long a text may be before the host cuts it or refuses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limit {
    /// No limit is known.
    Unknown,
    /// So many UTF-16 units, which is what JavaScript calls characters.
    Utf16(usize),
    /// So many bytes.
    Bytes(usize),
}

impl Protocol {
    /// Every protocol, in the order of [`Host::ALL`].
    pub const ALL: [Self; 9] = [
        Self::VsCodeLocal,
        Self::ClaudeCode,
        Self::CopilotCamel,
        Self::CopilotPascal,
        Self::Codex,
        Self::Gemini,
        Self::Cursor,
        Self::Qwen,
        Self::Raw,
    ];

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

    /// Returns what a host speaks when its payload does not tell.
    ///
    /// WHY: for Copilot the `PascalCase` one, whose answers carry the flat fields too.
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

    /// Returns the moment a host means by this event name, in its own spelling.
    pub(crate) fn moment(self, name: &str) -> Option<(&'static str, Moment)> {
        self.events().iter().find(|(spelling, _)| *spelling == name).copied()
    }

    /// Returns how the host spells this moment, if it has it.
    pub(crate) fn spelling(self, moment: Moment) -> Option<&'static str> {
        let found = |wanted| self.events().iter().find(|(_, moment)| *moment == wanted);
        found(moment).or_else(|| found(moment.plain())).map(|(spelling, _)| *spelling)
    }

    /// Returns every event name this protocol is known to send, and what it means.
    pub(crate) const fn events(self) -> &'static [(&'static str, Moment)] {
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

    /// Returns whether a changed input can only be sent as part of an allow.
    pub(crate) const fn rewrite_is_allow(self) -> bool {
        matches!(self, Self::Codex)
    }
}
