//! The programs that run agents.

use config_file::{Word, Words};
use host::AgentCli;

/// A program that can run an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ProviderName {
    /// An agent program.
    Cli(AgentCli),
    /// A command that the user configures.
    Command,
}

/// A program and a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider {
    /// The program.
    pub name: ProviderName,
    /// The model, in the program's spelling.
    pub model: Option<String>,
}

impl ProviderName {
    /// All programs.
    pub const ALL: [Self; 5] = [
        Self::Cli(AgentCli::Claude),
        Self::Cli(AgentCli::Copilot),
        Self::Cli(AgentCli::Codex),
        Self::Cli(AgentCli::Gemini),
        Self::Command,
    ];

    /// Their names in files, in the same order.
    pub const WORDS: Words = Words {
        name: "ProviderName",
        doc: "The programs that can run an agent.",
        words: &[
            Word::new(AgentCli::Claude.as_str(), "Claude Code."),
            Word::new(AgentCli::Copilot.as_str(), "GitHub Copilot CLI."),
            Word::new(AgentCli::Codex.as_str(), "Codex CLI."),
            Word::new(AgentCli::Gemini.as_str(), "Gemini CLI."),
            Word::new(Self::Command.as_str(), "A command that the user configures."),
        ],
    };

    /// Returns the name used in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cli(cli) => cli.as_str(),
            Self::Command => "command",
        }
    }

    /// Returns the agent program. Returns `None` for the user's command.
    pub const fn cli(self) -> Option<AgentCli> {
        match self {
            Self::Cli(cli) => Some(cli),
            Self::Command => None,
        }
    }

    /// Returns the program with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == name)
    }
}
