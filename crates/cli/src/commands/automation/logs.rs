//! `steersman automation logs [RUN] [-f] [--hook ID] [--lines N] [--json]`

use std::thread;
use std::time::Duration;

use automation::queue::{Line, Tail};
use serve::{History, Query};

use super::Place;
use super::telling::Telling;
use crate::exit::Exit;
use crate::output::{self, print};

/// Look at the steps of runs and at what they print, as it happens
///
/// Reads the journal of runs, so it works with and without a server. Lines a run prints begin with `|`, those
/// it prints as errors with `!`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only this run; with `-f`, until its end
    #[arg(value_name = "RUN")]
    run: Option<String>,
    /// Go on until stopped
    #[arg(short, long)]
    follow: bool,
    /// Only runs of this automation
    #[arg(long, value_name = "ID")]
    hook: Option<String>,
    /// Begin with so many of the latest lines; without it 50, or all of one run
    #[arg(long, value_name = "N")]
    lines: Option<usize>,
    /// Print the lines of the journal as they are
    #[arg(long)]
    json: bool,
}

/// How often the journal is looked at.
const LOOK: Duration = Duration::from_millis(200);
/// How many of the latest lines are shown first.
const LATEST: usize = 50;

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let mut tail = Tail::from_the_beginning(&place.workspace);
    let mut telling = Telling::default();
    let mut first_most = Some(args.lines.unwrap_or(if args.run.is_some() { usize::MAX } else { LATEST }));
    let mut was_seen = false;
    loop {
        let news = tail.news()?;
        let mut lines = Vec::new();
        let mut is_over = false;
        for line in news.lines() {
            let Some(said) = Line::parse(line).and_then(|line| telling.tell(&line)) else { continue };
            if args.hook.as_ref().is_some_and(|wanted| *wanted != said.hook)
                || args.run.as_ref().is_some_and(|wanted| *wanted != said.run.as_str())
            {
                continue;
            }
            was_seen = true;
            is_over |= args.run.is_some() && said.is_end;
            if args.json {
                lines.push(line.to_owned());
            } else {
                lines.extend(said.lines);
            }
        }
        let n_skipped = first_most.take().map_or(0, |most| lines.len().saturating_sub(most));
        for line in &lines[n_skipped..] {
            print(format_args!("{line}"));
        }
        if args.follow && !is_over && (was_seen || args.run.is_none()) {
            thread::sleep(LOOK);
            continue;
        }
        return match &args.run {
            Some(run) if !was_seen => from_history(run, args.json, place),
            None if !was_seen && args.hook.is_none() => {
                output::note("no run was ever asked for");
                Ok(Exit::Fine)
            }
            _ => Ok(Exit::Fine),
        };
    }
}

/// Tells of a run that ended before the journal last began anew: its steps are gone, its record is not.
fn from_history(run: &str, as_json: bool, place: &Place) -> anyhow::Result<Exit> {
    let query = Query { grep: Some(run.to_owned()), limit: 100, ..Query::default() };
    let found = if place.workspace.automation_queue().as_path().exists() {
        History::open(&place.workspace)?.find(&query)?
    } else {
        Vec::new()
    };
    let Some(record) = found.into_iter().find(|it| it.id.as_str() == run) else {
        output::complain(&format!("there is no run `{}`", output::text::one_line(run)));
        output::hint("`steersman automation history` shows the runs that ended");
        return Ok(Exit::No);
    };
    if as_json {
        output::json(&record)?;
    } else {
        let ended =
            record.end_ts.as_deref().and_then(|it| it.get(..19)).unwrap_or_default().replace('T', " ");
        let mut lines = Telling::default().ended(&record).into_iter();
        let head = lines.next().unwrap_or_default();
        print(format_args!("{ended}  {}  {run}  {head}", output::text::one_line(record.hook_id.as_str())));
        for line in lines {
            print(format_args!("    {line}"));
        }
    }
    Ok(Exit::Fine)
}
