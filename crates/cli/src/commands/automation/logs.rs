//! `steersman automation logs [RUN] [-f] [--hook ID] [--lines N] [--json]`

use std::thread;
use std::time::Duration;

use automation::queue::{Line, Tail};
use serve::{History, Query};

use super::journal_formatter::JournalFormatter;
use super::{Applied, Place};
use crate::exit::Exit;
use crate::output::{self, print};

/// Print the steps and output of runs
///
/// Reads the journal of runs, so it works with and without a server. Lines of stdout begin with `|`, lines of
/// stderr with `!`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only this run; with `-f`, until it ends
    #[arg(value_name = "RUN")]
    run: Option<String>,
    /// Print new lines until stopped
    #[arg(short, long)]
    follow: bool,
    /// Only runs of this automation
    #[arg(long, value_name = "ID")]
    hook: Option<String>,
    /// Start with the latest N lines [default: 50, or all lines of one run]
    #[arg(long, value_name = "N")]
    lines: Option<usize>,
    /// Print the journal lines as JSON
    #[arg(long)]
    json: bool,
}

/// The interval at which `-f` reads the journal.
const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// The default number of lines.
const DEFAULT_LINES: usize = 50;

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    Applied::read(place).note_errors();
    let mut tail = Tail::from_the_beginning(&place.workspace);
    let mut formatter = JournalFormatter::default();
    let mut first_most =
        Some(args.lines.unwrap_or(if args.run.is_some() { usize::MAX } else { DEFAULT_LINES }));
    let mut was_seen = false;
    loop {
        let news = tail.new_lines()?;
        let mut lines = Vec::new();
        let mut is_over = false;
        for line in news.lines() {
            let Some(entry) = Line::parse(line).and_then(|line| formatter.format(&line)) else {
                continue;
            };
            if args.hook.as_ref().is_some_and(|wanted| *wanted != entry.hook)
                || args.run.as_ref().is_some_and(|wanted| *wanted != entry.run.as_str())
            {
                continue;
            }
            was_seen = true;
            is_over |= args.run.is_some() && entry.is_end;
            if args.json {
                lines.push(line.to_owned());
            } else {
                lines.extend(entry.lines);
            }
        }
        let n_skipped = first_most.take().map_or(0, |most| lines.len().saturating_sub(most));
        for line in &lines[n_skipped..] {
            print(format_args!("{line}"));
        }
        if args.follow && !is_over && (was_seen || args.run.is_none()) {
            thread::sleep(POLL_INTERVAL);
            continue;
        }
        return match &args.run {
            Some(run) if !was_seen => from_history(run, args.json, place),
            None if !was_seen && args.hook.is_none() => {
                output::note("no runs yet");
                Ok(Exit::Fine)
            }
            _ => Ok(Exit::Fine),
        };
    }
}

/// Prints a run that ended before the journal last rotated: its steps are gone, its record is not.
fn from_history(run: &str, as_json: bool, place: &Place) -> anyhow::Result<Exit> {
    let query = Query { grep: Some(run.to_owned()), limit: 100, ..Query::default() };
    let found = if place.workspace.automation_queue().as_path().exists() {
        History::open(&place.workspace)?.find(&query)?
    } else {
        Vec::new()
    };
    let Some(record) = found.into_iter().find(|it| it.id.as_str() == run) else {
        output::error(&format!("unknown run `{}`", output::text::one_line(run)));
        output::hint("run `steersman automation history` for the finished runs");
        return Ok(Exit::No);
    };
    if as_json {
        output::json(&record)?;
    } else {
        let ended = record.end_ts.as_deref().map(output::moment::local_of_record).unwrap_or_default();
        let mut lines = JournalFormatter::default().ended(&record).into_iter();
        let head = lines.next().unwrap_or_default();
        print(format_args!("{ended}  {}  {run}  {head}", output::text::one_line(record.hook_id.as_str())));
        for line in lines {
            print(format_args!("    {line}"));
        }
    }
    Ok(Exit::Fine)
}
