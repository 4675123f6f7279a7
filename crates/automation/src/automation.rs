//! An automation, from whichever of the two files it comes.

use std::time::Duration;

use serde_json::{Map, Value};
use store::Timestamp;

use crate::limits::{DEFAULT_CONCURRENCY, DEFAULT_TIMEOUT};
use crate::{Action, AutomationId, Retry, RunnerChoice, Trigger};

/// A declared reaction to something that happens.
#[derive(Debug, Clone, PartialEq)]
pub struct Automation {
    /// Its id, unique over both files.
    pub id: AutomationId,
    /// What people call it.
    pub name: Option<String>,
    /// Whether it runs at all.
    pub enabled: bool,
    /// What sets it off.
    pub trigger: Trigger,
    /// What it does.
    pub action: Action,
    /// Who runs its prompt; without it, `automation.runner` of `config.json`.
    pub runner: Option<RunnerChoice>,
    /// How many of its runs may be at work at once; at least 1.
    pub concurrency: u32,
    /// How long a run may take.
    pub timeout: Duration,
    /// How often a failed run is tried again.
    pub retry: Retry,
    /// How many runs may begin within a time.
    pub rate: Option<Rate>,
    /// Regular expressions of further secrets, checked when the file was loaded.
    pub secret_patterns: Vec<String>,
    /// When it was made, as far as the file says so. Automations that one occurrence sets
    /// off run in this order.
    pub created: Option<Timestamp>,
    /// When it was last changed, as far as the file says so.
    pub modified: Option<Timestamp>,
    /// What the project keeps with it for its own use.
    pub metadata: Map<String, Value>,
    /// Where it stands.
    pub origin: Origin,
}

/// At most so many runs within a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// How many; at least 1.
    pub runs: u32,
    /// Within which time.
    pub per: Duration,
}

/// Where an automation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// In which file.
    pub file: SourceFile,
    /// Its place in the file's list, from 0.
    pub index: usize,
    /// The line it begins on, from 1.
    pub line: usize,
}

/// The two files automations come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SourceFile {
    /// `.akira/hooks.json` (001).
    Akira,
    /// `.vscode/gatomia/hooks.json` (000).
    Gatomia,
}

impl SourceFile {
    /// Both, in the order they are read.
    pub const ALL: [Self; 2] = [Self::Akira, Self::Gatomia];
}

impl Automation {
    /// Makes one with the defaults of the documents.
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

    /// Returns what people call it: its name, else its id.
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or(self.id.as_str())
    }
}
