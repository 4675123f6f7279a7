//! Which program a prompt is given to.

use std::collections::BTreeMap;
use std::fmt;

/// How an automation's prompt is run.
///
/// INVARIANT: a prompt is never a shell command. It is the standard input or one argument of
/// a program whose other arguments are fixed in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunnerChoice {
    /// The command line of an agent program.
    Cli(CliRunner),
    /// A fixed command; the prompt is its standard input.
    Command {
        /// The program and its arguments; there is at least the program.
        argv: Vec<String>,
    },
    /// A request to a server; the prompt is in its JSON body.
    Http {
        /// Where it goes.
        url: String,
        /// What goes with it.
        headers: BTreeMap<String, String>,
    },
}

/// The agent programs that can be run without a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are all there is to say")]
pub enum CliRunner {
    Claude,
    Copilot,
    Codex,
    Gemini,
}

impl CliRunner {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Claude, Self::Copilot, Self::Codex, Self::Gemini];

    /// Returns the word used in files, which is also the program's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Copilot => "copilot",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
        }
    }

    /// Finds it by that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|runner| runner.as_str() == word)
    }
}

impl RunnerChoice {
    /// Returns the word for this kind of runner.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Cli(runner) => runner.as_str(),
            Self::Command { .. } => "command",
            Self::Http { .. } => "http",
        }
    }
}

impl fmt::Display for RunnerChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cli(runner) => f.write_str(runner.as_str()),
            Self::Command { argv } => write!(f, "command `{}`", argv.join(" ")),
            Self::Http { url, .. } => write!(f, "http {url}"),
        }
    }
}
