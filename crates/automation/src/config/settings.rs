//! Reads the keys that automations of both files share.

use std::time::Duration;

use config_file::{Fields, Report, Span};
use serde_json::Map;
use store::Timestamp;

use super::pattern::ValidPatterns;
use super::runner::runner;
use crate::limits::{
    DEFAULT_BACKOFF, DEFAULT_BACKOFF_FACTOR, DEFAULT_CONCURRENCY, DEFAULT_TIMEOUT, MAX_RETRIES,
};
use crate::{Automation, AutomationId, Rate, Retry, RunnerChoice, glob};

/// Reads the id.
pub(super) fn id(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Option<(AutomationId, Span)> {
    let written = fields.string("id", report)?;
    match AutomationId::new(&written.text) {
        Ok(id) => Some((id, written.at)),
        Err(why) => {
            report.error(written.at, format!("`{}` {why}", fields.name("id")));
            None
        }
    }
}

/// Reads the glob of the automation's files.
pub(super) fn file_pattern(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Option<String> {
    let written = fields.string("pattern", report)?;
    if let Some(fault) = glob::fault(&written.text) {
        let problem = report.error(written.at, format!("`{}` {fault}", fields.name("pattern")));
        problem.hint = Some("write a glob below the workspace, such as `src/**/*.ts`".to_owned());
        return None;
    }
    Some(written.text)
}

/// The shared settings of an automation.
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
    /// Reads them, even those of an invalid automation, so that the report has all mistakes at once.
    pub(super) fn read(
        fields: &Fields<'_, '_>,
        patterns: &mut ValidPatterns,
        report: &mut Report<'_>,
    ) -> Self {
        let name = fields.string("name", report);
        let concurrency = fields.integer("concurrency", report);
        let timeout = fields.integer("timeoutMs", report);
        Self {
            name: name.map(|it| it.text),
            enabled: fields.boolean("enabled", report).unwrap_or(true),
            concurrency: concurrency.and_then(|it| u32::try_from(it).ok()).unwrap_or(DEFAULT_CONCURRENCY),
            timeout: timeout.map_or(DEFAULT_TIMEOUT, Duration::from_millis),
            retry: fields.object("retry", report).map(|it| retry(&it, report)).unwrap_or_default(),
            rate: fields.object("rateLimit", report).and_then(|it| rate(&it, report)),
            runner: fields.get("runner").and_then(|it| runner(it, &fields.name("runner"), report)),
            secret_patterns: secret_patterns(fields, patterns, report),
            metadata: fields.json("metadata", report).unwrap_or_default(),
        }
    }

    /// Sets them in an automation.
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

fn secret_patterns(
    fields: &Fields<'_, '_>,
    patterns: &mut ValidPatterns,
    report: &mut Report<'_>,
) -> Vec<String> {
    let written = fields.strings("secretPatterns", report).unwrap_or_default();
    for pattern in &written {
        if let Some((why, hint)) = patterns.fault(&pattern.text) {
            report.error(pattern.at, format!("secret pattern `{}` {why}", pattern.text)).hint =
                hint.map(str::to_owned);
        }
    }
    written.into_iter().map(|it| it.text).collect()
}

/// Reads a timestamp in milliseconds since 1970.
pub(super) fn moment(fields: &Fields<'_, '_>, key: &str, report: &mut Report<'_>) -> Option<Timestamp> {
    fields.integer(key, report).map(Timestamp::from_millis)
}

fn retry(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Retry {
    let count = fields.integer("count", report).unwrap_or(0);
    let backoff = fields.integer("backoffMs", report);
    Retry {
        count: u32::try_from(count).unwrap_or(MAX_RETRIES),
        backoff: backoff.map_or(DEFAULT_BACKOFF, Duration::from_millis),
        factor: fields.number("backoffFactor", report).unwrap_or(DEFAULT_BACKOFF_FACTOR),
    }
}

fn rate(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Option<Rate> {
    let runs = fields.integer("runs", report);
    let per = fields.integer("perMs", report)?;
    Some(Rate { runs: u32::try_from(runs?).unwrap_or(u32::MAX), per: Duration::from_millis(per) })
}
