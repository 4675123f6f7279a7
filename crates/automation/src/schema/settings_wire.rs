//! The shape of the section `automation` of `.ai/hooks/config.json`.

use std::collections::BTreeMap;

use schemars::JsonSchema;

use super::akira_wire::RunnerWire;

/// What holds for all automations of a workspace.
#[derive(JsonSchema)]
#[schemars(rename = "AutomationSettings", rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
pub struct SettingsWire {
    /// Who runs a prompt of an automation that names nobody.
    runner: Option<RunnerWire>,
    /// How many runs of all automations may be at work at once; without it, twice the cores.
    #[schemars(range(min = 1, max = 1000))]
    max_concurrency: Option<u64>,
    /// MCP servers that only automations call, by their names.
    mcp_servers: Option<BTreeMap<String, McpServerWire>>,
}

/// A server that is spoken with over its stdin and stdout.
#[derive(JsonSchema)]
#[schemars(rename = "McpServer", rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
struct McpServerWire {
    /// The program.
    #[schemars(length(min = 1))]
    command: String,
    /// Its arguments.
    args: Option<Vec<String>>,
    /// Further variables of its environment.
    env: Option<BTreeMap<String, String>>,
}
