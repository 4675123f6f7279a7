//! The table of `.rawko/config.yaml`.

use config_file::{Field, Object, Shape};

use crate::config::{LogFormat, LogLevel};
use crate::definition::ProviderName;

/// The project's configuration of its agents.
pub(crate) static CONFIG: Object = Object {
    name: "AgentConfig",
    doc: "The project's configuration of its agents; everything in it is optional.",
    fields: &[
        Field::new("version", Shape::Integer(0, u64::MAX), "The format: 1."),
        Field::new("provider", Shape::Object(&PROVIDERS), "Which programs run agents."),
        Field::new("agents", Shape::Object(&AGENTS), "The agents."),
        Field::new("constraints", Shape::Object(&CONSTRAINTS), "What no workflow goes beyond."),
        Field::new("logging", Shape::Object(&LOGGING), "How a run is logged."),
        Field::new("tools", Shape::Object(&TOOLS), "What holds for the tools of every agent."),
    ],
    open: false,
};

static PROVIDERS: Object = Object {
    name: "Providers",
    doc: "Which programs run agents.",
    fields: &[
        Field::new(
            "default",
            Shape::Word(&ProviderName::WORDS),
            "The one for agents that do not name their own.",
        ),
        Field::new(ProviderName::Claude.as_str(), Shape::Object(&SETTINGS), "What is set for Claude Code."),
        Field::new(ProviderName::Copilot.as_str(), Shape::Object(&SETTINGS), "What is set for Copilot CLI."),
        Field::new(ProviderName::Codex.as_str(), Shape::Object(&SETTINGS), "What is set for Codex CLI."),
        Field::new(ProviderName::Gemini.as_str(), Shape::Object(&SETTINGS), "What is set for Gemini CLI."),
        Field::new(
            ProviderName::Command.as_str(),
            Shape::Object(&COMMAND_SETTINGS),
            "What is set for the user's command.",
        ),
    ],
    open: false,
};

const MODEL: Field = Field::new("model", Shape::STRING, "The model.");
const MAX_TOKENS: Field = Field::new("maxTokens", Shape::POSITIVE, "How many tokens an answer may have.");

static SETTINGS: Object = Object {
    name: "ProviderSettings",
    doc: "What is set for one program.",
    fields: &[MODEL, MAX_TOKENS],
    open: false,
};

static COMMAND_SETTINGS: Object = Object {
    name: "CommandSettings",
    doc: "What is set for the user's command.",
    fields: &[
        MODEL,
        MAX_TOKENS,
        Field::new(
            "argv",
            Shape::STRINGS,
            "The program and its arguments, each a text of its own; no shell reads them.",
        ),
    ],
    open: false,
};

static AGENTS: Object = Object {
    name: "Agents",
    doc: "The agents.",
    fields: &[
        Field::new("default", Shape::STRING, "The one that comes first, where nobody says otherwise."),
        Field::new("directory", Shape::STRING, "Their folder, relative to `.rawko/`; `agents` when not set."),
    ],
    open: false,
};

static CONSTRAINTS: Object = Object {
    name: "Constraints",
    doc: "What no workflow goes beyond.",
    fields: &[
        Field::new("maxIterations", Shape::POSITIVE, "Runs of agents in all; 50 when not set."),
        Field::new("maxFailures", Shape::POSITIVE, "Failures in a row; 3 when not set."),
        Field::new("timeoutMs", Shape::POSITIVE, "Time in all, in milliseconds; 600000 when not set."),
    ],
    open: false,
};

static LOGGING: Object = Object {
    name: "Logging",
    doc: "How a run is logged.",
    fields: &[
        Field::new("level", Shape::Word(&LogLevel::WORDS), "How much."),
        Field::new("format", Shape::Word(&LogFormat::WORDS), "How."),
        Field::new(
            "file",
            Shape::STRING,
            "Where to, relative to the workspace; without it `.ai/tmp/agents.log`.",
        ),
    ],
    open: false,
};

static TOOLS: Object = Object {
    name: "ProjectTools",
    doc: "What holds for the tools of every agent.",
    fields: &[
        Field::new("bash", Shape::Object(&BASH), "What holds in the shell."),
        Field::new("custom", Shape::STRINGS, "Tools of the project, which lists of tools may name."),
    ],
    open: false,
};

static BASH: Object = Object {
    name: "ProjectBash",
    doc: "What holds in the shell for every agent.",
    fields: &[Field::new(
        "globalBlockedPatterns",
        Shape::STRINGS,
        "Regular expressions no command of any agent may match.",
    )],
    open: false,
};
