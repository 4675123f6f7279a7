//! The table of an agent in the project's own format.

use config_file::{Field, Object, Shape, Text};

use crate::definition::ProviderName;
use crate::limits::MAX_AGENT_NAME_LENGTH;

/// An agent.
pub(crate) static AGENT: Object = Object {
    name: "Agent",
    doc: "An agent: a configured role.",
    fields: &[
        Field::required(
            "name",
            Shape::Text(
                Text::ANY
                    .not_empty()
                    .at_most(MAX_AGENT_NAME_LENGTH, "MAX_AGENT_NAME_LENGTH")
                    .pattern("^[a-zA-Z][a-zA-Z0-9_-]*$"),
            ),
            "The name that other agents use; `complete` is reserved.",
        ),
        Field::new("displayName", Shape::STRING, "The name that users see."),
        Field::new(
            "whenToUse",
            Shape::STRING,
            "The text that tells an arbiter when to choose it. In Markdown: the section `## When to Use`.",
        ),
        Field::required(
            "systemPrompt",
            Shape::Text(Text::ANY.not_empty()),
            "The system prompt. In Markdown: the section `## System Prompt`, or the whole text.",
        ),
        Field::new("tools", Shape::Object(&TOOLS), "The tools it may use."),
        Field::required("transitions", Shape::Object(&TRANSITIONS), "Its successors in a workflow.").hint(
            "add `transitions:` with `onSuccess: complete` below it to end the workflow after this agent",
        ),
        Field::new("limits", Shape::Object(&LIMITS), "Its limits."),
        Field::new(
            "provider",
            Shape::Object(&PROVIDER),
            "The program that runs it, if not the project's default.",
        ),
        Field::new("metadata", Shape::ANY_MAP, "Anything else."),
    ],
    open: false,
};

static TOOLS: Object = Object {
    name: "Tools",
    doc: "The tools that an agent may use.",
    fields: &[
        Field::new(
            "allowed",
            Shape::STRINGS,
            "The only tools it may use: `Read`, `Write`, `Edit`, `Glob`, `Grep`, `Bash`, `WebFetch`, `WebSearch`,\na host's own name, `mcp__server__tool`, `server/*`.",
        ),
        Field::new("blocked", Shape::STRINGS, "Tools it may not use, even if they are allowed."),
        Field::new("bashFilter", Shape::Object(&BASH_FILTER), "The commands it may run in a shell."),
    ],
    open: false,
};

static BASH_FILTER: Object = Object {
    name: "BashFilter",
    doc: "A filter over command lines.",
    fields: &[
        Field::new("allowedCommands", Shape::STRINGS, "The only programs that may run, by their names."),
        Field::new(
            "blockedPatterns",
            Shape::STRINGS,
            "Regular expressions that neither a line nor a command in it may match.",
        ),
    ],
    open: false,
};

static TRANSITIONS: Object = Object {
    name: "Transitions",
    doc: "The successors of an agent in a workflow.",
    fields: &[
        Field::required("onSuccess", Shape::STRING, "After success; `complete` ends the workflow."),
        Field::new("onFailure", Shape::STRING, "After failure; the agent itself if not set."),
        Field::new(
            "onMaxIterations",
            Shape::STRING,
            "If its iteration limit is reached; the workflow fails if not set.",
        ),
        Field::new(
            "custom",
            Shape::array(&Shape::Object(&CUSTOM)),
            "After success, depending on its output; the first that applies.",
        ),
    ],
    open: false,
};

static CUSTOM: Object = Object {
    name: "CustomTransition",
    doc: "A transition that depends on an agent's output.",
    fields: &[
        Field::required(
            "condition",
            Shape::STRING,
            "`output contains '…'`, `output matches '…'` or `output equals '…'`, joined by `and`, `or`, `not`\nand parentheses.",
        ),
        Field::required("target", Shape::STRING, "The next agent, or `complete`."),
    ],
    open: false,
};

static LIMITS: Object = Object {
    name: "Limits",
    doc: "The limits of an agent.",
    fields: &[
        Field::new("maxIterations", Shape::POSITIVE, "The maximum number of runs within one workflow."),
        Field::new("timeout", Shape::POSITIVE, "The maximum duration of one run, in milliseconds."),
        Field::new("maxTokens", Shape::POSITIVE, "The maximum number of tokens in an answer."),
    ],
    open: false,
};

static PROVIDER: Object = Object {
    name: "Provider",
    doc: "A program and a model.",
    fields: &[
        Field::required("name", Shape::Word(&ProviderName::WORDS), "The program."),
        Field::new("model", Shape::STRING, "The model, in the program's spelling."),
    ],
    open: false,
};
