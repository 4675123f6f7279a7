//! The table of `.vscode/gatomia/hooks.json`.

#[cfg(feature = "schema")]
use config_file::Choice;
use config_file::{Field, Object, Shape, Word, Words};

use super::action::ACTION;
use super::settings::{
    ALLOW_GIT, BATCH, CONCURRENCY, CONFINE, CRON, DEPENDS_ON, ENABLED, EVERY, ID, METADATA, NAME, ON_BUSY,
    PATTERN, RATE, REPO_ROOT, RETRY, RUNNER, SCHEMA, SCHEMA_VERSION, SECRET_PATTERNS, TIMEOUT, TIMING,
    VERSION,
};
use crate::limits::MAX_AUTOMATIONS;
use crate::{Operation, SpecAgent, Trigger};

/// The operation of a saved file.
pub(crate) const FILE_SAVE: &str = "file-save";
/// The operation of a specification whose status changed.
pub(crate) const SPEC_STATUS: &str = "spec-status-change";
/// The operations of files that appear, disappear or are renamed.
pub(crate) const FILE_CREATE: &str = "file-create";
/// See [`FILE_CREATE`].
pub(crate) const FILE_DELETE: &str = "file-delete";
/// See [`FILE_CREATE`].
pub(crate) const FILE_RENAME: &str = "file-rename";
const GIT_COMMIT: &str = "git-commit";

/// The whole file: an array, or an array in a frame.
#[cfg(feature = "schema")]
pub(crate) static GATOMIA: Choice = Choice {
    name: "CustomHooks",
    doc: "Automations in the format of custom agent hooks: an array, or an object with the array and a version.",
    options: &[
        (Shape::array(&Shape::Object(&HOOK)), "Only the array."),
        (Shape::Object(&GATOMIA_FRAME), "The array with a version."),
    ],
};

/// The array with a version.
pub(crate) static GATOMIA_FRAME: Object = Object {
    name: "Frame",
    doc: "The array with a version.",
    fields: &[
        SCHEMA,
        VERSION,
        SCHEMA_VERSION,
        Field::required(
            "hooks",
            Shape::Array { item: &Shape::Object(&HOOK), least: 0, most: Some(MAX_AUTOMATIONS) },
            "The automations.",
        ),
    ],
    open: false,
};

const MOMENT: Shape = Shape::Integer(0, u64::MAX);

static HOOK: Object = Object {
    name: "Hook",
    doc: "One automation.",
    fields: &[
        ID,
        NAME,
        ENABLED,
        Field::required("trigger", Shape::Object(&TRIGGER), "Its trigger."),
        PATTERN,
        BATCH,
        EVERY,
        CRON,
        Field::required("action", Shape::Union(&ACTION), "Its action."),
        RUNNER,
        CONCURRENCY,
        ON_BUSY,
        DEPENDS_ON,
        TIMEOUT,
        RETRY,
        RATE,
        CONFINE,
        ALLOW_GIT,
        REPO_ROOT,
        SECRET_PATTERNS,
        METADATA,
        Field::new(
            "createdAt",
            MOMENT,
            "When it was created, in milliseconds since 1970; automations of one trigger run in this order.",
        ),
        Field::new("modifiedAt", MOMENT, "When it was last changed, in milliseconds since 1970."),
        Field::new("lastExecutedAt", MOMENT, "Written by editors; steersman ignores it."),
        Field::new("executionCount", MOMENT, "Written by editors; steersman ignores it."),
        Field::new("lastExecutionStatus", Shape::STRING, "Written by editors; steersman ignores it."),
    ],
    open: false,
};

static TRIGGER: Object = Object {
    name: "Trigger",
    doc: "The trigger of an automation.",
    fields: &[
        Field::required("agent", Shape::Word(&AGENTS), "The agent of the operation."),
        Field::required(
            "operation",
            Shape::Word(&OPERATIONS),
            "For `speckit` and `openspec` one of the fourteen operations; for `workspace` one of the last seven.",
        ),
        Field::new("timing", Shape::Word(&TIMING), "Before the agent starts, or after it stops."),
    ],
    open: false,
};

static AGENTS: Words = Words {
    name: "Agent",
    doc: "",
    words: &[
        Word::new(SpecAgent::SpecKit.as_str(), ""),
        Word::new(SpecAgent::OpenSpec.as_str(), ""),
        Word::new("workspace", ""),
    ],
};

static OPERATIONS: Words = Words { name: "Operation", doc: "", words: &OPERATION_WORDS };

/// The operations of the specification agents, then those of the workspace.
const OPERATION_WORDS: [Word; Operation::ALL.len() + WORKSPACE_OPERATIONS.len()] = {
    let mut words = [Word::new("", ""); Operation::ALL.len() + WORKSPACE_OPERATIONS.len()];
    let mut index = 0;
    while index < Operation::ALL.len() {
        words[index] = Word::new(Operation::ALL[index].as_str(), "");
        index += 1;
    }
    let mut own = 0;
    while own < WORKSPACE_OPERATIONS.len() {
        words[index + own] = Word::new(WORKSPACE_OPERATIONS[own], "");
        own += 1;
    }
    words
};

const WORKSPACE_OPERATIONS: [&str; 7] =
    [FILE_SAVE, SPEC_STATUS, GIT_COMMIT, FILE_CREATE, FILE_DELETE, FILE_RENAME, Trigger::SCHEDULE];
