//! The table of `.rawko/config.yaml`.

use config_file::{Field, Object, Shape};

use host::AgentCli;

use crate::config::{LogFormat, LogLevel};
use crate::definition::ProviderName;

/// The project's configuration of its agents.
pub(crate) static CONFIG: Object = Object {
    name: "AgentConfig",
    doc: "The project's configuration of its agents; everything in it is optional.",
    fields: &[
        Field::new("version", Shape::Integer(0, u64::MAX), "The format: 1."),
        Field::new("provider", Shape::Object(&PROVIDERS), "The programs that run agents."),
        Field::new("agents", Shape::Object(&AGENTS), "The agents."),
        Field::new("constraints", Shape::Object(&CONSTRAINTS), "The limits of every workflow."),
        Field::new("logging", Shape::Object(&LOGGING), "The log of workflow runs."),
        Field::new("tools", Shape::Object(&TOOLS), "The settings for the tools of every agent."),
    ],
    open: false,
};

static PROVIDERS: Object = Object {
    name: "Providers",
    doc: "The programs that run agents.",
    fields: &[
        Field::new(
            "default",
            Shape::Word(&ProviderName::WORDS),
            "The program for agents that do not name one.",
        ),
        Field::new(
            ProviderName::Cli(AgentCli::Claude).as_str(),
            Shape::Object(&SETTINGS),
            "The settings of Claude Code.",
        ),
        Field::new(
            ProviderName::Cli(AgentCli::Copilot).as_str(),
            Shape::Object(&SETTINGS),
            "The settings of Copilot CLI.",
        ),
        Field::new(
            ProviderName::Cli(AgentCli::Codex).as_str(),
            Shape::Object(&SETTINGS),
            "The settings of Codex CLI.",
        ),
        Field::new(
            ProviderName::Cli(AgentCli::Gemini).as_str(),
            Shape::Object(&SETTINGS),
            "The settings of Gemini CLI.",
        ),
        Field::new(
            ProviderName::Command.as_str(),
            Shape::Object(&COMMAND_SETTINGS),
            "The settings of the user's command.",
        ),
    ],
    open: false,
};

const MODEL: Field = Field::new("model", Shape::STRING, "The model.");
const MAX_TOKENS: Field =
    Field::new("maxTokens", Shape::POSITIVE, "The maximum number of tokens in an answer.");

static SETTINGS: Object = Object {
    name: "ProviderSettings",
    doc: "The settings of one program.",
    fields: &[MODEL, MAX_TOKENS],
    open: false,
};

static COMMAND_SETTINGS: Object = Object {
    name: "CommandSettings",
    doc: "The settings of the user's command.",
    fields: &[
        MODEL,
        MAX_TOKENS,
        Field::new(
            "argv",
            Shape::STRINGS,
            "The program and its arguments, as separate strings; no shell interprets them.",
        ),
    ],
    open: false,
};

static AGENTS: Object = Object {
    name: "Agents",
    doc: "The agents.",
    fields: &[
        Field::new(
            "default",
            Shape::STRING,
            "The first agent of a workflow, unless the command names another.",
        ),
        Field::new("directory", Shape::STRING, "Their folder, relative to `.rawko/`; `agents` if not set."),
    ],
    open: false,
};

static CONSTRAINTS: Object = Object {
    name: "Constraints",
    doc: "The limits of every workflow.",
    fields: &[
        Field::new("maxIterations", Shape::POSITIVE, "The maximum number of agent runs; 50 if not set."),
        Field::new(
            "maxFailures",
            Shape::POSITIVE,
            "The maximum number of consecutive failures; 3 if not set.",
        ),
        Field::new(
            "timeoutMs",
            Shape::POSITIVE,
            "The maximum total duration in milliseconds; 600000 if not set.",
        ),
    ],
    open: false,
};

static LOGGING: Object = Object {
    name: "Logging",
    doc: "The log of workflow runs.",
    fields: &[
        Field::new("level", Shape::Word(&LogLevel::WORDS), "How much."),
        Field::new("format", Shape::Word(&LogFormat::WORDS), "How."),
        Field::new(
            "file",
            Shape::STRING,
            "The file, relative to the workspace; `.ai/tmp/agents.log` if not set.",
        ),
    ],
    open: false,
};

static TOOLS: Object = Object {
    name: "ProjectTools",
    doc: "The settings for the tools of every agent.",
    fields: &[
        Field::new("bash", Shape::Object(&BASH), "The settings for shell commands."),
        Field::new("custom", Shape::STRINGS, "The project's own tools, which tool lists may name."),
    ],
    open: false,
};

static BASH: Object = Object {
    name: "ProjectBash",
    doc: "The settings for shell commands of every agent.",
    fields: &[Field::new(
        "globalBlockedPatterns",
        Shape::STRINGS,
        "Regular expressions that no command of any agent may match.",
    )],
    open: false,
};
