//! What both files say about how an automation runs.

use std::time::Duration;

use jsonc_parser::ast::Value;
use jsonc_parser::common::{Range, Ranged};
use serde_json::Map;
use store::Timestamp;

use super::fields::{Fields, plain, plain_object, wrong_type};
use super::pattern;
use super::report::Report;
use crate::limits::{
    DEFAULT_BACKOFF, DEFAULT_BACKOFF_FACTOR, DEFAULT_CONCURRENCY, DEFAULT_TIMEOUT, MAX_BACKOFF,
    MAX_CONCURRENCY, MAX_HOOK_NAME_LENGTH, MAX_RETRIES, MAX_TIMEOUT, MIN_TIMEOUT,
};
use crate::{Automation, AutomationId, Rate, Retry, RunnerChoice, glob};

/// The keys every automation may have.
pub(super) const KEYS: &[&str] = &[
    "id",
    "name",
    "enabled",
    "trigger",
    "pattern",
    "runner",
    "concurrency",
    "timeoutMs",
    "retry",
    "rateLimit",
    "allowGit",
    "repoRoot",
    "secretPatterns",
    "metadata",
];

/// Reads the id.
pub(super) fn id(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Option<(AutomationId, Range)> {
    if fields.get("id").is_none() {
        fields.missing("id", report);
        return None;
    }
    let written = fields.text("id", report)?;
    match AutomationId::new(&written.text) {
        Ok(id) => Some((id, written.at)),
        Err(why) => {
            report.error(written.at, format!("`{}` {why}", fields.name("id")));
            None
        }
    }
}

/// Reads which files the automation is about.
pub(super) fn file_pattern(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Option<String> {
    let written = fields.text("pattern", report)?;
    if let Err(why) = glob::check(&written.text) {
        let problem = report.error(written.at, format!("`{}` {why}", fields.name("pattern")));
        problem.hint = Some("a glob below the workspace, such as `src/**/*.ts`".to_owned());
        return None;
    }
    Some(written.text)
}

/// How an automation runs, as its file says.
pub(super) struct Settings {
    name: Option<String>,
    enabled: bool,
    concurrency: u32,
    timeout: Duration,
    retry: Retry,
    rate: Option<Rate>,
    runner: Option<RunnerChoice>,
    secret_patterns: Vec<String>,
    metadata: Map<String, serde_json::Value>,
}

impl Settings {
    /// Reads them. This is done even for what cannot be used, so that everything wrong is told
    /// at once.
    pub(super) fn read(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Self {
        let name = fields.text_of("name", MAX_HOOK_NAME_LENGTH, "MAX_HOOK_NAME_LENGTH", report);
        let concurrency = fields.whole("concurrency", 1, u64::from(MAX_CONCURRENCY), report);
        let timeout = fields.whole("timeoutMs", millis(MIN_TIMEOUT), millis(MAX_TIMEOUT), report);
        Self {
            name: name.map(|it| it.text),
            enabled: fields.flag("enabled", report).unwrap_or(true),
            concurrency: concurrency.and_then(|it| u32::try_from(it).ok()).unwrap_or(DEFAULT_CONCURRENCY),
            timeout: timeout.map_or(DEFAULT_TIMEOUT, Duration::from_millis),
            retry: fields
                .get("retry")
                .map(|value| retry(value, &fields.name("retry"), report))
                .unwrap_or_default(),
            rate: fields.get("rateLimit").and_then(|value| rate(value, &fields.name("rateLimit"), report)),
            runner: fields.get("runner").and_then(|value| runner(value, &fields.name("runner"), report)),
            secret_patterns: secret_patterns(fields, report),
            metadata: metadata(fields, report),
        }
    }

    /// Puts them into the automation they are for.
    pub(super) fn apply_to(self, automation: Automation) -> Automation {
        let Self { name, enabled, concurrency, timeout, retry, rate, runner, secret_patterns, metadata } =
            self;
        Automation {
            name,
            enabled,
            runner,
            concurrency,
            timeout,
            retry,
            rate,
            secret_patterns,
            metadata,
            ..automation
        }
    }
}

fn runner(value: &Value<'_>, name: &str, report: &mut Report<'_>) -> Option<RunnerChoice> {
    match RunnerChoice::from_json(&plain(value)) {
        Ok(runner) => Some(runner),
        Err(bad) => {
            let message = format!("`{name}` {bad}");
            report.error(value.range(), message).hint = Some(bad.hint);
            None
        }
    }
}

fn secret_patterns(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Vec<String> {
    let mut patterns = Vec::new();
    for written in fields.texts("secretPatterns", report).unwrap_or_default() {
        if report.is_sound_pattern(&written.text) {
            // Said of another automation already.
        } else if let Some((why, hint)) = pattern::fault(&written.text) {
            report.error(written.at, format!("secret pattern `{}` {why}", written.text)).hint =
                hint.map(str::to_owned);
        } else {
            report.add_sound_pattern(written.text.clone());
        }
        patterns.push(written.text);
    }
    patterns
}

fn metadata(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Map<String, serde_json::Value> {
    match fields.get("metadata") {
        None => Map::new(),
        Some(Value::Object(object)) => plain_object(object),
        Some(other) => {
            wrong_type(other, &fields.name("metadata"), "an object", report);
            Map::new()
        }
    }
}

/// Reads a moment in milliseconds since 1970.
pub(super) fn moment(fields: &Fields<'_, '_>, key: &str, report: &mut Report<'_>) -> Option<Timestamp> {
    fields.whole(key, 0, u64::MAX, report).map(Timestamp::from_millis)
}

fn retry(value: &Value<'_>, path: &str, report: &mut Report<'_>) -> Retry {
    let Some(fields) = Fields::of(value, path, &["count", "backoffMs", "backoffFactor"], report) else {
        return Retry::default();
    };
    let count = fields.whole("count", 0, u64::from(MAX_RETRIES), report).unwrap_or(0);
    let backoff = fields.whole("backoffMs", 0, millis(MAX_BACKOFF), report);
    Retry {
        count: u32::try_from(count).unwrap_or(MAX_RETRIES),
        backoff: backoff.map_or(DEFAULT_BACKOFF, Duration::from_millis),
        factor: fields.number("backoffFactor", 1.0, report).unwrap_or(DEFAULT_BACKOFF_FACTOR),
    }
}

fn rate(value: &Value<'_>, path: &str, report: &mut Report<'_>) -> Option<Rate> {
    let fields = Fields::of(value, path, &["runs", "perMs"], report)?;
    for key in ["runs", "perMs"] {
        if fields.get(key).is_none() {
            fields.missing(key, report);
        }
    }
    let runs = fields.whole("runs", 1, u64::from(u32::MAX), report)?;
    let per = fields.whole("perMs", 1, millis(MAX_TIMEOUT), report)?;
    Some(Rate { runs: u32::try_from(runs).unwrap_or(u32::MAX), per: Duration::from_millis(per) })
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
