//! The agent programs that can run a prompt without a terminal.

use crate::closed_set::closed_set;

closed_set! {
    /// An agent program that takes a prompt on its command line or on stdin.
    pub enum AgentCli {
        /// Claude Code.
        Claude,
        /// GitHub Copilot CLI.
        Copilot,
        /// Codex CLI.
        Codex,
        /// Gemini CLI.
        Gemini,
    }
}

impl AgentCli {
    /// Returns the name in configuration files, which is also the program's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Copilot => "copilot",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
        }
    }

    /// Returns the program with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_to_its_program() {
        for cli in AgentCli::ALL {
            assert_eq!(AgentCli::from_name(cli.as_str()), Some(cli));
        }
        assert_eq!(AgentCli::from_name("sh"), None);
    }
}
