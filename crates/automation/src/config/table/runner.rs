//! The table of the runner of a prompt.

use config_file::{Choice, Field, Object, Shape, Text, Union, Variant, Word, Words};

use host::AgentCli;

use super::super::runner::{ARGV, URL};

/// The name of an agent program, or an object with its type.
pub(super) static RUNNER_CHOICE: Choice = Choice {
    name: "Runner",
    doc: "The runner of a prompt.",
    options: &[
        (Shape::Word(&PROGRAMS), "An agent program."),
        (Shape::Union(&RUNNER_SETTINGS), "A runner with settings."),
    ],
};

/// The agent programs.
pub(crate) static PROGRAMS: Words = Words {
    name: "Program",
    doc: "An agent program with a non-interactive mode.",
    words: &[
        Word::new(AgentCli::Claude.as_str(), ""),
        Word::new(AgentCli::Copilot.as_str(), ""),
        Word::new(AgentCli::Codex.as_str(), ""),
        Word::new(AgentCli::Gemini.as_str(), ""),
    ],
};

/// The runners with settings, by their type.
pub(crate) static RUNNER_SETTINGS: Union = Union {
    name: "RunnerSettings",
    doc: "A runner with settings.",
    tag: "type",
    content: None,
    variants: &[
        Variant { word: AgentCli::Claude.as_str(), doc: "", object: &PROGRAM_RUNNER },
        Variant { word: AgentCli::Copilot.as_str(), doc: "", object: &PROGRAM_RUNNER },
        Variant { word: AgentCli::Codex.as_str(), doc: "", object: &PROGRAM_RUNNER },
        Variant { word: AgentCli::Gemini.as_str(), doc: "", object: &PROGRAM_RUNNER },
        Variant {
            word: "command",
            doc: "A fixed command; the prompt is its standard input, and no shell reads it.",
            object: &COMMAND_RUNNER,
        },
        Variant {
            word: "http",
            doc: "A request to a server; the prompt is in its JSON body.",
            object: &HTTP_RUNNER,
        },
    ],
};

static PROGRAM_RUNNER: Object = Object {
    name: "ProgramRunner",
    doc: "",
    fields: &[
        Field::new("model", Shape::Text(Text::ANY.not_empty()), "The model, as the program spells it."),
        Field::new(
            "permissionMode",
            Shape::Text(Text::ANY.not_empty()),
            "What it may do without approval, as the program spells it: `acceptEdits` (claude), `workspace-write`\n(codex), `auto_edit` (gemini).",
        ),
        Field::new("args", Shape::STRINGS, "Further arguments of the program."),
    ],
    open: false,
};

static COMMAND_RUNNER: Object = Object {
    name: "CommandRunner",
    doc: "",
    fields: &[Field::required(
        "command",
        Shape::Array { item: &Shape::STRING, least: 1, most: None },
        "The program and its arguments.",
    )
    .hint(ARGV)],
    open: false,
};

static HTTP_RUNNER: Object = Object {
    name: "HttpRunner",
    doc: "",
    fields: &[
        Field::required("url", Shape::Text(Text::ANY.pattern("^https?://[^/]")), "The URL.").hint(URL),
        Field::new("headers", Shape::Values(&Shape::STRING), "The request headers.")
            .hint("write an object of strings, such as `{\"accept\": \"*/*\"}`"),
    ],
    open: false,
};
