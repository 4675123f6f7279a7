//! `steersman automation history [--grep TEXT] [--hook ID] [--status STATUS] [--since WHEN] [--limit N] [--json]`

use std::error::Error;

use automation::{ExecutionRecord, Status};
use serve::Query;
use store::Timestamp;

use super::{Applied, Place};
use crate::exit::Exit;
use crate::output::table::{Cell, Column, Table};
use crate::output::{self, moment, print, text};

/// List finished runs, latest first
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only runs with this text in their id, file, error or output (case-insensitive)
    #[arg(long, value_name = "TEXT")]
    grep: Option<String>,
    /// Only runs of this automation
    #[arg(long, value_name = "ID")]
    hook: Option<String>,
    /// Only runs with this status
    #[arg(long, value_parser = ["success", "failed", "timeout", "canceled"])]
    status: Option<String>,
    /// Only runs that ended within this time: `30m`, `2h`, `7d`
    #[arg(long, value_name = "WHEN", value_parser = since)]
    since: Option<Timestamp>,
    /// Print at most N runs
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
    /// Print JSON: {runs: [record]}
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    Applied::read(place).note_errors();
    let query = Query {
        grep: args.grep.clone(),
        hook: args.hook.clone(),
        status: args.status.clone(),
        since: args.since,
        limit: args.limit,
    };
    let found = if place.workspace.automation_dir().as_path().exists() {
        let found = serve::find_runs(&place.workspace, &query)?;
        if let Some(why) = found.without_index {
            let cause = why.source().map(|cause| format!(": {cause}")).unwrap_or_default();
            output::note(&format!("{why}{cause}; searching the journals instead"));
        }
        found.runs
    } else {
        Vec::new()
    };
    if args.json {
        output::json(&serde_json::json!({ "runs": found }))?;
        return Ok(Exit::Fine);
    }
    if found.is_empty() {
        output::note("no run matches");
        return Ok(Exit::Fine);
    }
    for line in table(&found).lines(output::columns()) {
        print(format_args!("{line}"));
    }
    Ok(Exit::Fine)
}

/// Returns the runs as rows that fit a narrow terminal, each with its subject and its message below.
pub(super) fn table(runs: &[ExecutionRecord]) -> Table {
    let first = [Column::whole("RUN"), Column::whole("ENDED")];
    let mut table = Table::new(first.into_iter().chain(["TOOK", "STATUS", "AUTOMATION"].map(Column::left)));
    let now = store::now();
    for run in runs {
        let style = match run.status {
            Status::Success => output::paint::PLAIN,
            _ => output::paint::BAD,
        };
        let ended = run.end_ts.as_deref().map(|at| moment::short_local_of_record(at, now));
        let cells = [
            run.id.to_string().into(),
            ended.unwrap_or_default().into(),
            run.duration_millis().map(moment::duration).unwrap_or_default().into(),
            Cell::styled(run.status.as_str(), style),
            text::one_line(run.hook_id.as_str()).into(),
        ];
        table.push_with(cells, detail(run));
    }
    table
}

/// Returns the message of a run, its trigger, and the number of its tries.
fn detail(run: &ExecutionRecord) -> String {
    let file = run.file.as_deref().map(|file| format!(" {}", text::one_line(file)));
    let tries = (run.attempts > 1).then(|| format!(", {} tries", run.attempts));
    let interrupted = (run.interruptions > 0).then_some(", interrupted");
    let cause = format!(
        "by {}{}{}{}",
        text::one_line(&run.trigger),
        file.unwrap_or_default(),
        tries.unwrap_or_default(),
        interrupted.unwrap_or_default()
    );
    let said = text::one_line(&said(run));
    if said.is_empty() { cause } else { format!("{said} ({cause})") }
}

/// Returns the error of a run with the last line of its stderr, else the last line of its output.
fn said(run: &ExecutionRecord) -> String {
    match (&run.error, run.last_error_line()) {
        (Some(error), Some(line)) => format!("{}: {line}", error.code),
        (Some(error), None) => format!("{}: {}", error.code, error.message),
        (None, _) => {
            run.logs.as_deref().and_then(|logs| logs.lines().next_back()).unwrap_or_default().to_owned()
        }
    }
}

fn since(text: &str) -> Result<Timestamp, String> {
    let expected = || "a number and one of `s`, `m`, `h`, `d`, such as `2h`".to_owned();
    let unit = text.chars().next_back().ok_or_else(expected)?;
    let number: u64 = text[..text.len() - unit.len_utf8()].parse().map_err(|_| expected())?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        'd' => 86_400,
        _ => return Err(expected()),
    };
    let back = number.saturating_mul(seconds).saturating_mul(1000);
    Ok(Timestamp::from_millis(store::now().as_millis().saturating_sub(back)))
}
