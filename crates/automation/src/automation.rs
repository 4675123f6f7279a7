//! An automation, from either of the two files.

use std::time::Duration;

use serde_json::{Map, Value};
use store::Timestamp;

use crate::limits::{DEFAULT_CONCURRENCY, DEFAULT_TIMEOUT};
use crate::{Action, AutomationId, Retry, RunnerChoice, Trigger};

/// A declared reaction to a trigger.
#[derive(Debug, Clone, PartialEq)]
pub struct Automation {
    /// Its id, unique over both files.
    pub id: AutomationId,
    /// Its display name.
    pub name: Option<String>,
    /// Whether it runs at all.
    pub enabled: bool,
    /// Its trigger.
    pub trigger: Trigger,
    /// Its action.
    pub action: Action,
    /// The runner of its prompt; without it, `automation.runner` of `config.json`.
    pub runner: Option<RunnerChoice>,
    /// How many of its runs may be active at once; at least 1.
    pub concurrency: u32,
    /// The time limit of a run.
    pub timeout: Duration,
    /// The retry policy for failed runs.
    pub retry: Retry,
    /// The rate limit for starting runs.
    pub rate: Option<Rate>,
    /// Regular expressions of further secrets, checked when the file was loaded.
    pub secret_patterns: Vec<String>,
    /// When it was created, if the file says so. Automations that one occurrence triggers run in
    /// this order.
    pub created: Option<Timestamp>,
    /// When it was last changed, if the file says so.
    pub modified: Option<Timestamp>,
    /// The project's own data.
    pub metadata: Map<String, Value>,
    /// Its place in its file.
    pub origin: Origin,
}

/// A rate limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// How many runs may start; at least 1.
    pub runs: u32,
    /// Within this time.
    pub per: Duration,
}

/// The place of an automation in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The file.
    pub file: SourceFile,
    /// Its index in the file's array, from 0.
    pub index: usize,
    /// Its first line, from 1.
    pub line: usize,
}

/// The two files that declare automations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SourceFile {
    /// `.akira/hooks.json` (001).
    Akira,
    /// `.vscode/gatomia/hooks.json` (000).
    Gatomia,
}

impl SourceFile {
    /// Both, in the order of reading.
    pub const ALL: [Self; 2] = [Self::Akira, Self::Gatomia];
}

impl Automation {
    /// Makes an automation with the documented defaults.
    pub fn new(id: AutomationId, trigger: Trigger, action: Action, origin: Origin) -> Self {
        Self {
            id,
            name: None,
            enabled: true,
            trigger,
            action,
            runner: None,
            concurrency: DEFAULT_CONCURRENCY,
            timeout: DEFAULT_TIMEOUT,
            retry: Retry::default(),
            rate: None,
            secret_patterns: Vec::new(),
            created: None,
            modified: None,
            metadata: Map::new(),
            origin,
        }
    }

    /// Returns its display name, else its id.
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or(self.id.as_str())
    }
}
