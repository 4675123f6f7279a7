//! The closed set of agent programs, and the one table of their names.

use std::fmt;

/// An agent program that fires hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Host {
    /// VS Code's Copilot agent (both its Local harness and the Copilot SDK one).
    VsCode,
    /// Anthropic's Claude Code.
    ClaudeCode,
    /// GitHub's Copilot CLI and cloud agent.
    CopilotCli,
    /// `OpenAI`'s Codex CLI.
    Codex,
    /// Google's Gemini CLI.
    Gemini,
    /// Cursor.
    Cursor,
    /// Alibaba's Qwen Code.
    Qwen,
    /// Not a program: the contract's own words, for tests, scripts and editors.
    Raw,
}

impl Host {
    /// Every host, `raw` last.
    pub const ALL: [Self; 8] = [
        Self::VsCode,
        Self::ClaudeCode,
        Self::CopilotCli,
        Self::Codex,
        Self::Gemini,
        Self::Cursor,
        Self::Qwen,
        Self::Raw,
    ];

    /// Returns the name used on the command line and in journals.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns the name people know it by.
    pub const fn title(self) -> &'static str {
        self.row().1
    }

    /// Finds the host with this command-line name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|host| host.name() == name)
    }

    /// Returns whether a hook sees everything that the agent types into a running command.
    ///
    /// Codex's `write_stdin` fires no event. VS Code's `send_to_terminal` and Copilot's `write_bash`
    /// do; the agents of the other programs cannot type into a command.
    pub const fn announces_typed_input(self) -> bool {
        match self {
            Self::Codex => false,
            Self::VsCode
            | Self::ClaudeCode
            | Self::CopilotCli
            | Self::Gemini
            | Self::Cursor
            | Self::Qwen
            | Self::Raw => true,
        }
    }

    /// Returns whether the host runs a hook in the folder of the call that the hook is about, which the agent
    /// chose, and names that folder as the session's.
    pub const fn runs_hooks_where_calls_run(self) -> bool {
        matches!(self, Self::Codex)
    }

    const fn row(self) -> (&'static str, &'static str) {
        match self {
            Self::VsCode => ("vscode", "VS Code Copilot"),
            Self::ClaudeCode => ("claude-code", "Claude Code"),
            Self::CopilotCli => ("copilot-cli", "Copilot CLI"),
            Self::Codex => ("codex", "Codex"),
            Self::Gemini => ("gemini", "Gemini CLI"),
            Self::Cursor => ("cursor", "Cursor"),
            Self::Qwen => ("qwen", "Qwen Code"),
            Self::Raw => ("raw", "the contract itself"),
        }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
