//! The project's configuration of its agents: `.rawko/config.yaml`.

use std::time::Duration;

use config_file::{Word, Words};

use crate::definition::ProviderName;
use crate::pattern::Pattern;

/// The configuration; everything in it has a default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The programs that run agents.
    pub provider: Providers,
    /// The first agent of a workflow, unless the caller names another.
    pub default_agent: Option<String>,
    /// The folder of agents, relative to `.rawko/`.
    pub directory: String,
    /// The limits of every workflow.
    pub constraints: Constraints,
    /// The log of workflow runs.
    pub logging: Logging,
    /// Patterns that no shell command of any agent may match.
    pub global_blocked_patterns: Vec<Pattern>,
    /// The project's own tools, which tool lists may name.
    pub custom_tools: Vec<String>,
}

/// The programs that run agents.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Providers {
    /// The program for agents that do not name one.
    pub default: Option<ProviderName>,
    /// The program and arguments of the provider `command`; empty if not set.
    pub command: Vec<String>,
    /// The settings of single programs.
    pub settings: Vec<(ProviderName, ProviderSettings)>,
}

/// The settings of one program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProviderSettings {
    /// The model.
    pub model: Option<String>,
    /// The maximum number of tokens in an answer.
    pub max_tokens: Option<u64>,
}

/// The limits of every workflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Constraints {
    /// The maximum number of agent runs.
    pub max_iterations: u64,
    /// The maximum number of consecutive failures.
    pub max_failures: u64,
    /// The maximum total duration.
    pub timeout: Duration,
}

/// The log of workflow runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Logging {
    /// The least severe level that is logged.
    pub level: Option<LogLevel>,
    /// The format of its lines.
    pub format: Option<LogFormat>,
    /// The file, relative to the workspace.
    pub file: Option<String>,
}

/// The severity of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// Everything, including the agents' output.
    Debug,
    /// Steps of the workflow.
    Info,
    /// Unexpected events.
    Warn,
    /// Final failures.
    Error,
}

/// The format of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// For programs: one object per line.
    Json,
}

impl LogLevel {
    /// All levels, the least severe first.
    pub const ALL: [Self; 4] = [Self::Debug, Self::Info, Self::Warn, Self::Error];

    /// Their names in files, in the same order.
    pub const WORDS: Words = Words {
        name: "Level",
        doc: "The least severe level that is logged.",
        words: &[
            Word::new("debug", "Everything."),
            Word::new("info", "Every event."),
            Word::new("warn", "Unexpected events."),
            Word::new("error", "Failures."),
        ],
    };

    /// Returns the name used in files.
    pub const fn as_str(self) -> &'static str {
        Self::WORDS.words[self as usize].word
    }
}

impl LogFormat {
    /// All formats.
    pub const ALL: [Self; 2] = [Self::Text, Self::Json];

    /// Their names in files, in the same order.
    pub const WORDS: Words = Words {
        name: "LogFormat",
        doc: "The format of log lines.",
        words: &[Word::new("text", "For people."), Word::new("json", "For programs.")],
    };

    /// Returns the name used in files.
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
