//! The journal of runs, told to people line by line.

use std::collections::HashMap;

use automation::queue::{Entry, Line};
use automation::{AutomationId, ExecutionId, ExecutionRecord, Output, Printed};

use crate::output::{moment, text};

/// Knows which automation a run belongs to, and what of its output was told already.
#[derive(Debug, Default)]
pub(super) struct Telling {
    runs: HashMap<ExecutionId, Told>,
}

#[derive(Debug)]
struct Told {
    hook: AutomationId,
    printed: Printed,
}

/// What a line of the journal comes to.
pub(super) struct Said {
    pub(super) run: ExecutionId,
    pub(super) hook: String,
    /// Lines for people.
    pub(super) lines: Vec<String>,
    pub(super) is_end: bool,
}

impl Telling {
    /// Returns what a line is about and how it reads; nothing if it is not about a run.
    pub(super) fn tell(&mut self, line: &Line) -> Option<Said> {
        match &line.entry {
            Entry::Queued { run } => self.learn(&run.id, &run.hook, Printed::default()),
            // What it printed was told before the journal began anew, or is told at its end.
            Entry::Carried { run } => self.learn(&run.queued.id, &run.queued.hook, run.printed.clone()),
            Entry::Started { run, .. } => {
                if let Some(told) = self.runs.get_mut(run) {
                    told.printed = Printed::default();
                }
            }
            _ => {}
        }
        let (run, said) = self.said(&line.entry)?;
        let run = run.clone();
        if let Entry::Printed { output, text, .. } = &line.entry
            && let Some(told) = self.runs.get_mut(&run)
        {
            told.printed.add(*output, text);
        }
        let hook = self.runs.get(&run).map_or("?", |told| told.hook.as_str()).to_owned();
        let is_end = matches!(line.entry, Entry::Finished { .. } | Entry::Replaced { .. });
        if is_end {
            self.runs.remove(&run);
        }
        let head = format!("{}  {}  {run}", moment::second(line.ts), text::one_line(&hook));
        let mut said = said.into_iter();
        let mut lines: Vec<String> = Vec::new();
        if let Entry::Printed { .. } = line.entry {
            lines.extend(said.map(|it| format!("{head}  {it}")));
        } else {
            lines.extend(said.next().map(|it| format!("{head}  {it}")));
            lines.extend(said.map(|it| format!("    {it}")));
        }
        Some(Said { run, hook, lines, is_end })
    }

    fn learn(&mut self, run: &ExecutionId, hook: &AutomationId, printed: Printed) {
        self.runs.entry(run.clone()).or_insert_with(|| Told { hook: hook.clone(), printed });
    }

    fn said<'a>(&self, entry: &'a Entry) -> Option<(&'a ExecutionId, Vec<String>)> {
        let (run, line) = match entry {
            Entry::Queued { run } => {
                let about = run.occurrence.file().map(|file| format!(" for {}", text::one_line(file)));
                let by = text::one_line(&run.occurrence.what.to_string());
                (&run.id, format!("queued by {by}{}", about.unwrap_or_default()))
            }
            Entry::Replaced { run, by } => (run, format!("replaced by {by}")),
            Entry::Started { run, attempt, .. } => (run, format!("started, try {attempt}")),
            Entry::Entered { run, state } => (run, state.as_str().to_owned()),
            Entry::Printed { run, output, text } => return Some((run, printed(*output, text))),
            Entry::Failed { run, error, .. } => {
                (run, format!("failed, will be tried again: {}", text::one_line(&error.message)))
            }
            Entry::Interrupted { run } => (run, "interrupted: its process ended before it did".to_owned()),
            Entry::CancelAsked { run } => (run, "shall be stopped".to_owned()),
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

    /// Returns how a run ended, and what it printed that was not told while it worked.
    pub(super) fn ended(&self, record: &ExecutionRecord) -> Vec<String> {
        let error = record.error.as_ref().map(|it| format!(": {}", text::one_line(&it.message)));
        let logs = record.logs.as_deref().unwrap_or_default();
        let nothing = Printed::default();
        let known = self.runs.get(&record.id).map_or(&nothing, |told| &told.printed);
        let missing = known.missing_of(logs).lines().map(text::visible);
        std::iter::once(format!("{}{}", record.status.as_str(), error.unwrap_or_default()))
            .chain(missing)
            .collect()
    }
}

/// Returns the lines of an output, each with a sign for which it is.
fn printed(output: Output, text: &str) -> Vec<String> {
    let sign = match output {
        Output::Stdout => '|',
        Output::Stderr => '!',
    };
    text.lines().map(|line| format!("{sign} {}", text::visible(line)).trim_end().to_owned()).collect()
}
