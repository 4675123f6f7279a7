//! The table of the section `automation` of `.ai/hooks/config.json`.

use config_file::{DefaultValue, Field, Object, Shape, Text};

use super::runner::RUNNER_CHOICE;
use crate::limits::{DEFAULT_HISTORY_AGE, DEFAULT_HISTORY_MEGABYTES, MAX_CONCURRENCY};

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
            "onFailure",
            Shape::STRINGS,
            "A program and its arguments, started when a run has failed or timed out: `[\"notify-send\", \"{hookId}\", \"{error}\"]`.\nVariables: `hookId`, `name`, `runId`, `status`, `error`, `file`.",
        ),
        Field::new("history", Shape::Object(&HISTORY), "How long ended runs are kept."),
        Field::new(
            "mcpServers",
            Shape::Values(&Shape::Object(&MCP_SERVER)),
            "MCP servers for automations only, by name.",
        ),
    ],
    open: false,
};

static HISTORY: Object = Object {
    name: "HistoryLimits",
    doc: "How long ended runs are kept, and up to which size.",
    fields: &[
        Field::new("maxAgeDays", Shape::POSITIVE, "Rotated journals without a later run are removed.")
            .default(DefaultValue::Integer(DEFAULT_HISTORY_AGE.as_secs() / 86_400)),
        Field::new(
            "maxMegabytes",
            Shape::POSITIVE,
            "The oldest rotated journals are removed while all of them together are larger.",
        )
        .default(DefaultValue::Integer(DEFAULT_HISTORY_MEGABYTES)),
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
