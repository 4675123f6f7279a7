//! Which program runs an agent.

use config_file::{Word, Words};

/// The programs that can run an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ProviderName {
    /// Claude Code.
    Claude,
    /// GitHub Copilot CLI.
    Copilot,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// A command of the user's.
    Command,
}

/// A choice of program and model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider {
    /// The program.
    pub name: ProviderName,
    /// The model, in the program's spelling.
    pub model: Option<String>,
}

impl ProviderName {
    /// Every one of them.
    pub const ALL: [Self; 5] = [Self::Claude, Self::Copilot, Self::Codex, Self::Gemini, Self::Command];

    /// Their names in files, in the same order.
    pub const WORDS: Words = Words {
        name: "ProviderName",
        doc: "The programs that can run an agent.",
        words: &[
            Word::new("claude", "Claude Code."),
            Word::new("copilot", "GitHub Copilot CLI."),
            Word::new("codex", "Codex CLI."),
            Word::new("gemini", "Gemini CLI."),
            Word::new("command", "A command of the user's."),
        ],
    };

    /// Returns its name in files.
    pub const fn as_str(self) -> &'static str {
        Self::WORDS.words[self as usize].word
    }

    /// Returns the one of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == name)
    }
}
