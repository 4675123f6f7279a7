//! The closed set of agent programs, and the table of their names.

use std::fmt;

use crate::closed_set::closed_set;

closed_set! {
    /// An agent program that fires hooks.
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
        /// Not a program: the contract's own format, for tests, scripts and editors.
        Raw,
    }
}

impl Host {
    /// Returns the name used on the command line and in journals.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns the name for users.
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
    /// do; agents of other programs cannot type into a command.
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

    /// Returns whether the host runs the commands of a session in one shell, which keeps functions, aliases and variables.
    ///
    /// Copilot CLI's `bash` runs in the shell of its `shellId`, VS Code's `run_in_terminal` in a shared terminal. The
    /// others start a shell for each command.
    pub const fn keeps_shell(self) -> bool {
        match self {
            Self::CopilotCli | Self::VsCode => true,
            Self::ClaudeCode | Self::Codex | Self::Gemini | Self::Cursor | Self::Qwen | Self::Raw => false,
        }
    }

    /// Returns whether the host runs a hook in the folder of its call, which the agent chose, and
    /// reports that folder as the session's.
    pub const fn runs_hooks_where_calls_run(self) -> bool {
        match self {
            Self::Codex => true,
            Self::VsCode
            | Self::ClaudeCode
            | Self::CopilotCli
            | Self::Gemini
            | Self::Cursor
            | Self::Qwen
            | Self::Raw => false,
        }
    }

    /// Returns whether the host fires `PermissionRequest` when it is about to ask its user, and an answer there saves the
    /// prompt. Copilot CLI reads the answer to the event before the call instead.
    pub const fn announces_prompts(self) -> bool {
        match self {
            Self::ClaudeCode | Self::Codex | Self::Qwen => true,
            Self::VsCode | Self::CopilotCli | Self::Gemini | Self::Cursor | Self::Raw => false,
        }
    }

    /// Returns whether the host gives a subagent a session id of its own, next to the id of its parent.
    pub const fn subagents_are_sessions(self) -> bool {
        match self {
            // VS Code's Agent Host forwards Copilot's payloads.
            Self::CopilotCli | Self::VsCode | Self::Cursor => true,
            Self::ClaudeCode | Self::Codex | Self::Gemini | Self::Qwen | Self::Raw => false,
        }
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
