//! `steersman session show [SID] [--turn N] [--json]`
//!
//! With `--json`: `{"session": {…}, "turns": [{"turn", "workId", "ts", "prompt", "entries"}]}`.
//! `session` has the keys of `session list`. An entry has `ts`, `run`, `agent`, `kind` and
//! what belongs to that kind: `call` (`tool`, `target`, `decision`, `module`, `reason`,
//! `rewritten`, `couldNotAsk`, `outcome`), `result`, `refused`, `start`, `phase`,
//! `compaction`, `agentStart`, `agentStop`, `stop`, `failure`, `outOfTime`, `warning`, `note`.

use std::ops::ControlFlow;

use anyhow::Context;
use dispatch::history;
use serde_json::json;

use super::drawing::{Drawing, Runs};
use super::shaper::Shaper;
use super::{list, which};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;

/// Draw a session as a timeline
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session, or the beginning of its id; without it, the one that was last at work
    sid: Option<String>,
    /// Only this turn; 0 is what came before the first prompt
    #[arg(long, value_name = "N")]
    turn: Option<u64>,
    /// Name the run of every row, not only of what was refused or asked about
    #[arg(long)]
    runs: bool,
    /// Print JSON: {session, turns: [{turn, workId, ts, prompt, entries: [{ts, run, agent, kind, …}]}]}
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let Some(id) = which::find_or_latest(place, args.sid.as_deref())? else { return Ok(Exit::No) };
    let session = place.workspace.session(id);
    let prompts = history::prompts(&session).context("cannot read the prompts")?;
    let mut shaper = Shaper::new(place.workspace.root().as_path(), prompts);
    let of_turn = args.turn.map(|turn| format!("\"turnId\":{turn},"));
    history::each_line(&session.events_file(), |text| {
        // A third of a journal; the run's own line says the same.
        let is_said_twice = history::head(text).contains(",\"type\":\"TOOL_DECISION\",");
        if !is_said_twice
            && of_turn.as_ref().is_none_or(|wanted| text.contains(wanted))
            && let Some(line) = history::parse(text)
            && args.turn.is_none_or(|turn| turn == line.turn_id)
        {
            shaper.add(line);
        }
        ControlFlow::<()>::Continue(())
    })
    .with_context(|| format!("cannot read the journal of session {id}"))?;
    let cwd = shaper.cwd.clone();
    let turns = shaper.finish();
    if let (Some(turn), true) = (args.turn, turns.is_empty()) {
        output::complain(&format!("session {id} has no turn {turn}"));
        return Ok(Exit::No);
    }
    let Some(overview) = history::overview(&place.workspace, id) else {
        output::complain(&format!("nothing was recorded of session {id}"));
        return Ok(Exit::No);
    };
    if args.json {
        output::json(&json!({"session": list::wire(&overview), "turns": turns}))?;
    } else {
        let runs = if args.runs { Runs::All } else { Runs::Stopped };
        Drawing::new(&turns, runs).print(&overview, cwd.as_deref());
    }
    Ok(Exit::Fine)
}
