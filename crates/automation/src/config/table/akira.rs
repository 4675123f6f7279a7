//! The table of `.akira/hooks.json`.

use config_file::{Field, Object, Shape, Text};

use super::settings::{
    ALLOW_GIT, CONCURRENCY, ENABLED, ID, METADATA, NAME, PATTERN, RATE, REPO_ROOT, RETRY, RUNNER, SCHEMA,
    SCHEMA_VERSION, SECRET_PATTERNS, TIMEOUT, TIMING, VERSION,
};
use crate::limits::{MAX_AUTOMATIONS, MAX_PROMPT_LENGTH, MAX_TRIGGER_LENGTH};

/// The whole file.
pub(crate) static AKIRA_FILE: Object = Object {
    name: "Automations",
    doc: "Automations in the words of the engine.",
    fields: &[
        SCHEMA,
        SCHEMA_VERSION,
        VERSION,
        Field::required(
            "hooks",
            Shape::List { item: &Shape::Object(&AUTOMATION), least: 0, most: Some(MAX_AUTOMATIONS) },
            "The automations.",
        ),
    ],
    open: false,
};

static AUTOMATION: Object = Object {
    name: "Automation",
    doc: "One automation: when this happens, run that prompt.",
    fields: &[
        ID,
        NAME,
        Field::required(
            "trigger",
            Shape::Text(
                Text::ANY
                    .not_empty()
                    .at_most(MAX_TRIGGER_LENGTH, "MAX_TRIGGER_LENGTH")
                    .pattern("^[A-Za-z0-9._:-]+$"),
            ),
            "What sets it off: `onDidSaveTextDocument`, `onWillSaveTextDocument`, `gitCommit`, `specStatusChange`, one\nof the eight events of agent programs (`Stop`), an operation (`speckit.clarify`,\n`speckit.clarify:before`), or a name of your own that `steersman emit` is called with.",
        ),
        Field::new(
            "timing",
            Shape::Word(&TIMING),
            "For operations: before the agent begins, or after it stops.",
        ),
        PATTERN,
        Field::required(
            "prompt",
            Shape::Text(Text::ANY.not_empty().at_most(MAX_PROMPT_LENGTH, "MAX_PROMPT_LENGTH")),
            "What the runner is asked, with variables such as `{filePath}`.",
        ),
        ENABLED,
        RUNNER,
        CONCURRENCY,
        TIMEOUT,
        RETRY,
        RATE,
        ALLOW_GIT,
        REPO_ROOT,
        SECRET_PATTERNS,
        METADATA,
    ],
    open: false,
};
