//! The table of Claude Code's own agents: the keys that have a place of their own here.

use config_file::{Field, Object, Shape};

/// An agent of Claude Code.
pub(crate) static CLAUDE: Object = Object {
    name: "ClaudeAgent",
    doc: "An agent of Claude Code.",
    fields: &[
        Field::new("name", Shape::STRING, "Its name; the file's name when not set."),
        Field::new("description", Shape::STRING, "What it is for; the first paragraph when not set."),
        Field::new("tools", Shape::Any, "The only tools it may use."),
        Field::new("disallowedTools", Shape::Any, "Tools it may not use."),
        Field::new("model", Shape::STRING, "The model; `inherit` is the caller's."),
    ],
    open: true,
};
