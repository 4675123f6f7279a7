//! Summarises a session in one line, from its state and the end of its journal.
//!
//! Everything but the counts is exact: ids, turn, work and phase are those of the updated state; the last event is
//! the journal's last line. Tool calls, denies and asks are counted in the last [`COUNTED_BYTES`] of the journal, so
//! that listing a thousand long sessions is fast; `counted_all` tells whether that was the whole journal.

use std::fs;
use std::io;
use std::time::UNIX_EPOCH;

use event::{LineKind, Phase, SessionId, WorkId};
use serde::Deserialize;
use store::{SessionDir, Timestamp, Workspace, read_lines};

use super::snapshot;
use crate::open_session::fold;
use crate::{Hold, RecordedDecision, State};

/// The size of the journal's end in which calls are counted.
pub const COUNTED_BYTES: u64 = 256 * 1024;

/// A session in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overview {
    /// Its id.
    pub id: SessionId,
    /// The host's name.
    pub host: Option<String>,
    /// The time of its first event.
    pub started: Option<Timestamp>,
    /// The time of its last line; without one, the journal's modification time.
    pub last_event: Option<Timestamp>,
    /// The piece of work.
    pub work: WorkId,
    /// The last turn.
    pub turn: u64,
    /// The phase.
    pub phase: Phase,
    /// A person's order to hold or release it.
    pub hold: Hold,
    /// The number of judged tool calls.
    pub tool_calls: u64,
    /// The number of denied calls.
    pub denies: u64,
    /// The number of calls that the user was asked about.
    pub asks: u64,
    /// Whether the counts cover the whole journal.
    pub counted_all: bool,
    /// A read error; the values above may be wrong.
    pub problem: Option<String>,
}

/// Returns every session of a workspace, the latest first.
pub fn overviews(workspace: &Workspace) -> io::Result<Vec<Overview>> {
    let ids = workspace.sessions()?;
    let mut all: Vec<_> = ids.into_iter().filter_map(|id| of(id, &workspace.session(id))).collect();
    all.sort_by_key(|session| (std::cmp::Reverse(session.last_event), session.id));
    Ok(all)
}

/// Returns one session. Returns `None` if its folder has neither a journal nor a state.
pub fn overview(workspace: &Workspace, id: SessionId) -> Option<Overview> {
    of(id, &workspace.session(id))
}

fn of(id: SessionId, session: &SessionDir) -> Option<Overview> {
    let journal = fs::metadata(session.events_file().as_path()).ok();
    if journal.is_none() && !session.state_file().as_path().exists() {
        return None;
    }
    let length = journal.as_ref().map_or(0, fs::Metadata::len);
    let tail_start = length.saturating_sub(COUNTED_BYTES);
    let mut problem = None;
    let mut tail = read_lines(&session.events_file(), tail_start).unwrap_or_else(|error| {
        problem = Some(error.to_string());
        String::new()
    });
    let first_whole = if tail_start > 0 { tail.find('\n').map_or(tail.len(), |at| at + 1) } else { 0 };
    tail.drain(..first_whole);
    let mut state = snapshot::read(session).unwrap_or_else(|error| {
        problem = Some(error.to_string());
        State::new()
    });
    // If the state lags by more than the tail, the whole tail is folded in.
    let lag = state.core.last_event_offset.checked_sub(tail_start + first_whole as u64);
    let lag = lag.and_then(|lag| usize::try_from(lag).ok()).unwrap_or(0);
    fold(&mut state, tail.get(lag..).unwrap_or_default());
    let counts = Counts::of(&tail);
    let changed = journal.and_then(|meta| meta.modified().ok());
    let changed = changed.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let changed = changed.and_then(|since| u64::try_from(since.as_millis()).ok());
    Some(Overview {
        id,
        host: state.core.host.clone(),
        started: state.core.started_ts.map(Timestamp::from_millis),
        last_event: counts.last_ts.or(changed).map(Timestamp::from_millis),
        work: state.core.work(),
        turn: state.core.last_turn_id,
        phase: state.core.phase(),
        hold: state.core.hold.clone(),
        tool_calls: counts.tool_calls,
        denies: counts.denies,
        asks: counts.asks,
        counted_all: tail_start == 0,
        problem,
    })
}

#[derive(Debug, Default)]
struct Counts {
    last_ts: Option<u64>,
    tool_calls: u64,
    denies: u64,
    asks: u64,
}

/// The part of the last line that the overview needs.
#[derive(Deserialize)]
struct LineTime {
    ts: u64,
}

impl Counts {
    fn of(lines: &str) -> Self {
        let mut counts = Self::default();
        let mut last = None;
        for line in lines.lines() {
            last = Some(line);
            match tool_decision(line) {
                None => continue,
                Some(RecordedDecision::Deny) => counts.denies += 1,
                Some(RecordedDecision::Ask) => counts.asks += 1,
                Some(RecordedDecision::Allow | RecordedDecision::Abstain) => {}
            }
            counts.tool_calls += 1;
        }
        counts.last_ts =
            last.and_then(|line| serde_json::from_str::<LineTime>(line).ok()).map(|line| line.ts);
        counts
    }
}

/// Returns the decision in the line of a run that judged a tool call. Returns `None` for other lines.
///
/// WHY not as JSON: a thousand sessions have a hundred thousand such lines. steersman writes them itself, so the
/// keys up to the decision have a fixed order.
fn tool_decision(line: &str) -> Option<RecordedDecision> {
    let head = &line[..line.floor_char_boundary(512)];
    let (envelope, data) = head.split_once(",\"data\":{")?;
    let kind = envelope.split_once(",\"type\":\"").and_then(|(_, rest)| rest.split('"').next());
    let is_run = kind == Some(LineKind::HookRun.name());
    let is_ours = data.starts_with("\"callKey\":\"") || data.starts_with("\"host\":\"");
    let (before, decision) = data.split_once("\"decision\":\"")?;
    let is_tool = before.contains("\"event\":\"PreToolUse\",");
    let word = decision.split('"').next().filter(|_| is_run && is_ours && is_tool)?;
    RecordedDecision::parse(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EventRecord;
    use serde_json::json;

    fn line(kind: &str, data: &serde_json::Value) -> String {
        let record = EventRecord {
            v: 1,
            ts: 1_740_700_000_123,
            kind: kind.into(),
            hook_run_id: "PreToolUse-14-1740700000123".into(),
            session_id: "a3f0c812".into(),
            work_id: "w001".into(),
            agent_id: "u00".into(),
            turn_id: 14,
            module: None,
            data: data.as_object().cloned().unwrap_or_default(),
        };
        serde_json::to_string(&record).unwrap()
    }

    #[test]
    fn only_runs_about_tool_calls_count() {
        let run = |event: &str, decision: &str| {
            line(
                "HOOK_RUN",
                &json!({"host": "cursor", "event": event, "hostEvent": "x", "decision": decision}),
            )
        };
        assert_eq!(tool_decision(&run("PreToolUse", "deny")), Some(RecordedDecision::Deny));
        assert_eq!(tool_decision(&run("Stop", "deny")), None);
        let about = json!({"tool": "x", "host": "y", "event": "PreToolUse", "decision": "deny"});
        assert_eq!(tool_decision(&line("TOOL_DECISION", &about)), None);
    }

    #[test]
    fn what_a_model_wrote_does_not_count() {
        let input = json!({
            "host": "codex", "event": "PostToolUse", "decision": "abstain",
            "input": {"host": "codex", "event": "PreToolUse", "decision": "deny"},
        });
        assert_eq!(tool_decision(&line("HOOK_RUN", &input)), None);
    }
}
