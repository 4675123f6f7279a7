//! The table of the section `automation` of `.ai/hooks/config.json`.

use config_file::{Field, Object, Shape, Text};

use super::runner::RUNNER_CHOICE;
use crate::limits::MAX_CONCURRENCY;

/// What holds for all automations of a workspace.
pub(crate) static WORKSPACE: Object = Object {
    name: "AutomationSettings",
    doc: "What holds for all automations of a workspace.",
    fields: &[
        Field::new(
            "runner",
            Shape::Choice(&RUNNER_CHOICE),
            "Who runs a prompt of an automation that names nobody.",
        ),
        Field::new(
            "maxConcurrency",
            Shape::Integer(1, MAX_CONCURRENCY as u64),
            "How many runs of all automations may be at work at once; without it, twice the cores.",
        ),
        Field::new(
            "mcpServers",
            Shape::Values(&Shape::Object(&MCP_SERVER)),
            "MCP servers that only automations call, by their names.",
        ),
    ],
    open: false,
};

static MCP_SERVER: Object = Object {
    name: "McpServer",
    doc: "A server that is spoken with over its stdin and stdout.",
    fields: &[
        Field::required("command", Shape::Text(Text::ANY.not_empty()), "The program."),
        Field::new("args", Shape::STRINGS, "Its arguments."),
        Field::new("env", Shape::Values(&Shape::STRING), "Further variables of its environment."),
    ],
    open: true,
};
