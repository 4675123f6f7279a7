//! The log configured by `logging` in `.rawko/config.yaml`: one line per event of every run.
//!
//! The journal holds every detail of one run for programs; the log is for people who follow
//! all runs, at the level and in the format they have configured.

use std::fs::File;
use std::io::{self, Write};

use agent::{LogFormat, LogLevel, Logging};
use event::AbsPath;
use redact::Filter;
use serde_json::{Value, json};
use store::{Workspace, no_follow};

use crate::record::{RunRecord, RunResult, StepOutcome};
use crate::run_id::RunId;
use crate::transcript::shortened;

/// The most bytes of one text in a line.
const MOST_OF_A_TEXT: usize = 4 * 1024;

/// An open log.
#[derive(Debug)]
pub struct RunLog {
    file: File,
    level: LogLevel,
    format: LogFormat,
}

/// Why the log cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the log `{path}` that `logging` in .rawko/config.yaml configures: {source}")]
pub struct LogError {
    path: AbsPath,
    source: io::Error,
}

impl RunLog {
    /// Opens the log; `None` if the project configures no logging.
    pub fn open(workspace: &Workspace, logging: &Logging) -> Result<Option<Self>, LogError> {
        if *logging == Logging::default() {
            return Ok(None);
        }
        let path = match &logging.file {
            Some(file) => workspace.root().child(file),
            None => workspace.agent_log(),
        };
        let opened = || {
            workspace.make_tmp_dir()?;
            workspace.check_way_to(&path)?;
            if let Some(folder) = path.as_path().parent() {
                store::create_folder(folder)?;
            }
            no_follow::options().append(true).create(true).open(path.as_path())
        };
        let file = opened().map_err(|source| LogError { path: path.clone(), source })?;
        let level = logging.level.unwrap_or(LogLevel::Info);
        Ok(Some(Self { file, level, format: logging.format.unwrap_or(LogFormat::Text) }))
    }

    /// Logs an event if its level is high enough. Write errors are ignored: the journal has every
    /// event.
    pub(crate) fn note(&self, run: &RunId, record: &RunRecord) {
        let lines = LogLines::of(record);
        for line in [Some(&lines.main), lines.detail.as_ref()].into_iter().flatten() {
            if line.level >= self.level {
                let line = self.render(run, line);
                let _ = (&self.file).write_all(Filter::default().redact(&line).as_str().as_bytes());
            }
        }
    }

    fn render(&self, run: &RunId, line: &Line) -> String {
        let (ts, level) = (store::now(), line.level.as_str());
        match self.format {
            LogFormat::Text => {
                let flat = line.message.replace('\n', "\\n");
                format!("{ts} {:<5} {run} {flat}\n", level.to_uppercase())
            }
            LogFormat::Json => {
                let mut object: Value = json!({ "ts": ts.to_string(), "level": level, "run": run.as_str(), "message": line.message });
                if let (Some(object), Value::Object(fields)) = (object.as_object_mut(), &line.fields) {
                    object.extend(fields.clone());
                }
                format!("{object}\n")
            }
        }
    }
}

struct LogLines {
    main: Line,
    /// Logged at debug level only.
    detail: Option<Line>,
}

struct Line {
    level: LogLevel,
    message: String,
    fields: Value,
}

impl LogLines {
    fn of(record: &RunRecord) -> Self {
        let lines = |level, message: String, fields: Value| Self {
            main: Line { level, message, fields },
            detail: None,
        };
        match record {
            RunRecord::RunStarted { task, first, chosen_by, .. } => lines(
                LogLevel::Info,
                format!("run started with {first} ({chosen_by}): {}", shortened(task, MOST_OF_A_TEXT)),
                json!({ "agent": first }),
            ),
            RunRecord::RunResumed { step, leftovers } => lines(
                LogLevel::Warn,
                format!("run resumed at step {step}; {leftovers} processes were killed"),
                json!({ "step": step }),
            ),
            RunRecord::StepStarted { step, agent, because, provider, .. } => lines(
                LogLevel::Info,
                format!("step {step} started: {agent} in {provider} ({because})"),
                json!({ "step": step, "agent": agent, "provider": provider }),
            ),
            RunRecord::StepEnded { step, agent, outcome, text, ms, tokens, .. } => {
                let has_failed = *outcome == StepOutcome::Failure;
                let level = if has_failed { LogLevel::Warn } else { LogLevel::Info };
                let text = shortened(text, MOST_OF_A_TEXT);
                let why = if has_failed { format!(": {text}") } else { String::new() };
                let message = format!("step {step} {}: {agent} after {ms} ms{why}", outcome.as_str());
                let fields = json!({ "step": step, "agent": agent, "ms": ms, "tokens": tokens });
                let detail = (!has_failed).then(|| Line {
                    level: LogLevel::Debug,
                    message: format!("step {step} said: {text}"),
                    fields: json!({ "step": step, "agent": agent }),
                });
                Self { main: Line { level, message, fields }, detail }
            }
            RunRecord::RunEnded { result, reason } => {
                let (level, how) = match result {
                    RunResult::Complete => (LogLevel::Info, "complete"),
                    RunResult::Interrupted => (LogLevel::Warn, "interrupted"),
                    RunResult::Failed => (LogLevel::Error, "failed"),
                };
                let why = reason.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
                lines(level, format!("run {how}{why}"), json!({ "result": how }))
            }
        }
    }
}
