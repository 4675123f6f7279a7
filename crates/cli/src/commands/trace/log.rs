//! `steersman trace log [--intent ID] [--file PATH] [--since TIME] [--until TIME] [--json]`
//!
//! With `--json`: `{"records": […]}`, the latest first, each with the fields of the trace.

use std::collections::VecDeque;

use intent::trace::{LineRange, MutationClass, TraceRecord};
use serde_json::json;

use super::{filter, records};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::paint::{CAREFUL, FAINT, GOOD, STRONG};
use crate::output::table::{Cell, Column, Table};
use crate::output::{self, print, text};

/// List the writes of agents, latest first
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    filter: filter::FilterArgs,
    /// The maximum number of records; 0 prints all
    #[arg(long, short = 'n', value_name = "N", default_value_t = 50)]
    limit: usize,
    /// Print JSON: {"records": […]}, each with the fields of the trace; `steersman schema trace-record` describes them
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let filter = args.filter.filter(place);
    let mut latest: VecDeque<TraceRecord> = VecDeque::new();
    let mut n_older = 0;
    records::each(place, &filter, |record| {
        latest.push_back(record);
        if args.limit > 0 && latest.len() > args.limit {
            latest.pop_front();
            n_older += 1;
        }
    })?;
    if args.json {
        let records: Vec<_> = latest.iter().rev().collect();
        output::json(&json!({"records": records}))?;
        return Ok(Exit::Fine);
    }
    if latest.is_empty() {
        records::report_empty(&filter);
        return Ok(Exit::Fine);
    }
    for line in table(latest.iter().rev()).lines(output::columns()) {
        print(format_args!("{line}"));
    }
    if n_older > 0 {
        let older = text::counted(n_older, "older one is", "older ones are");
        output::note(&format!("{older} not shown; pass `--limit 0` to print all"));
    }
    Ok(Exit::Fine)
}

fn table<'a>(records: impl Iterator<Item = &'a TraceRecord>) -> Table {
    let mut table = Table::new([
        Column::whole("WHEN, UTC"),
        Column::whole("INTENT"),
        Column::left("WHAT"),
        Column::left("FILE"),
        Column::left("LINES"),
        Column::left("TOOL"),
        Column::left("COMMIT"),
    ]);
    for record in records {
        let (what, style) = match record.mutation_class {
            MutationClass::Create => ("create", GOOD),
            MutationClass::Modify => ("modify", CAREFUL),
        };
        let sha = record.git_sha.as_deref().unwrap_or("–");
        table.push([
            Cell::styled(when(&record.timestamp), FAINT),
            Cell::styled(record.intent_id.as_str(), STRONG),
            Cell::styled(what, style),
            text::one_line(&record.file_path).into(),
            lines(record.line_ranges.as_deref()).into(),
            text::one_line(&record.tool_name).into(),
            Cell::styled(text::one_line(sha.get(..8).unwrap_or(sha)), FAINT),
        ]);
    }
    table
}

/// Returns a timestamp of the trace, to the second.
pub(super) fn when(timestamp: &str) -> String {
    text::one_line(&timestamp.get(..19).unwrap_or(timestamp).replacen('T', " ", 1))
}

fn lines(ranges: Option<&[LineRange]>) -> String {
    let Some(ranges) = ranges else { return "?".to_owned() };
    let range = |range: &LineRange| {
        if range.start == range.end {
            range.start.to_string()
        } else {
            format!("{}-{}", range.start, range.end)
        }
    };
    let shown: Vec<String> = ranges.iter().take(4).map(range).collect();
    let more = if ranges.len() > 4 { " …" } else { "" };
    if shown.is_empty() { "–".to_owned() } else { format!("{}{more}", shown.join(" ")) }
}
