//! Calls that a person permitted for a whole session.

use event::LineKind;
use serde_json::Value;
use store::{Journal, SessionDir};

use crate::{Answer, Scope};

/// How much of the end of a journal is searched. A call whose answer is further back is asked about again.
const JOURNAL_END: u64 = 8 * 1024 * 1024;

/// Returns whether the journal says that a person permitted calls with this key for the session.
///
/// WHY the journal alone: it is the truth, and the only record that an answer leaves.
pub fn is_granted(session: &SessionDir, key: &str) -> bool {
    let lines = Journal::open_to_read(&session.events_file()).ok().flatten();
    let Some(lines) = lines.and_then(|journal| journal.tail(JOURNAL_END).ok()) else { return false };
    let kind = format!("\"type\":\"{}\"", LineKind::AskAnswered.name());
    let for_session = Answer::Allow { scope: Scope::Session }.as_str();
    lines.lines().filter(|line| line.contains(&kind) && line.contains(key)).any(|line| {
        let line: Value = serde_json::from_str(line).unwrap_or_default();
        line["type"] == LineKind::AskAnswered.name()
            && line["data"]["key"] == key
            && line["data"]["answer"] == for_session
    })
}
