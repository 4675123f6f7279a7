//! `steersman session coverage [SID | --all] [--json] [--require PERCENT]`
//!
//! With `--json`: `{"sessions": [{"sid", "host", "calls", "governed", "percent", "ungoverned": [{"time", "tool", "id",
//! "cause"}], "problem"}], "calls", "governed", "percent"}`.

mod check_at_stop;
mod comparison;
mod transcripts;

use event::SessionId;
use host::Host;
use serde_json::{Value, json};
use session::history;
use store::SessionDir;

use super::lookup;
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::{self, print, text::one_line};
pub(crate) use check_at_stop::start_detached;
use comparison::Comparison;

/// Compare the agent program's own transcript with the journal: did a hook judge every call?
///
/// A call that no hook judged is UNGOVERNED. Reads the transcripts of Claude Code, Codex, Gemini CLI, Copilot CLI and
/// Qwen Code. Exits with 3 if a transcript is missing, unreadable or empty: that proves nothing.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session, or the first characters of its id [default: the latest session]
    #[arg(conflicts_with = "all")]
    sid: Option<String>,
    /// Every session of this workspace
    #[arg(long)]
    all: bool,
    /// Exit with 1 if hooks judged fewer calls than this
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..=100))]
    require: Option<u8>,
    /// Record the calls that no hook judged in the journal: the hook at a stop starts this
    #[arg(long, hide = true, requires = "sid")]
    record: bool,
    /// Print JSON: {"sessions": [{sid, host, calls, governed, percent, ungoverned, problem}], calls, governed, percent}
    #[arg(long)]
    json: bool,
}

/// How many sessions are searched for the latest of each agent program.
const MAX_LATEST: usize = 20;

/// The coverage of one session.
struct Covered {
    id: SessionId,
    host: Option<Host>,
    found: Result<Comparison, String>,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let ids = if args.all {
        lookup::latest_first(place)?
    } else {
        let Some(id) = lookup::find_or_latest(place, args.sid.as_deref())? else { return Ok(Exit::No) };
        if args.record {
            return check_at_stop::run(place, id);
        }
        vec![id]
    };
    let mut sessions = Vec::new();
    for id in ids {
        sessions.push(covered(place, id));
    }
    let whole = sessions
        .iter()
        .filter_map(|session| session.found.as_ref().ok())
        .fold((0, 0), |(calls, governed), found| (calls + found.calls, governed + found.governed()));
    if args.json {
        let rows: Vec<Value> = sessions.iter().map(to_json).collect();
        let mut object = numbers(whole.0, whole.1);
        object["sessions"] = Value::Array(rows);
        output::json(&object)?;
    } else {
        sessions.iter().for_each(print_session);
    }
    let is_unproven = sessions.is_empty() || sessions.iter().any(|session| session.found.is_err());
    if is_unproven {
        return Ok(Exit::World);
    }
    let is_met = args.require.is_none_or(|percent| whole.1 * 100 >= whole.0 * u64::from(percent));
    Ok(if is_met { Exit::Fine } else { Exit::No })
}

/// The share of calls that hooks judged in a session.
pub(crate) struct Share {
    pub(crate) host: Host,
    pub(crate) session: SessionId,
    pub(crate) calls: u64,
    pub(crate) governed: u64,
}

/// Returns the share in the latest session of each agent program that has a readable transcript.
pub(crate) fn share_of_latest_sessions(place: &Place) -> Vec<Share> {
    let mut shares: Vec<Share> = Vec::new();
    for id in lookup::latest_first(place).unwrap_or_default().into_iter().take(MAX_LATEST) {
        let Covered { host: Some(host), found: Ok(found), .. } = covered(place, id) else { continue };
        if shares.iter().all(|share| share.host != host) {
            shares.push(Share { host, session: id, calls: found.calls, governed: found.governed() });
        }
    }
    shares
}

fn covered(place: &Place, id: SessionId) -> Covered {
    let dir = place.workspace.session(id);
    let named = host_session(&dir);
    let host = named.as_ref().ok().map(|(host, _)| *host);
    let found = named.and_then(|(host, session)| {
        transcripts::of(host, &session).and_then(|files| comparison::of(host, &files, &dir))
    });
    Covered { id, host, found }
}

/// Returns the agent program of a session and its own id of it.
fn host_session(dir: &SessionDir) -> Result<(Host, String), String> {
    let state = history::snapshot(dir).map_err(|error| format!("cannot read the state: {error}"))?;
    let host = state.core.host.as_deref().and_then(Host::from_name);
    host.zip(state.core.host_session_id)
        .ok_or_else(|| "the session does not name its agent program".to_owned())
}

fn print_session(session: &Covered) {
    let host = session.host.map_or("unknown", Host::title);
    match &session.found {
        Err(problem) => output::error(&format!("session {} ({host}): {}", session.id, one_line(problem))),
        Ok(found) => {
            let percent = percent(found.calls, found.governed());
            print(format_args!(
                "{}  {host}: hooks judged {} of {} calls ({percent})",
                session.id,
                found.governed(),
                found.calls
            ));
            for call in &found.ungoverned {
                let time = call.time.as_deref().unwrap_or("at an unknown time");
                print(format_args!("  UNGOVERNED  {time}  {}  {}", one_line(&call.tool), call.cause));
            }
        }
    }
}

fn to_json(session: &Covered) -> Value {
    let (sid, host) = (session.id.to_string(), session.host.map(Host::name));
    match &session.found {
        Err(problem) => json!({"sid": sid, "host": host, "problem": problem}),
        Ok(found) => {
            let mut object = numbers(found.calls, found.governed());
            object["sid"] = sid.into();
            object["host"] = host.into();
            let calls = found.ungoverned.iter().map(
                |call| json!({"time": call.time, "tool": call.tool, "id": call.id, "cause": call.cause}),
            );
            object["ungoverned"] = calls.collect();
            object
        }
    }
}

fn numbers(calls: u64, governed: u64) -> Value {
    let percent = (governed * 100).checked_div(calls);
    json!({"calls": calls, "governed": governed, "percent": percent})
}

/// Rounds down: 100 % means every call.
fn percent(calls: u64, governed: u64) -> String {
    (governed * 100).checked_div(calls).map_or_else(|| "no calls".to_owned(), |share| format!("{share} %"))
}
