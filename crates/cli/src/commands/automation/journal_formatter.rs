//! Formats the journal of runs for users, line by line.

use std::collections::HashMap;

use automation::queue::{Entry, Line};
use automation::{AutomationId, CapturedOutput, ExecutionId, ExecutionRecord, OutputStream};

use crate::output::{moment, text};

/// Formats journal lines. Remembers the automation of each run and its output so far.
#[derive(Debug, Default)]
pub(super) struct JournalFormatter {
    runs: HashMap<ExecutionId, OpenRun>,
}

#[derive(Debug)]
struct OpenRun {
    hook: AutomationId,
    printed: CapturedOutput,
}

/// The text of one journal line.
pub(super) struct FormattedLine {
    pub(super) run: ExecutionId,
    pub(super) hook: String,
    /// The lines to print.
    pub(super) lines: Vec<String>,
    pub(super) is_end: bool,
}

impl JournalFormatter {
    /// Formats a line. Returns `None` if it is not about a run.
    pub(super) fn format(&mut self, line: &Line) -> Option<FormattedLine> {
        match &line.entry {
            Entry::Queued { run } => self.learn(&run.id, &run.hook, CapturedOutput::default()),
            // Its output was printed before the journal rotated, or is printed at its end.
            Entry::Carried { run } => self.learn(&run.queued.id, &run.queued.hook, run.printed.clone()),
            Entry::Started { run, .. } => {
                if let Some(open) = self.runs.get_mut(run) {
                    open.printed = CapturedOutput::default();
                }
            }
            _ => {}
        }
        let (run, formatted) = self.formatted(&line.entry)?;
        let run = run.clone();
        if let Entry::Printed { output, text, .. } = &line.entry
            && let Some(open) = self.runs.get_mut(&run)
        {
            open.printed.add(*output, text);
        }
        let hook = self.runs.get(&run).map_or("?", |open| open.hook.as_str()).to_owned();
        let is_end = matches!(line.entry, Entry::Finished { .. } | Entry::Replaced { .. });
        if is_end {
            self.runs.remove(&run);
        }
        let head = format!("{}  {}  {run}", moment::local_second(line.ts), text::one_line(&hook));
        let mut formatted = formatted.into_iter();
        let mut lines: Vec<String> = Vec::new();
        if let Entry::Printed { .. } = line.entry {
            lines.extend(formatted.map(|it| format!("{head}  {it}")));
        } else {
            lines.extend(formatted.next().map(|it| format!("{head}  {it}")));
            lines.extend(formatted.map(|it| format!("    {it}")));
        }
        Some(FormattedLine { run, hook, lines, is_end })
    }

    fn learn(&mut self, run: &ExecutionId, hook: &AutomationId, printed: CapturedOutput) {
        self.runs.entry(run.clone()).or_insert_with(|| OpenRun { hook: hook.clone(), printed });
    }

    fn formatted<'a>(&self, entry: &'a Entry) -> Option<(&'a ExecutionId, Vec<String>)> {
        let (run, line) = match entry {
            Entry::Queued { run } => {
                let about = run.occurrence.shown_file().map(|file| format!(" for {}", text::one_line(&file)));
                let by = text::one_line(&run.occurrence.kind.to_string());
                (&run.id, format!("queued by {by}{}", about.unwrap_or_default()))
            }
            Entry::Replaced { run, by } => (run, format!("replaced by {by}")),
            Entry::Started { run, attempt, .. } => (run, format!("started, try {attempt}")),
            Entry::Entered { run, state } => (run, state.as_str().to_owned()),
            Entry::Printed { run, output, text } => return Some((run, printed(*output, text))),
            Entry::Failed { run, error, .. } => {
                (run, format!("failed, will be tried again: {}", text::one_line(&error.message)))
            }
            Entry::Interrupted { run } => (run, "interrupted: the process that executed it ended".to_owned()),
            Entry::CancelAsked { run, by: Some(by) } => (run, format!("restarted as {by}")),
            Entry::CancelAsked { run, by: None } => (run, "cancel requested".to_owned()),
            Entry::Added { run, files, .. } => (run, format!("{} more files", files.len())),
            Entry::Finished { record } => return Some((&record.id, self.ended(record))),
            Entry::Rotated { .. }
            | Entry::Occurred { .. }
            | Entry::Matched { .. }
            | Entry::Followed { .. }
            | Entry::Paused { .. }
            | Entry::Resumed { .. }
            | Entry::Carried { .. } => return None,
        };
        Some((run, vec![line]))
    }

    /// Returns the result of a run, and the part of its output that was not printed while it ran.
    pub(super) fn ended(&self, record: &ExecutionRecord) -> Vec<String> {
        let error = record.error.as_ref().map(|it| format!(": {}", text::one_line(&it.message)));
        let logs = record.logs.as_deref().unwrap_or_default();
        let nothing = CapturedOutput::default();
        let known = self.runs.get(&record.id).map_or(&nothing, |open| &open.printed);
        let missing = known.unseen_in(logs).lines().map(text::visible);
        std::iter::once(format!("{}{}", record.status.as_str(), error.unwrap_or_default()))
            .chain(missing)
            .collect()
    }
}

/// Returns the lines of a stream, each with the sign of the stream.
fn printed(output: OutputStream, text: &str) -> Vec<String> {
    let sign = match output {
        OutputStream::Stdout => '|',
        OutputStream::Stderr => '!',
    };
    text.lines().map(|line| format!("{sign} {}", text::visible(line)).trim_end().to_owned()).collect()
}
