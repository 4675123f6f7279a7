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
            "What other agents call it; `complete` is reserved.",
        ),
        Field::new("displayName", Shape::STRING, "What people call it."),
        Field::new(
            "whenToUse",
            Shape::STRING,
            "What tells an arbiter when to choose it. In Markdown: the section `## When to Use`.",
        ),
        Field::required(
            "systemPrompt",
            Shape::Text(Text::ANY.not_empty()),
            "What the model is told first. In Markdown: the section `## System Prompt`, or the whole text.",
        ),
        Field::new("tools", Shape::Object(&TOOLS), "Which tools it may use."),
        Field::required("transitions", Shape::Object(&TRANSITIONS), "Which agent comes after it.").hint(
            "add `transitions:` with `onSuccess: complete` below it to end the workflow after this agent",
        ),
        Field::new("limits", Shape::Object(&LIMITS), "How long it may go on."),
        Field::new(
            "provider",
            Shape::Object(&PROVIDER),
            "Which program runs it, when the project's default does not.",
        ),
        Field::new("metadata", Shape::ANY_MAP, "Anything else."),
    ],
    open: false,
};

static TOOLS: Object = Object {
    name: "Tools",
    doc: "Which tools an agent may use.",
    fields: &[
        Field::new(
            "allowed",
            Shape::STRINGS,
            "The only tools it may use: `Read`, `Write`, `Edit`, `Glob`, `Grep`, `Bash`, `WebFetch`, `WebSearch`,\na host's own name, `mcp__server__tool`, `server/*`.",
        ),
        Field::new("blocked", Shape::STRINGS, "Tools it may not use, even if they are allowed."),
        Field::new("bashFilter", Shape::Object(&BASH_FILTER), "What it may run in a shell."),
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
            "Regular expressions that must not be found in a line or a command of it.",
        ),
    ],
    open: false,
};

static TRANSITIONS: Object = Object {
    name: "Transitions",
    doc: "Which agent comes after another.",
    fields: &[
        Field::required("onSuccess", Shape::STRING, "After success; `complete` ends the workflow."),
        Field::new("onFailure", Shape::STRING, "After failure; itself when not set."),
        Field::new(
            "onMaxIterations",
            Shape::STRING,
            "When it may not run again; the workflow fails when not set.",
        ),
        Field::new(
            "custom",
            Shape::list(&Shape::Object(&CUSTOM)),
            "After success, by what it said; the first that applies.",
        ),
    ],
    open: false,
};

static CUSTOM: Object = Object {
    name: "CustomTransition",
    doc: "A transition that depends on what an agent said.",
    fields: &[
        Field::required(
            "condition",
            Shape::STRING,
            "`output contains '…'`, `output matches '…'` or `output equals '…'`, joined by `and`, `or`, `not`\nand parentheses.",
        ),
        Field::required("target", Shape::STRING, "The agent that comes next, or `complete`."),
    ],
    open: false,
};

static LIMITS: Object = Object {
    name: "Limits",
    doc: "How long an agent may go on.",
    fields: &[
        Field::new("maxIterations", Shape::POSITIVE, "How often it may run within one workflow."),
        Field::new("timeout", Shape::POSITIVE, "How long one run may take, in milliseconds."),
        Field::new("maxTokens", Shape::POSITIVE, "How many tokens an answer may have."),
    ],
    open: false,
};

static PROVIDER: Object = Object {
    name: "Provider",
    doc: "A choice of program and model.",
    fields: &[
        Field::required("name", Shape::Word(&ProviderName::WORDS), "The program."),
        Field::new("model", Shape::STRING, "The model, in the program's spelling."),
    ],
    open: false,
};
