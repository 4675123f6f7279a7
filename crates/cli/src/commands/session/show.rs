//! `steersman session show [SID] [--turn N] [--verbose] [--json]`
//!
//! With `--json`: `{"session": {…}, "turns": [{"turn", "workId", "ts", "prompt", "entries"}]}`. `session` has
//! the keys of `session list`. An entry has `ts`, `run`, `agent`, `kind` and the fields of that kind: `call`
//! (`tool`, `target`, `decision`, `module`, `reason`, `rewritten`, `couldNotAsk`, `outcome`), `result`,
//! `refused`, `start`, `phase`, `compaction`, `agentStart`, `agentStop`, `stop`, `failure`, `outOfTime`,
//! `warning`, `note`.

use std::ops::ControlFlow;

use anyhow::Context;
use event::LineKind;
use serde_json::json;
use session::history;
use timeline::{EntryKind, TimelineBuilder};

use super::timeline_printer::{Runs, TimelinePrinter};
use super::{list, lookup};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;

/// Print the timeline of a session
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session, or the first characters of its id [default: the latest session]
    sid: Option<String>,
    /// Only this turn; 0 is the time before the first prompt
    #[arg(long, value_name = "N")]
    turn: Option<u64>,
    /// Print the run id of every row, not only of denied calls and asks
    #[arg(long)]
    runs: bool,
    /// Also print the internal notes of modules
    #[arg(long)]
    verbose: bool,
    /// Print JSON: {session, turns: [{turn, workId, ts, prompt, entries: [{ts, run, agent, kind, …}]}]}
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let Some(id) = lookup::find_or_latest(place, args.sid.as_deref())? else { return Ok(Exit::No) };
    let session = place.workspace.session(id);
    let prompts = history::prompts(&session).context("cannot read the prompts")?;
    let mut builder = TimelineBuilder::new(place.workspace.root().as_path(), prompts);
    let of_turn = args.turn.map(|turn| format!("\"turnId\":{turn},"));
    history::each_line(&session.events_file(), |text| {
        // These are a third of a journal, and the run's own line contains the same data.
        let is_redundant = history::head(text).contains(",\"type\":\"TOOL_DECISION\",");
        if !is_redundant
            && of_turn.as_ref().is_none_or(|wanted| text.contains(wanted))
            && let Some(line) = history::parse(text)
            && args.turn.is_none_or(|turn| turn == line.turn_id)
        {
            builder.add(line);
        }
        ControlFlow::<()>::Continue(())
    })
    .with_context(|| format!("cannot read the journal of session {id}"))?;
    let cwd = builder.cwd.clone();
    let mut turns = builder.finish();
    if let (Some(turn), true) = (args.turn, turns.is_empty()) {
        output::error(&format!("session {id} has no turn {turn}"));
        return Ok(Exit::No);
    }
    let Some(overview) = history::overview(&place.workspace, id) else {
        output::error(&format!("session {id} has no records"));
        return Ok(Exit::No);
    };
    if args.json {
        output::json(&json!({"session": list::to_json(&overview), "turns": turns}))?;
    } else {
        if !args.verbose {
            for turn in &mut turns {
                turn.entries.retain(|entry| !is_internal(&entry.what));
            }
        }
        let runs = if args.runs { Runs::All } else { Runs::Stopped };
        TimelinePrinter::new(&turns, runs).print(&overview, cwd.as_deref());
    }
    Ok(Exit::Fine)
}

/// Returns whether an entry only serves steersman's own bookkeeping. What a person should know of it is a warning of
/// the same run, or one of the notes listed here.
fn is_internal(what: &EntryKind) -> bool {
    let EntryKind::Note { name, .. } = what else { return false };
    !matches!(
        LineKind::parse(name),
        None | Some(
            LineKind::IntentSelected
                | LineKind::CallAllowed
                | LineKind::Forged
                | LineKind::Unblocked
                | LineKind::SummaryWritten
        )
    )
}
