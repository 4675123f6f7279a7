//! The table of `*.agent.md`; hosts define more keys, so it accepts any other.

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
            "Its id; the file's name if not set.",
        ),
        Field::new(
            "name",
            Shape::Text(Text::ANY.at_most(MAX_AGENT_NAME_LENGTH, "MAX_AGENT_NAME_LENGTH")),
            "Its short name; the file's name as a title if not set.",
        ),
        Field::new("fullName", Shape::STRING, "Its full name."),
        Field::new(
            "description",
            Shape::Text(Text::ANY.at_most(MAX_AGENT_DESCRIPTION_LENGTH, "MAX_AGENT_DESCRIPTION_LENGTH")),
            "Its purpose; the first paragraph if not set.",
        ),
        Field::new("icon", Shape::STRING, "Its icon."),
        Field::new("commands", Shape::array(&Shape::Object(&COMMAND)), "Its commands; `help` is added."),
        Field::new("resources", Shape::Object(&RESOURCES), "Its resources."),
        Field::new("tools", Shape::Any, "The only tools it may use."),
        Field::new("disallowedTools", Shape::Any, "Tools it may not use."),
    ],
    open: true,
};

static COMMAND: Object = Object {
    name: "Command",
    doc: "A command of an agent.",
    fields: &[
        Field::required("name", Shape::STRING, "Its name."),
        Field::new("description", Shape::STRING, "Its description."),
        Field::new("tool", Shape::STRING, "The tool that implements it."),
        Field::new("parameters", Shape::array(&Shape::Any), "Its parameters."),
    ],
    open: true,
};

static RESOURCES: Object = Object {
    name: "Resources",
    doc: "The resources of an agent.",
    fields: &[
        Field::new("prompts", Shape::STRINGS, "Prompt templates."),
        Field::new("skills", Shape::STRINGS, "Skills."),
        Field::new("instructions", Shape::STRINGS, "Files with more instructions."),
    ],
    open: true,
};
