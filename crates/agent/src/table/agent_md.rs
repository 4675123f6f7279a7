//! The table of `*.agent.md`; hosts have more keys, so any other may stand there.

use config_file::{Field, Object, Shape, Text};

use crate::limits::{MAX_AGENT_DESCRIPTION_LENGTH, MAX_AGENT_ID_LENGTH, MAX_AGENT_NAME_LENGTH};

/// An agent for VS Code, Copilot and the registry.
pub(crate) static AGENT_MD: Object = Object {
    name: "AgentMd",
    doc: "An agent for VS Code, Copilot and the registry.",
    fields: &[
        Field::new(
            "id",
            Shape::Text(
                Text::ANY.at_most(MAX_AGENT_ID_LENGTH, "MAX_AGENT_ID_LENGTH").pattern("^[a-z0-9-]+$"),
            ),
            "Its id; the file's name when not set.",
        ),
        Field::new(
            "name",
            Shape::Text(Text::ANY.at_most(MAX_AGENT_NAME_LENGTH, "MAX_AGENT_NAME_LENGTH")),
            "Its short name; the file's name as a title when not set.",
        ),
        Field::new("fullName", Shape::STRING, "Its full name."),
        Field::new(
            "description",
            Shape::Text(Text::ANY.at_most(MAX_AGENT_DESCRIPTION_LENGTH, "MAX_AGENT_DESCRIPTION_LENGTH")),
            "What it is for; the first paragraph when not set.",
        ),
        Field::new("icon", Shape::STRING, "Its icon."),
        Field::new(
            "commands",
            Shape::list(&Shape::Object(&COMMAND)),
            "What it can be asked to do; `help` is added.",
        ),
        Field::new("resources", Shape::Object(&RESOURCES), "What it can draw on."),
        Field::new("tools", Shape::Any, "The only tools it may use."),
        Field::new("disallowedTools", Shape::Any, "Tools it may not use."),
    ],
    open: true,
};

static COMMAND: Object = Object {
    name: "Command",
    doc: "Something an agent can be asked to do.",
    fields: &[
        Field::required("name", Shape::STRING, "Its name."),
        Field::new("description", Shape::STRING, "What it does."),
        Field::new("tool", Shape::STRING, "The tool behind it."),
        Field::new("parameters", Shape::list(&Shape::Any), "Its parameters."),
    ],
    open: true,
};

static RESOURCES: Object = Object {
    name: "Resources",
    doc: "What an agent can draw on.",
    fields: &[
        Field::new("prompts", Shape::STRINGS, "Prompt templates."),
        Field::new("skills", Shape::STRINGS, "Skills."),
        Field::new("instructions", Shape::STRINGS, "Files with more instructions."),
    ],
    open: true,
};
