//! What both files say about how an automation runs, and the frame around their lists.

use std::time::Duration;

use config_file::{DefaultValue, Field, Object, Shape, Text, Word, Words};

use super::runner::RUNNER_CHOICE;
use crate::Timing;
use crate::limits::{
    DEFAULT_BACKOFF, DEFAULT_BACKOFF_FACTOR, DEFAULT_CONCURRENCY, DEFAULT_TIMEOUT, MAX_BACKOFF,
    MAX_CONCURRENCY, MAX_HOOK_NAME_LENGTH, MAX_ID_LENGTH, MAX_RETRIES, MAX_TIMEOUT, MIN_TIMEOUT,
};

pub(super) const SCHEMA: Field = Field::new("$schema", Shape::STRING, "Where editors find this schema.");
pub(super) const SCHEMA_VERSION: Field =
    Field::new("schemaVersion", Shape::Integer(0, 1), "The format of the file; 1.");
pub(super) const VERSION: Field = Field::new("version", Shape::Integer(0, 1), "The same by its other name.");

pub(super) const ID: Field = Field::required(
    "id",
    Shape::Text(Text::ANY.not_empty().at_most(MAX_ID_LENGTH, "MAX_ID_LENGTH")),
    "Unique over both files of automations.",
);
pub(super) const NAME: Field = Field::new(
    "name",
    Shape::Text(Text::ANY.at_most(MAX_HOOK_NAME_LENGTH, "MAX_HOOK_NAME_LENGTH")),
    "What people call it.",
);
pub(super) const ENABLED: Field =
    Field::new("enabled", Shape::Boolean, "Whether it runs at all.").default(DefaultValue::Boolean(true));
pub(super) const PATTERN: Field = Field::new(
    "pattern",
    Shape::Text(Text::ANY.not_empty()),
    "Which files it is about, as a glob; without `/` it is about names of files anywhere.",
);
pub(super) const RUNNER: Field = Field::new(
    "runner",
    Shape::Choice(&RUNNER_CHOICE),
    "Who runs its prompt; without it, `automation.runner` of `.ai/hooks/config.json`.",
);
pub(super) const CONCURRENCY: Field = Field::new(
    "concurrency",
    Shape::Integer(1, MAX_CONCURRENCY as u64),
    "How many of its runs may be at work at once.",
)
.default(DefaultValue::Integer(DEFAULT_CONCURRENCY as u64));
pub(super) const TIMEOUT: Field = Field::new(
    "timeoutMs",
    Shape::Integer(millis(MIN_TIMEOUT), millis(MAX_TIMEOUT)),
    "How long a run may take, in milliseconds.",
)
.default(DefaultValue::Integer(millis(DEFAULT_TIMEOUT)));
pub(super) const RETRY: Field =
    Field::new("retry", Shape::Object(&RETRY_OBJECT), "How often a failed run is tried again.");
pub(super) const RATE: Field =
    Field::new("rateLimit", Shape::Object(&RATE_OBJECT), "How many runs may begin within a time.");
pub(super) const ALLOW_GIT: Field =
    Field::new("allowGit", Shape::Boolean, "Must be true for triggers about commits.")
        .default(DefaultValue::Boolean(false));
pub(super) const REPO_ROOT: Field = Field::new(
    "repoRoot",
    Shape::STRING,
    "The repository a trigger about commits is about, relative to the workspace.",
);
pub(super) const SECRET_PATTERNS: Field = Field::new(
    "secretPatterns",
    Shape::STRINGS,
    "Regular expressions of further secrets, taken out of prompts and logs.",
);
pub(super) const METADATA: Field =
    Field::new("metadata", Shape::ANY_MAP, "What you keep with it for your own use.");

/// On which side of an operation.
pub(super) static TIMING: Words = Words {
    name: "Timing",
    doc: "On which side of an operation.",
    words: &[Word::new(Timing::Before.as_str(), ""), Word::new(Timing::After.as_str(), "")],
};

static RETRY_OBJECT: Object = Object {
    name: "Retry",
    doc: "How often a failed run is tried again.",
    fields: &[
        Field::new(
            "count",
            Shape::Integer(0, MAX_RETRIES as u64),
            "How many tries there are after the first.",
        )
        .default(DefaultValue::Integer(0)),
        Field::new(
            "backoffMs",
            Shape::Integer(0, millis(MAX_BACKOFF)),
            "The pause before the first of them, in milliseconds.",
        )
        .default(DefaultValue::Integer(millis(DEFAULT_BACKOFF))),
        Field::new(
            "backoffFactor",
            Shape::Number(1.0),
            "By how much each pause is longer than the one before.",
        )
        .default(DefaultValue::Number(DEFAULT_BACKOFF_FACTOR)),
    ],
    open: false,
};

static RATE_OBJECT: Object = Object {
    name: "Rate",
    doc: "At most so many runs within a time.",
    fields: &[
        Field::required("runs", Shape::Integer(1, u32::MAX as u64), "How many."),
        Field::required("perMs", Shape::Integer(1, millis(MAX_TIMEOUT)), "Within how many milliseconds."),
    ],
    open: false,
};

#[expect(clippy::cast_possible_truncation, reason = "the limits are days at most")]
const fn millis(duration: Duration) -> u64 {
    duration.as_millis() as u64
}
