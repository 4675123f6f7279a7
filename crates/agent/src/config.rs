//! The project's configuration of its agents: `.rawko/config.yaml`.

use std::time::Duration;

use config_file::{Word, Words};

use crate::definition::ProviderName;
use crate::pattern::Pattern;

/// The configuration; everything in it has a default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Which programs run agents.
    pub provider: Providers,
    /// The agent that comes first, where nobody says otherwise.
    pub default_agent: Option<String>,
    /// The folder of agents, relative to `.rawko/`.
    pub directory: String,
    /// What no workflow goes beyond.
    pub constraints: Constraints,
    /// How a run is logged.
    pub logging: Logging,
    /// Patterns no shell command of any agent may have.
    pub global_blocked_patterns: Vec<Pattern>,
    /// Tools of the project, which lists of tools may name.
    pub custom_tools: Vec<String>,
}

/// The programs that run agents.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Providers {
    /// The one for agents that do not name their own.
    pub default: Option<ProviderName>,
    /// The program and the words of the provider `command`; empty is none.
    pub command: Vec<String>,
    /// What is set for single ones.
    pub settings: Vec<(ProviderName, ProviderSettings)>,
}

/// What is set for one program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProviderSettings {
    /// The model.
    pub model: Option<String>,
    /// How many tokens an answer may have.
    pub max_tokens: Option<u64>,
}

/// What no workflow goes beyond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Constraints {
    /// Runs of agents in all.
    pub max_iterations: u64,
    /// Failures in a row.
    pub max_failures: u64,
    /// Time in all.
    pub timeout: Duration,
}

/// How a run is logged.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Logging {
    /// How much.
    pub level: Option<LogLevel>,
    /// How.
    pub format: Option<LogFormat>,
    /// Where to, relative to the workspace.
    pub file: Option<String>,
}

/// How much is logged: a level and all that is worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// Everything, also what agents say.
    Debug,
    /// What happens.
    Info,
    /// What is odd.
    Warn,
    /// What failed for good.
    Error,
}

/// How a line of the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// For programs: one object per line.
    Json,
}

impl LogLevel {
    /// All of them, the least first.
    pub const ALL: [Self; 4] = [Self::Debug, Self::Info, Self::Warn, Self::Error];

    /// Their words in files, in the same order.
    pub const WORDS: Words = Words {
        name: "Level",
        doc: "How much is logged.",
        words: &[
            Word::new("debug", "Everything."),
            Word::new("info", "What happens."),
            Word::new("warn", "What is odd."),
            Word::new("error", "What fails."),
        ],
    };

    /// Returns the word used in files.
    pub const fn as_str(self) -> &'static str {
        Self::WORDS.words[self as usize].word
    }
}

impl LogFormat {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Text, Self::Json];

    /// Their words in files, in the same order.
    pub const WORDS: Words = Words {
        name: "LogFormat",
        doc: "How it is logged.",
        words: &[Word::new("text", "For people."), Word::new("json", "For programs.")],
    };

    /// Returns the word used in files.
    pub const fn as_str(self) -> &'static str {
        Self::WORDS.words[self as usize].word
    }
}

impl Default for Constraints {
    fn default() -> Self {
        Self { max_iterations: 50, max_failures: 3, timeout: Duration::from_mins(10) }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            provider: Providers::default(),
            default_agent: None,
            directory: "agents".to_owned(),
            constraints: Constraints::default(),
            logging: Logging::default(),
            global_blocked_patterns: Vec::new(),
            custom_tools: Vec::new(),
        }
    }
}
