//! The table of `.akira/hooks.json`.

use config_file::{Field, Object, Shape, Text};

use super::settings::{
    ALLOW_GIT, BATCH, CONCURRENCY, CONFINE, CRON, DEPENDS_ON, ENABLED, EVERY, ID, METADATA, NAME, ON_BUSY,
    PATTERN, RATE, REPO_ROOT, RETRY, RUNNER, SCHEMA, SCHEMA_VERSION, SECRET_PATTERNS, TIMEOUT, TIMING,
    VERSION,
};
use crate::limits::{MAX_AUTOMATIONS, MAX_PROMPT_LENGTH, MAX_TRIGGER_LENGTH};

/// The whole file.
pub(crate) static AKIRA_FILE: Object = Object {
    name: "Automations",
    doc: "Automations in the format of the automation engine.",
    fields: &[
        SCHEMA,
        SCHEMA_VERSION,
        VERSION,
        Field::required(
            "hooks",
            Shape::Array { item: &Shape::Object(&AUTOMATION), least: 0, most: Some(MAX_AUTOMATIONS) },
            "The automations.",
        ),
    ],
    open: false,
};

static AUTOMATION: Object = Object {
    name: "Automation",
    doc: "One automation: a trigger and the prompt to run.",
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
            "The trigger: `onDidSaveTextDocument`, `onWillSaveTextDocument`, `onDidCreateFiles`, `onDidDeleteFiles`,\n`onDidRenameFiles`, `gitCommit`, `specStatusChange`, `schedule` with `every` or `cron`, one\nof the eight events of agent programs (`Stop`), an operation (`speckit.clarify`,\n`speckit.clarify:before`), or your own name for `steersman emit`.",
        ),
        Field::new(
            "timing",
            Shape::Word(&TIMING),
            "For operations: before the agent starts, or after it stops.",
        ),
        PATTERN,
        BATCH,
        EVERY,
        CRON,
        Field::required(
            "prompt",
            Shape::Text(Text::ANY.not_empty().at_most(MAX_PROMPT_LENGTH, "MAX_PROMPT_LENGTH")),
            "The prompt, with variables such as `{filePath}`.",
        ),
        ENABLED,
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
    ],
    open: false,
};
