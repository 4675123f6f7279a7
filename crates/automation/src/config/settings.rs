//! Reads the keys that automations of both files share.

use std::time::Duration;

use config_file::{Fields, Report, Span};
use serde_json::Map;
use store::Timestamp;

use super::pattern::{self, ValidPatterns};
use super::runner::runner;
use crate::limits::{
    DEFAULT_BACKOFF, DEFAULT_BACKOFF_FACTOR, DEFAULT_CONCURRENCY, DEFAULT_TIMEOUT, MAX_RETRIES,
};
use crate::{
    Automation, AutomationId, Confine, FilePatterns, OnBusy, Rate, Retry, RunnerChoice, Schedule, glob,
};

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

/// Reads the globs of the automation's files.
pub(super) fn file_pattern(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Option<FilePatterns> {
    let node = fields.get("pattern")?;
    let written = if node.items().is_some() {
        fields.strings("pattern", report)?
    } else if node.as_string().is_some() {
        vec![fields.string("pattern", report)?]
    } else {
        let message = format!(
            "`{}` must be a string or an array of strings, not {}",
            fields.name("pattern"),
            node.what(report.syntax())
        );
        report.error(node.at(), message).hint = Some(PATTERN_HINT.to_owned());
        return None;
    };
    if written.is_empty() {
        report.error(node.at(), format!("`{}` must not be empty", fields.name("pattern"))).hint =
            Some(PATTERN_HINT.to_owned());
        return None;
    }
    for glob in &written {
        if let Some(fault) = glob::fault(&glob.text) {
            let problem = report.error(glob.at, format!("`{}` {fault}", fields.name("pattern")));
            problem.hint = Some(PATTERN_HINT.to_owned());
            return None;
        }
    }
    Some(FilePatterns::new(written.into_iter().map(|it| it.text).collect()))
}

const PATTERN_HINT: &str = "write a glob below the workspace, such as `src/**/*.ts`";

/// Reads the times of a scheduled automation.
pub(super) fn schedule(fields: &Fields<'_, '_>, at: Span, report: &mut Report<'_>) -> Option<Schedule> {
    let every = fields.string("every", report);
    let cron = fields.string("cron", report);
    let (read, key, written, hint) = match (every, cron) {
        (Some(every), None) => (
            Schedule::every(&every.text),
            "every",
            every,
            "write a number and `s`, `m`, `h` or `d`, such as `15m`",
        ),
        (None, Some(cron)) => (
            Schedule::cron(&cron.text),
            "cron",
            cron,
            "write minute, hour, day of the month, month and day of the week, such as `0 9 * * 1-5`",
        ),
        (None, None) => {
            report.error(at, "a schedule needs `every` or `cron`").hint =
                Some("add `\"every\": \"15m\"` or `\"cron\": \"0 9 * * 1-5\"`".to_owned());
            return None;
        }
        (Some(_), Some(cron)) => {
            report.error(cron.at, "a schedule has either `every` or `cron`").hint =
                Some("remove one of them".to_owned());
            return None;
        }
    };
    match read {
        Ok(schedule) => Some(schedule),
        Err(why) => {
            report.error(written.at, format!("`{}` {why}", fields.name(key))).hint = Some(hint.to_owned());
            None
        }
    }
}

/// The shared settings of an automation.
pub(super) struct Settings {
    name: Option<String>,
    enabled: bool,
    concurrency: u32,
    on_busy: OnBusy,
    batch: bool,
    depends_on: Vec<AutomationId>,
    timeout: Duration,
    retry: Retry,
    rate: Option<Rate>,
    confine: Option<Confine>,
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
        let on_busy = fields.one_of("onBusy", report);
        let on_busy = on_busy.and_then(|word| OnBusy::ALL.into_iter().find(|it| it.as_str() == word.text));
        let on_busy = on_busy.unwrap_or_default();
        let batch = fields.boolean("batch", report).unwrap_or(false);
        let default_concurrency = if batch || on_busy != OnBusy::Queue { 1 } else { DEFAULT_CONCURRENCY };
        let timeout = fields.integer("timeoutMs", report);
        Self {
            name: name.map(|it| it.text),
            enabled: fields.boolean("enabled", report).unwrap_or(true),
            concurrency: concurrency.and_then(|it| u32::try_from(it).ok()).unwrap_or(default_concurrency),
            on_busy,
            batch,
            depends_on: depends_on(fields, report),
            timeout: timeout.map_or(DEFAULT_TIMEOUT, Duration::from_millis),
            retry: fields.object("retry", report).map(|it| retry(&it, report)).unwrap_or_default(),
            rate: fields.object("rateLimit", report).and_then(|it| rate(&it, report)),
            confine: fields.object("confine", report).map(|it| confine(&it, report)),
            runner: fields.get("runner").and_then(|it| runner(it, &fields.name("runner"), report)),
            secret_patterns: secret_patterns(fields, patterns, report),
            metadata: fields.json("metadata", report).unwrap_or_default(),
        }
    }

    /// Sets them in an automation.
    pub(super) fn apply_to(self, automation: Automation) -> Automation {
        let Self {
            name,
            enabled,
            concurrency,
            on_busy,
            batch,
            depends_on,
            timeout,
            retry,
            rate,
            confine,
            runner,
            secret_patterns,
            metadata,
        } = self;
        Automation {
            name,
            enabled,
            runner,
            concurrency,
            on_busy,
            batch,
            depends_on,
            timeout,
            retry,
            rate,
            confine,
            secret_patterns,
            metadata,
            ..automation
        }
    }
}

fn depends_on(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Vec<AutomationId> {
    let mut ids = Vec::new();
    for written in fields.strings("dependsOn", report).unwrap_or_default() {
        match AutomationId::new(&written.text) {
            Ok(id) => ids.push(id),
            Err(why) => {
                report.error(written.at, format!("`{}`: an id {why}", fields.name("dependsOn")));
            }
        }
    }
    ids
}

fn secret_patterns(
    fields: &Fields<'_, '_>,
    patterns: &mut ValidPatterns,
    report: &mut Report<'_>,
) -> Vec<String> {
    let mut written = fields.strings("secretPatterns", report).unwrap_or_default();
    for pattern in &mut written {
        match pattern::without_slashes(&pattern.text) {
            Ok(plain) => pattern.text = plain,
            Err(why) => {
                report.error(pattern.at, format!("secret pattern `{}` {why}", pattern.text)).hint =
                    Some("write the expression without slashes; `(?i)` at its start ignores case".to_owned());
                continue;
            }
        }
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

fn confine(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Confine {
    let write = fields.strings("write", report);
    for path in write.iter().flatten() {
        let is_inside =
            !path.text.starts_with(['/', '~', '-']) && !path.text.split('/').any(|part| part == "..");
        if path.text.trim().is_empty() || !is_inside {
            report.error(path.at, format!("`{}` must be a path in the workspace", path.text)).hint =
                Some("name a folder or a file, such as `docs`".to_owned());
        }
    }
    Confine {
        write: write.map(|paths| paths.into_iter().map(|it| it.text).collect()),
        network: fields.boolean("network", report).unwrap_or(true),
    }
}

fn rate(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Option<Rate> {
    let runs = fields.integer("runs", report);
    let per = fields.integer("perMs", report)?;
    Some(Rate { runs: u32::try_from(runs?).unwrap_or(u32::MAX), per: Duration::from_millis(per) })
}
