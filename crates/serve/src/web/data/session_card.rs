//! A session in a few words: what it does now, and whether it waits for the person.

use event::EventName;
use page::view::{SessionCard, SessionStatus};
use session::history::{Overview, parse};
use session::{EventRecord, RecordedDecision, RunRecord};
use store::Workspace;

use super::journal_window::JournalWindow;

/// How much of a journal's end tells what a session does now.
const TAIL: u64 = 64 * 1024;
/// After this time without an event a session is quiet.
const QUIET_AFTER: u64 = 10 * 60 * 1000;
/// A session that ended its turn this long ago no longer waits for the user.
const FORGOTTEN_AFTER: u64 = 12 * 60 * 60 * 1000;
/// How many characters of a call are shown.
const SHOWN: usize = 200;

/// Returns the card of a session.
pub(super) fn of(workspace: &Workspace, overview: &Overview, now: u64) -> SessionCard {
    let window =
        JournalWindow::read(&workspace.session(overview.id).events_file(), None, TAIL).unwrap_or_default();
    let last = last_run(&window.text);
    let last_call = last_call(&window.text);
    let (status, waiting_since, doing) = state(workspace, overview, last.as_ref(), last_call.as_ref(), now);
    SessionCard {
        sid: overview.id.to_string(),
        host: overview.host.clone(),
        status,
        waiting_since,
        doing,
        started: overview.started.map(store::Timestamp::as_millis),
        last_event: overview.last_event.map(store::Timestamp::as_millis),
        turn: overview.turn,
        phase: overview.phase.as_str().to_owned(),
        tool_calls: overview.tool_calls,
        denies: overview.denies,
        asks: overview.asks,
        counts_complete: overview.counted_all,
        problem: overview.problem.clone(),
    }
}

fn state(
    workspace: &Workspace,
    overview: &Overview,
    last: Option<&LastRun>,
    last_call: Option<&RunRecord>,
    now: u64,
) -> (SessionStatus, Option<u64>, String) {
    let since = overview.last_event.map(store::Timestamp::as_millis);
    let age = now.saturating_sub(since.unwrap_or(0));
    let doing = last.map(|last| doing(workspace, &last.call)).unwrap_or_default();
    if overview.hold.is_in_force() {
        return (SessionStatus::Held, since, doing);
    }
    if overview.phase == event::Phase::Blocked {
        return (SessionStatus::Blocked, since, doing);
    }
    if age > FORGOTTEN_AFTER {
        return (SessionStatus::Quiet, None, doing);
    }
    match last {
        Some(LastRun { record, .. })
            if record.is_of(EventName::PreToolUse) && record.decision == RecordedDecision::Ask =>
        {
            (SessionStatus::Asking, since, doing)
        }
        Some(LastRun { record, .. }) if record.is_of(EventName::Stop) => {
            (SessionStatus::Waiting, since, ended(workspace, last_call))
        }
        _ if age > QUIET_AFTER => (SessionStatus::Quiet, None, doing),
        _ => (SessionStatus::Working, None, doing),
    }
}

/// Returns that the turn ended, and with which call: several sessions that wait can be told apart.
fn ended(workspace: &Workspace, last_call: Option<&RunRecord>) -> String {
    match last_call {
        Some(call) => format!("The turn ended after {}", doing(workspace, call)),
        None => "The turn ended.".to_owned(),
    }
}

fn doing(workspace: &Workspace, record: &RunRecord) -> String {
    let target = timeline::target::of(record, Some(workspace.root().as_path()));
    let text = match &record.tool {
        Some(tool) => format!("{tool} {target}"),
        None => record.event.clone(),
    };
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// The end of a session.
struct LastRun {
    /// The last run.
    record: RunRecord,
    /// The last run that tells what the agent does: the record of a result does not repeat the call.
    call: RunRecord,
}

/// Returns the last tool call of the main agent.
fn last_call(lines: &str) -> Option<RunRecord> {
    let runs = lines.lines().rev().filter(|line| line.contains("\"type\":\"HOOK_RUN\"")).filter_map(parse);
    let mut calls =
        runs.take(50).filter(|line| line.agent_id == "u00").filter_map(|line| RunRecord::of(&line));
    calls.find(|record| record.is_of(EventName::PreToolUse))
}

/// Returns the last run of the main agent, else of any.
fn last_run(lines: &str) -> Option<LastRun> {
    let runs = || {
        lines.lines().rev().filter(|line| line.contains("\"type\":\"HOOK_RUN\"")).filter_map(|line| {
            let line = parse(line)?;
            let record = RunRecord::of(&line)?;
            Some((line, record))
        })
    };
    let is_main = |(line, _): &(EventRecord, RunRecord)| line.agent_id == "u00";
    let (line, record) = runs().take(50).find(is_main).or_else(|| runs().next())?;
    let is_call = |(it, record): &(EventRecord, RunRecord)| {
        it.agent_id == line.agent_id && !record.event.starts_with("PostToolUse")
    };
    let call = runs().take(50).find(is_call).map_or_else(|| record.clone(), |(_, record)| record);
    Some(LastRun { record, call })
}
