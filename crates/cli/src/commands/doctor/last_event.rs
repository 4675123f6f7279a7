//! The last event of each agent program in this workspace.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::time::SystemTime;

use event::SessionId;
use serde::Serialize;
use session::EventRecord;
use store::{SessionDir, Timestamp, Workspace, read_lines};

use crate::output::moment;

/// The maximum number of sessions to read, latest first.
const MAX_SESSIONS: usize = 200;

/// How many bytes of a journal's end to read.
const TAIL: u64 = 64 * 1024;

/// The last event of an agent program.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LastEvent {
    event: String,
    ts: u64,
    session: String,
}

impl fmt::Display for LastEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = Timestamp::from_millis(self.ts);
        write!(f, "{} {}", self.event, moment::ago(at, store::now()))
    }
}

/// Returns the last event of each host, by the host's name. Reads the journals, so that a broken `state.json`
/// hides no host.
pub(super) fn last_events(workspace: &Workspace) -> BTreeMap<String, LastEvent> {
    let mut last = BTreeMap::new();
    for (id, session) in latest_sessions(workspace) {
        if let Some((host, event)) = last_of(id, &session) {
            last.entry(host).or_insert(event);
        }
    }
    last
}

/// Returns the sessions, last written first.
pub(super) fn latest_sessions(workspace: &Workspace) -> Vec<(SessionId, SessionDir)> {
    let ids = workspace.sessions().unwrap_or_default();
    let mut sessions: Vec<(SystemTime, SessionId, SessionDir)> = ids
        .into_iter()
        .map(|id| {
            let session = workspace.session(id);
            let written = fs::metadata(session.events_file().as_path()).and_then(|meta| meta.modified());
            (written.unwrap_or(SystemTime::UNIX_EPOCH), id, session)
        })
        .collect();
    sessions.sort_by_key(|(written, id, _)| (std::cmp::Reverse(*written), *id));
    sessions.into_iter().take(MAX_SESSIONS).map(|(_, id, session)| (id, session)).collect()
}

fn last_of(id: SessionId, session: &SessionDir) -> Option<(String, LastEvent)> {
    let journal = session.events_file();
    let length = fs::metadata(journal.as_path()).ok().filter(fs::Metadata::is_file)?.len();
    let tail = read_lines(&journal, length.saturating_sub(TAIL)).ok()?;
    tail.lines().rev().find_map(|line| {
        let record: EventRecord = serde_json::from_str(line).ok()?;
        let word = |key: &str| record.data.get(key)?.as_str().map(str::to_owned);
        // Only the line of the run itself names the host.
        let (host, event) = (word("host")?, word("event")?);
        Some((host, LastEvent { event, ts: record.ts, session: id.to_string() }))
    })
}
