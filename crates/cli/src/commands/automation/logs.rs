//! `steersman automation logs [-f] [--hook ID] [--lines N] [--json]`

use std::thread;
use std::time::Duration;

use automation::queue::{Entry, Line};
use automation::{AutomationId, ExecutionId};
use std::collections::HashMap;
use store::read_lines;

use super::Place;
use crate::exit::Exit;
use crate::output::{self, moment, print, text};

/// Look at the steps of runs as they happen
///
/// Reads the journal of runs, so it works with and without a server.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Go on until stopped
    #[arg(short, long)]
    follow: bool,
    /// Only runs of this automation
    #[arg(long, value_name = "ID")]
    hook: Option<String>,
    /// Begin with so many of the latest lines
    #[arg(long, value_name = "N", default_value_t = 50)]
    lines: usize,
    /// Print the lines of the journal as they are
    #[arg(long)]
    json: bool,
}

/// How often the journal is looked at.
const LOOK: Duration = Duration::from_millis(300);

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let journal = place.workspace.automation_queue();
    let mut hooks = HashMap::new();
    let mut offset = 0;
    let mut keep = Some(args.lines);
    loop {
        let length = std::fs::metadata(journal.as_path()).map_or(0, |meta| meta.len());
        if length < offset {
            // The journal began anew.
            offset = 0;
        }
        if length > offset {
            let new = read_lines(&journal, offset)?;
            offset += new.len() as u64;
            let told: Vec<String> = new.lines().filter_map(|line| tell(args, line, &mut hooks)).collect();
            let n_skipped = keep.take().map_or(0, |most| told.len().saturating_sub(most));
            for line in &told[n_skipped..] {
                print(format_args!("{line}"));
            }
        }
        if !args.follow {
            if offset == 0 {
                output::note("no run was ever asked for");
            }
            return Ok(Exit::Fine);
        }
        thread::sleep(LOOK);
    }
}

/// Returns a line for people, or nothing if it is about something else.
fn tell(args: &Args, line: &str, hooks: &mut HashMap<ExecutionId, AutomationId>) -> Option<String> {
    let parsed = Line::parse(line)?;
    if let Entry::Queued { run } = &parsed.entry {
        hooks.insert(run.id.clone(), run.hook.clone());
    }
    let (run, said) = said(&parsed.entry)?;
    let hook = hooks.get(run).map_or("?", AutomationId::as_str).to_owned();
    if let Entry::Finished { .. } = parsed.entry {
        hooks.remove(&run.clone());
    }
    if args.hook.as_ref().is_some_and(|wanted| *wanted != hook) {
        return None;
    }
    if args.json {
        return Some(line.to_owned());
    }
    Some(format!("{}  {}  {run}  {said}", moment::second(parsed.ts), text::one_line(&hook)))
}

fn said(entry: &Entry) -> Option<(&ExecutionId, String)> {
    Some(match entry {
        Entry::Queued { run } => {
            let about = run.occurrence.file().map(|file| format!(" for {}", text::one_line(file)));
            (
                &run.id,
                format!(
                    "queued by {}{}",
                    text::one_line(&run.occurrence.what.to_string()),
                    about.unwrap_or_default()
                ),
            )
        }
        Entry::Replaced { run, by } => (run, format!("replaced by {by}")),
        Entry::Started { run, attempt, .. } => (run, format!("started, try {attempt}")),
        Entry::Entered { run, state } => (run, state.as_str().to_owned()),
        Entry::Failed { run, error, .. } => {
            (run, format!("failed, will be tried again: {}", text::one_line(&error.message)))
        }
        Entry::Interrupted { run } => (run, "interrupted: its process ended before it did".to_owned()),
        Entry::CancelAsked { run } => (run, "shall be stopped".to_owned()),
        Entry::Finished { record } => {
            let error = record.error.as_ref().map(|it| format!(": {}", text::one_line(&it.message)));
            let logs = record.logs.as_deref().unwrap_or_default().lines();
            let said = format!("{}{}", record.status.as_str(), error.unwrap_or_default());
            let lines: Vec<String> = std::iter::once(said).chain(logs.map(text::one_line)).collect();
            (&record.id, lines.join("\n    "))
        }
        Entry::Rotated { .. }
        | Entry::Occurred { .. }
        | Entry::Matched { .. }
        | Entry::Followed { .. }
        | Entry::Carried { .. } => {
            return None;
        }
    })
}
