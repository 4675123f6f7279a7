//! `steersman trace stats [--json]`
//!
//! With `--json`: `{"intents": [{"intent", "files", "writes", "lines", "denials", "from", "to"}]}`; `intent`
//! is null for calls that were denied because no intent was selected.

use std::collections::BTreeMap;

use anyhow::Context;
use intent::IntentId;
use intent::trace::{IntentStats, stats};
use serde_json::{Value, json};

use super::filter::Filter;
use super::{journals, log, records};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::paint::{BAD, FAINT, GOOD, STRONG};
use crate::output::table::{Cell, Column, Table};
use crate::output::{self, print};

/// Count writes and denials per intent
///
/// Counts denials in the journals of existing sessions.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print JSON: {"intents": [{intent, files, writes, lines, denials, from, to}]}
    #[arg(long)]
    json: bool,
}

/// One row of the table.
struct Row {
    intent: Option<IntentId>,
    written: IntentStats,
    denials: usize,
}

/// The maximum length of a bar.
const BAR: usize = 12;

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let trace = records::open(place).and_then(stats);
    let mut written = trace.with_context(|| format!("cannot read `{}`", records::file(place)))?;
    let mut denials = journals::denials(place)?;
    let mut rows: BTreeMap<Option<IntentId>, Row> = BTreeMap::new();
    let ids: Vec<Option<IntentId>> =
        written.keys().cloned().map(Some).chain(denials.keys().cloned()).collect();
    for id in ids {
        rows.entry(id.clone()).or_insert_with(|| Row {
            written: id.as_ref().and_then(|id| written.remove(id)).unwrap_or_default(),
            denials: denials.remove(&id).unwrap_or_default(),
            intent: id,
        });
    }
    let rows: Vec<Row> = rows.into_values().collect();
    if args.json {
        output::json(&json!({"intents": rows.iter().map(to_json).collect::<Vec<_>>()}))?;
        return Ok(Exit::Fine);
    }
    if rows.is_empty() {
        records::report_empty(&Filter::default());
        return Ok(Exit::Fine);
    }
    for line in table(&rows).lines(output::columns()) {
        print(format_args!("{line}"));
    }
    Ok(Exit::Fine)
}

fn to_json(row: &Row) -> Value {
    let time = |text: &str| if text.is_empty() { Value::Null } else { text.into() };
    json!({
        "intent": row.intent.as_ref().map(IntentId::as_str),
        "files": row.written.files.len(),
        "writes": row.written.n_writes,
        "lines": row.written.n_lines,
        "denials": row.denials,
        "from": time(&row.written.from),
        "to": time(&row.written.to),
    })
}

fn table(rows: &[Row]) -> Table {
    let most = |value: fn(&Row) -> usize| rows.iter().map(value).max().unwrap_or(0);
    let (most_lines, most_denials) = (most(|row| row.written.n_lines), most(|row| row.denials));
    let mut table = Table::new([
        Column::whole("INTENT"),
        Column::right("FILES"),
        Column::right("WRITES"),
        Column::right("LINES"),
        Column::left(" "),
        Column::right("DENIED"),
        Column::left(" "),
        Column::left("LAST, UTC"),
    ]);
    for row in rows {
        let name = row.intent.as_ref().map_or("(none)", IntentId::as_str);
        let last = if row.written.to.is_empty() { "–".to_owned() } else { log::when(&row.written.to) };
        table.push([
            Cell::styled(name, STRONG),
            row.written.files.len().to_string().into(),
            row.written.n_writes.to_string().into(),
            row.written.n_lines.to_string().into(),
            Cell::styled(bar(row.written.n_lines, most_lines), GOOD),
            row.denials.to_string().into(),
            Cell::styled(bar(row.denials, most_denials), BAD),
            Cell::styled(last, FAINT),
        ]);
    }
    table
}

/// Returns a bar in proportion to the largest number; at least one character unless the number is 0.
fn bar(number: usize, most: usize) -> String {
    let length = number.saturating_mul(BAR).checked_div(most).unwrap_or(0);
    "█".repeat(if number > 0 { length.max(1) } else { 0 })
}
