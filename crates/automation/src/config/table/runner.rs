//! Who runs a prompt.

use config_file::{Choice, Field, Object, Shape, Text, Union, Variant, Word, Words};

use crate::CliRunner;

/// The name of an agent program, or an object with its type.
pub(super) static RUNNER_CHOICE: Choice = Choice {
    name: "Runner",
    doc: "Who runs a prompt.",
    options: &[
        (Shape::Word(&PROGRAMS), "An agent program."),
        (Shape::Union(&RUNNER_SETTINGS), "A runner with settings."),
    ],
};

/// The agent programs.
pub(crate) static PROGRAMS: Words = Words {
    name: "Program",
    doc: "An agent program that can be run without a screen.",
    words: &[
        Word::new(CliRunner::Claude.as_str(), ""),
        Word::new(CliRunner::Copilot.as_str(), ""),
        Word::new(CliRunner::Codex.as_str(), ""),
        Word::new(CliRunner::Gemini.as_str(), ""),
    ],
};

static RUNNER_SETTINGS: Union = Union {
    name: "RunnerSettings",
    doc: "A runner with settings.",
    tag: "type",
    content: None,
    variants: &[
        Variant { word: CliRunner::Claude.as_str(), doc: "", object: &NO_SETTINGS },
        Variant { word: CliRunner::Copilot.as_str(), doc: "", object: &NO_SETTINGS },
        Variant { word: CliRunner::Codex.as_str(), doc: "", object: &NO_SETTINGS },
        Variant { word: CliRunner::Gemini.as_str(), doc: "", object: &NO_SETTINGS },
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

static NO_SETTINGS: Object = Object { name: "ProgramRunner", doc: "", fields: &[], open: false };

/// A fixed command.
pub(crate) static COMMAND_RUNNER: Object = Object {
    name: "CommandRunner",
    doc: "",
    fields: &[Field::required(
        "command",
        Shape::List { item: &Shape::STRING, least: 1, most: None },
        "The program and its arguments.",
    )],
    open: false,
};

/// A request to a server.
pub(crate) static HTTP_RUNNER: Object = Object {
    name: "HttpRunner",
    doc: "",
    fields: &[
        Field::required("url", Shape::Text(Text::ANY.pattern("^https?://[^/]")), "Where it goes."),
        Field::new("headers", Shape::Values(&Shape::STRING), "What goes with it."),
    ],
    open: false,
};
