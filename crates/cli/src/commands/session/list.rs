//! `steersman session list [--json]`
//!
//! With `--json`: `{"sessions": […]}`, the latest first, each with `sid`, `host`, `startedTs`, `lastEventTs`
//! (milliseconds since 1970), `workId`, `turn`, `phase`, `held`, `toolCalls`, `denies`, `asks`, `countsComplete`, and
//! `problem` if reading failed. Counts cover the journal's last 256 KiB; `countsComplete` is false if it is
//! longer.

use anyhow::Context;
use event::Phase;
use serde_json::{Map, Value, json};
use session::history::{Overview, overviews};

use crate::commands::Place;
use crate::exit::Exit;
use crate::output::paint::{BAD, CAREFUL, FAINT, PLAIN, STRONG};
use crate::output::table::{Cell, Column, Table};
use crate::output::{self, moment, print};

/// List the sessions of this workspace, latest first
///
/// A number with `+` counts only the last 256 KiB of a longer journal.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print JSON: {"sessions": [{sid, host, startedTs, lastEventTs, workId, turn, phase, held, toolCalls,
    /// denies, asks, countsComplete}]}
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let sessions = overviews(&place.workspace).context("cannot list the sessions")?;
    if args.json {
        let sessions: Vec<_> = sessions.iter().map(to_json).collect();
        output::json(&json!({"sessions": sessions}))?;
        return Ok(Exit::Fine);
    }
    if sessions.is_empty() {
        output::note("no sessions yet");
        output::hint(super::lookup::first_session(place));
        return Ok(Exit::Fine);
    }
    for line in table(&sessions).lines(output::columns()) {
        print(format_args!("{line}"));
    }
    for session in sessions.iter().filter(|session| session.problem.is_some()) {
        let problem = session.problem.as_deref().unwrap_or_default();
        output::note(&format!("{}: {}", session.id, output::text::one_line(problem)));
    }
    Ok(Exit::Fine)
}

fn table(sessions: &[Overview]) -> Table {
    let now = store::now();
    let mut table = Table::new([
        Column::whole("SID"),
        Column::left("HOST"),
        Column::left("STARTED, UTC").extra(),
        Column::left("LAST EVENT"),
        Column::left("WORK").extra(),
        Column::right("TURN").extra(),
        Column::left("PHASE"),
        Column::right("CALLS"),
        Column::right("DENY"),
        Column::right("ASK"),
    ]);
    for session in sessions {
        let count = |number: u64| format!("{number}{}", if session.counted_all { "" } else { "+" });
        let painted =
            |number: u64, style| Cell::styled(count(number), if number > 0 { style } else { FAINT });
        let unknown = || "–".to_owned();
        let phase = if session.phase == Phase::Blocked || session.hold.is_in_force() { BAD } else { PLAIN };
        let word = if session.hold.is_in_force() { "HELD" } else { session.phase.as_str() };
        table.push([
            Cell::styled(session.id.to_string(), STRONG),
            session.host.as_deref().map_or_else(unknown, output::text::one_line).into(),
            session.started.map_or_else(unknown, |at| moment::day(at, now)).into(),
            session.last_event.map_or_else(unknown, |at| moment::ago(at, now)).into(),
            session.work.to_string().into(),
            session.turn.to_string().into(),
            Cell::styled(word, phase),
            count(session.tool_calls).into(),
            painted(session.denies, BAD),
            painted(session.asks, CAREFUL),
        ]);
    }
    table
}

/// Returns the session as JSON.
pub(crate) fn to_json(session: &Overview) -> Value {
    let mut to_json = Map::new();
    let mut put = |key: &str, value: Value| {
        to_json.insert(key.to_owned(), value);
    };
    put("sid", session.id.to_string().into());
    put("host", session.host.clone().into());
    put("startedTs", session.started.map(store::Timestamp::as_millis).into());
    put("lastEventTs", session.last_event.map(store::Timestamp::as_millis).into());
    put("workId", session.work.to_string().into());
    put("turn", session.turn.into());
    put("phase", session.phase.as_str().into());
    put("held", session.hold.is_in_force().into());
    put("toolCalls", session.tool_calls.into());
    put("denies", session.denies.into());
    put("asks", session.asks.into());
    put("countsComplete", session.counted_all.into());
    if let Some(problem) = &session.problem {
        put("problem", problem.as_str().into());
    }
    Value::Object(to_json)
}
