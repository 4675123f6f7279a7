//! The table of the section `automation` of `.ai/hooks/config.json`.

use config_file::{Field, Object, Shape, Text};

use super::runner::RUNNER_CHOICE;
use crate::limits::MAX_CONCURRENCY;

/// The settings for all automations of a workspace.
pub(crate) static WORKSPACE: Object = Object {
    name: "AutomationSettings",
    doc: "The settings for all automations of a workspace.",
    fields: &[
        Field::new("runner", Shape::Choice(&RUNNER_CHOICE), "The runner of automations that name none."),
        Field::new(
            "maxConcurrency",
            Shape::Integer(1, MAX_CONCURRENCY as u64),
            "How many runs of all automations may be active at once; without it, twice the number of cores.",
        ),
        Field::new(
            "mcpServers",
            Shape::Values(&Shape::Object(&MCP_SERVER)),
            "MCP servers for automations only, by name.",
        ),
    ],
    open: false,
};

/// An MCP server.
pub(crate) static MCP_SERVER: Object = Object {
    name: "McpServer",
    doc: "A server that speaks MCP over its stdin and stdout.",
    fields: &[
        Field::required("command", Shape::Text(Text::ANY.not_empty()), "The program."),
        Field::new("args", Shape::STRINGS, "Its arguments."),
        Field::new("env", Shape::Values(&Shape::STRING), "Further variables of its environment."),
    ],
    open: true,
};
