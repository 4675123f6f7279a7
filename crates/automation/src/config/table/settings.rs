//! The keys that automations of both files share, and those of the frame around their arrays.

use std::time::Duration;

use config_file::{Choice, DefaultValue, Field, Object, Shape, Text, Word, Words};

use super::runner::RUNNER_CHOICE;
use crate::limits::{
    DEFAULT_BACKOFF, DEFAULT_BACKOFF_FACTOR, DEFAULT_CONCURRENCY, DEFAULT_TIMEOUT, MAX_BACKOFF,
    MAX_CONCURRENCY, MAX_DEPENDENCIES, MAX_HOOK_NAME_LENGTH, MAX_ID_LENGTH, MAX_RETRIES, MAX_TIMEOUT,
    MIN_TIMEOUT,
};
use crate::{OnBusy, Timing};

pub(super) const SCHEMA: Field = Field::new("$schema", Shape::STRING, "The URL of this schema, for editors.");
pub(super) const SCHEMA_VERSION: Field =
    Field::new("schemaVersion", Shape::Integer(0, 1), "The format of the file; 1.");
pub(super) const VERSION: Field =
    Field::new("version", Shape::Integer(0, 1), "Another name of `schemaVersion`.");

pub(super) const ID: Field = Field::required(
    "id",
    Shape::Text(Text::ANY.not_empty().at_most(MAX_ID_LENGTH, "MAX_ID_LENGTH")),
    "Its id, unique across both files of automations.",
);
pub(super) const NAME: Field = Field::new(
    "name",
    Shape::Text(Text::ANY.at_most(MAX_HOOK_NAME_LENGTH, "MAX_HOOK_NAME_LENGTH")),
    "Its display name.",
);
pub(super) const ENABLED: Field =
    Field::new("enabled", Shape::Boolean, "Whether it runs at all.").default(DefaultValue::Boolean(true));
pub(super) const PATTERN: Field = Field::new(
    "pattern",
    Shape::Choice(&PATTERNS),
    "A glob of the files it is about, or several; without `/` a glob matches file names in every folder. The\nglobs after a `!` exclude files; the last glob that matches decides.",
);
pub(super) const ON_BUSY: Field = Field::new(
    "onBusy",
    Shape::Word(&ON_BUSY_WORDS),
    "What an event does while as many of its runs as `concurrency` allows are active.",
);
pub(super) const BATCH: Field = Field::new(
    "batch",
    Shape::Boolean,
    "Whether one run handles all files that change together; `{files}` lists them.",
)
.default(DefaultValue::Boolean(false));
pub(super) const DEPENDS_ON: Field = Field::new(
    "dependsOn",
    Shape::Array { item: &Shape::STRING, least: 0, most: Some(MAX_DEPENDENCIES) },
    "Ids of automations in this file that must succeed first, if the same event triggers them.",
);
pub(super) const EVERY: Field = Field::new(
    "every",
    Shape::Text(Text::ANY.pattern("^[0-9]+ *[smhd]$")),
    "For the trigger `schedule`: the interval, such as `15m`.",
);
pub(super) const CRON: Field = Field::new(
    "cron",
    Shape::Text(Text::ANY.not_empty()),
    "For the trigger `schedule`: a cron expression, such as `0 9 * * 1-5`, on the clock of the machine.",
);
pub(super) const RUNNER: Field = Field::new(
    "runner",
    Shape::Choice(&RUNNER_CHOICE),
    "The runner of its prompt; without it, `automation.runner` of `.ai/hooks/config.json`.",
);
pub(super) const CONCURRENCY: Field = Field::new(
    "concurrency",
    Shape::Integer(1, MAX_CONCURRENCY as u64),
    "How many of its runs may be active at once; by default 1 with `batch` or an `onBusy` other than `queue`.",
)
.default(DefaultValue::Integer(DEFAULT_CONCURRENCY as u64));
pub(super) const TIMEOUT: Field = Field::new(
    "timeoutMs",
    Shape::Integer(millis(MIN_TIMEOUT), millis(MAX_TIMEOUT)),
    "The time limit of a run, in milliseconds.",
)
.default(DefaultValue::Integer(millis(DEFAULT_TIMEOUT)));
pub(super) const RETRY: Field =
    Field::new("retry", Shape::Object(&RETRY_OBJECT), "The retry policy for failed runs.");
pub(super) const RATE: Field =
    Field::new("rateLimit", Shape::Object(&RATE_OBJECT), "The rate limit for starting runs.");
pub(super) const CONFINE: Field = Field::new(
    "confine",
    Shape::Object(&CONFINE_OBJECT),
    "What the program of its action may write; the kernel refuses everything else.",
);
pub(super) const ALLOW_GIT: Field =
    Field::new("allowGit", Shape::Boolean, "Must be true for commit triggers.")
        .default(DefaultValue::Boolean(false));
pub(super) const REPO_ROOT: Field =
    Field::new("repoRoot", Shape::STRING, "The repository of a commit trigger, relative to the workspace.");
pub(super) const SECRET_PATTERNS: Field = Field::new(
    "secretPatterns",
    Shape::STRINGS,
    "Regular expressions of further secrets, redacted in prompts and logs.",
);
pub(super) const METADATA: Field = Field::new("metadata", Shape::ANY_MAP, "Your own data.");

/// One glob or several.
static PATTERNS: Choice = Choice {
    name: "Patterns",
    doc: "A glob, or an array of globs.",
    options: &[
        (Shape::Text(Text::ANY.not_empty()), "A glob."),
        (
            Shape::Array { item: &Shape::Text(Text::ANY.not_empty()), least: 1, most: None },
            "Globs, in order.",
        ),
    ],
};

static ON_BUSY_WORDS: Words = Words {
    name: "OnBusy",
    doc: "What an event does while the automation is busy.",
    words: &[
        Word::new(OnBusy::Queue.as_str(), "A run waits; the default."),
        Word::new(OnBusy::Restart.as_str(), "The oldest active run is stopped for the new one."),
        Word::new(OnBusy::Skip.as_str(), "The event triggers nothing."),
    ],
};

/// Before or after an operation.
pub(super) static TIMING: Words = Words {
    name: "Timing",
    doc: "Before or after an operation.",
    words: &[Word::new(Timing::Before.as_str(), ""), Word::new(Timing::After.as_str(), "")],
};

static RETRY_OBJECT: Object = Object {
    name: "Retry",
    doc: "The retry policy for failed runs.",
    fields: &[
        Field::new("count", Shape::Integer(0, MAX_RETRIES as u64), "The number of retries.")
            .default(DefaultValue::Integer(0)),
        Field::new(
            "backoffMs",
            Shape::Integer(0, millis(MAX_BACKOFF)),
            "The pause before the first retry, in milliseconds.",
        )
        .default(DefaultValue::Integer(millis(DEFAULT_BACKOFF))),
        Field::new("backoffFactor", Shape::Number(1.0), "The factor between two successive pauses.")
            .default(DefaultValue::Number(DEFAULT_BACKOFF_FACTOR)),
    ],
    open: false,
};

static CONFINE_OBJECT: Object = Object {
    name: "Confine",
    doc: "What a program may write; the kernel refuses everything else.",
    fields: &[
        Field::new(
            "write",
            Shape::STRINGS,
            "Folders and files in the workspace. Without, the whole workspace; nothing of it for an agent whose tools only read.",
        ),
        Field::new("network", Shape::Boolean, "Whether it reaches the network.")
            .default(DefaultValue::Boolean(true)),
    ],
    open: false,
};

static RATE_OBJECT: Object = Object {
    name: "Rate",
    doc: "A rate limit.",
    fields: &[
        Field::required("runs", Shape::Integer(1, u32::MAX as u64), "How many runs may start."),
        Field::required(
            "perMs",
            Shape::Integer(1, millis(MAX_TIMEOUT)),
            "Within this time, in milliseconds.",
        ),
    ],
    open: false,
};

#[expect(clippy::cast_possible_truncation, reason = "the limits are days at most")]
const fn millis(duration: Duration) -> u64 {
    duration.as_millis() as u64
}
