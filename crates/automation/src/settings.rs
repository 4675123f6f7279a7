//! The section `automation` of `.ai/hooks/config.json`: settings for all automations of a workspace.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::limits::{DEFAULT_HISTORY_AGE, DEFAULT_HISTORY_MEGABYTES};
use crate::{RunnerChoice, Template};

/// The settings for all automations of a workspace.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WorkspaceSettings {
    /// The runner of automations that name none.
    pub runner: Option<RunnerChoice>,
    /// How many runs of all automations may be active at once; without it, twice the number of cores.
    pub max_concurrency: Option<u32>,
    /// The program and arguments to start when a run failed; none if empty.
    pub on_failure: Vec<Template>,
    /// How long and up to which size rotated journals are kept.
    pub history: HistoryLimits,
    /// MCP servers for automations only, by name.
    pub mcp_servers: Map<String, Value>,
    /// The settings files of agent programs that declare MCP servers, with the servers of each.
    pub host_servers: Vec<(&'static str, Map<String, Value>)>,
}

/// The limits of the rotated journals of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryLimits {
    /// A journal whose last run is older than this is removed.
    pub max_age: Duration,
    /// The oldest journals are removed while all of them together have more bytes.
    pub max_bytes: u64,
}

impl Default for HistoryLimits {
    fn default() -> Self {
        Self { max_age: DEFAULT_HISTORY_AGE, max_bytes: DEFAULT_HISTORY_MEGABYTES << 20 }
    }
}

impl WorkspaceSettings {
    /// The file, relative to the workspace.
    pub const FILE: &str = ".ai/hooks/config.json";
    /// The section's key.
    pub const SECTION: &str = "automation";
}
