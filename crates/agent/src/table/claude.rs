//! The table of Claude Code's agents: the keys that steersman reads.

use config_file::{Field, Object, Shape};

/// An agent of Claude Code.
pub(crate) static CLAUDE: Object = Object {
    name: "ClaudeAgent",
    doc: "An agent of Claude Code.",
    fields: &[
        Field::new("name", Shape::STRING, "Its name; the file's name if not set."),
        Field::new("description", Shape::STRING, "Its purpose; the first paragraph if not set."),
        Field::new("tools", Shape::Any, "The only tools it may use."),
        Field::new("disallowedTools", Shape::Any, "Tools it may not use."),
        Field::new("model", Shape::STRING, "The model; `inherit` means the caller's."),
    ],
    open: true,
};
