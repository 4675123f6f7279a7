//! An automation, from either of the two files.

use std::time::Duration;

use serde_json::{Map, Value};
use store::Timestamp;

use crate::limits::{DEFAULT_CONCURRENCY, DEFAULT_TIMEOUT};
use crate::template::{EnvPart, env_parts};
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
    /// The effect of a new occurrence while the maximum number of its runs is active.
    pub on_busy: OnBusy,
    /// Whether one run handles all files that change together.
    pub batch: bool,
    /// The automations that must succeed first if the same occurrence triggers them.
    pub depends_on: Vec<AutomationId>,
    /// The time limit of a run.
    pub timeout: Duration,
    /// The retry policy for failed runs.
    pub retry: Retry,
    /// The rate limit for starting runs.
    pub rate: Option<Rate>,
    /// The files that its program may write, enforced by the kernel.
    pub confine: Option<Confine>,
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

/// The effect of an occurrence while the maximum number of runs of its automation is active.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnBusy {
    /// It queues a run.
    #[default]
    Queue,
    /// It stops the oldest active run and queues a run.
    Restart,
    /// It triggers nothing.
    Skip,
}

impl OnBusy {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Queue, Self::Restart, Self::Skip];

    /// Returns the word used in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queue => "queue",
            Self::Restart => "restart",
            Self::Skip => "skip",
        }
    }
}

/// The confinement of the program of an automation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confine {
    /// The folders and files that it may write, relative to the workspace. Without, the workspace; for an agent whose
    /// tools only read, nothing of it.
    pub write: Option<Vec<String>>,
    /// Whether it reaches the network.
    pub network: bool,
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
            on_busy: OnBusy::Queue,
            batch: false,
            depends_on: Vec::new(),
            timeout: DEFAULT_TIMEOUT,
            retry: Retry::default(),
            rate: None,
            confine: None,
            secret_patterns: Vec::new(),
            created: None,
            modified: None,
            metadata: Map::new(),
            origin,
        }
    }

    /// Returns the names of the environment variables in its command or in the given runner.
    pub fn environment_variables<'a>(&'a self, runner: Option<&'a RunnerChoice>) -> Vec<&'a str> {
        let mut texts: Vec<&str> = match self.runner.as_ref().or(runner) {
            Some(RunnerChoice::Command { argv }) => argv.iter().map(String::as_str).collect(),
            Some(RunnerChoice::Http { url, headers }) => {
                headers.values().map(String::as_str).chain([url.as_str()]).collect()
            }
            Some(RunnerChoice::Cli(_)) | None => Vec::new(),
        };
        if let Action::Command { argv, .. } = &self.action {
            texts.extend(argv.iter().map(crate::Template::as_str));
        }
        let parts = texts.into_iter().flat_map(env_parts);
        let name = |part| match part {
            EnvPart::Variable(name) => Some(name),
            EnvPart::Text(_) => None,
        };
        parts.filter_map(name).collect()
    }

    /// Returns its display name, else its id.
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or(self.id.as_str())
    }
}
