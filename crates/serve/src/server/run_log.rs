//! Logs the starts and ends of runs, and starts the user's command for failures.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::thread;
use std::time::{Duration, Instant};

use automation::{AutomationId, ExecutionRecord, Status, Template};
use engine::{RunEvent, Settings};
use redact::{Filter, Redacted};
use runner::{Cancel, Invocation, Limits, Run};

use super::Server;
use crate::note::Note;

/// The time limit of the command for failures.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The shortest time between two commands about one automation.
const EVERY: Duration = Duration::from_secs(10);

/// When the command was last started for each automation.
#[derive(Debug, Default)]
pub(super) struct FailureCommands {
    started: HashMap<AutomationId, Instant>,
}

impl Server<'_> {
    /// Logs what happened to runs since the last call.
    pub(super) fn log_runs(&mut self) {
        for event in self.engine.take_events() {
            self.log(note_about(&event));
            if let RunEvent::Ended(record) = &event
                && matches!(record.status, Status::Failed | Status::Timeout)
            {
                self.on_failure(record);
            }
        }
    }

    fn on_failure(&mut self, record: &ExecutionRecord) {
        let command = &self.trusted.settings().on_failure;
        let is_too_soon = |at: &Instant| at.elapsed() < EVERY;
        if command.is_empty()
            || !self.is_permitted
            || self.failures.started.get(&record.hook_id).is_some_and(is_too_soon)
        {
            return;
        }
        self.failures.started.insert(record.hook_id.clone(), Instant::now());
        let name = self
            .configuration
            .get(&record.hook_id)
            .map_or(record.hook_id.as_str(), |it| it.label())
            .to_owned();
        let (command, settings, record) = (command.clone(), self.setup.settings.clone(), record.clone());
        // A notification must not delay the runs.
        thread::spawn(move || start(&command, &settings, &record, &name));
    }
}

fn start(command: &[Template], settings: &Settings, record: &ExecutionRecord, name: &str) {
    let error = record.error.as_ref().map(|it| it.message.clone()).unwrap_or_default();
    let values: BTreeMap<String, String> = [
        ("hookId", record.hook_id.to_string()),
        ("name", name.to_owned()),
        ("runId", record.id.to_string()),
        ("status", record.status.as_str().to_owned()),
        ("error", error),
        ("file", record.file.clone().unwrap_or_default()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    let mut words = command.iter().map(|it| it.fill(&values).text);
    let folder = settings.workspace.root().as_path();
    let Some(program) =
        words.next().and_then(|it| runner::find(OsStr::new(&it), &settings.environment, folder))
    else {
        return;
    };
    let invocation = Invocation::command(program, words, &Redacted::default());
    let limits = Limits { timeout: TIMEOUT, grace: settings.grace, output: 1024 };
    let (environment, filter, cancel) = (&settings.environment, &Filter::default(), &Cancel::new());
    let mark = format!("notify-{}", record.id);
    let run =
        Run { invocation: &invocation, folder, environment, mark: &mark, limits, filter, cancel, pipe: None };
    // A notification that fails is not worth another one; `history` has the failure.
    let _ = runner::run(&run, &mut |_, _| {});
}

fn note_about(event: &RunEvent) -> Note {
    let about = |file: &Option<String>| file.as_ref().map(|it| format!(" for {it}")).unwrap_or_default();
    match event {
        RunEvent::Started { run, hook, file, attempt } => {
            let again = if *attempt > 1 { format!(", try {attempt}") } else { String::new() };
            Note::info("RUN_STARTED", format!("{hook}{}{again} ({run})", about(file)))
        }
        RunEvent::Failed { run, hook, message } => {
            Note::warning("RUN_RETRIED", format!("{hook} failed and will be tried again: {message} ({run})"))
        }
        RunEvent::Ended(record) => {
            let error =
                record.error.as_ref().map(|it| format!(": {}: {}", it.code, it.message)).unwrap_or_default();
            let (hook, status, run) = (&record.hook_id, record.status.as_str(), &record.id);
            let took =
                record.duration_millis().map(|it| format!(" after {}", in_words(it))).unwrap_or_default();
            let text = format!("{hook}{} {status}{took}{error} ({run})", about(&record.file));
            match record.status {
                Status::Success => Note::info("RUN_SUCCEEDED", text),
                Status::Canceled => Note::info("RUN_CANCELED", text),
                Status::Failed | Status::Timeout | Status::Queued | Status::Running => {
                    Note::error("RUN_FAILED", text)
                }
            }
        }
    }
}

fn in_words(millis: u64) -> String {
    if millis < 1000 {
        format!("{millis} ms")
    } else {
        format!("{}.{} s", millis / 1000, millis % 1000 / 100)
    }
}
