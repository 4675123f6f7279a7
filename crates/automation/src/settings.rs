//! The section `automation` of `.ai/hooks/config.json`: settings for all automations of a workspace.

use serde_json::{Map, Value};

use crate::RunnerChoice;

/// The settings for all automations of a workspace.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WorkspaceSettings {
    /// The runner of automations that name none.
    pub runner: Option<RunnerChoice>,
    /// How many runs of all automations may be active at once; without it, twice the number of cores.
    pub max_concurrency: Option<u32>,
    /// MCP servers for automations only, by name.
    pub mcp_servers: Map<String, Value>,
    /// The settings files of agent programs that declare MCP servers, with the servers of each.
    pub host_servers: Vec<(&'static str, Map<String, Value>)>,
}

impl WorkspaceSettings {
    /// The file, relative to the workspace.
    pub const FILE: &str = ".ai/hooks/config.json";
    /// The section's key.
    pub const SECTION: &str = "automation";
}
