//! The record of an answer in the user's state folder, without which a line of a journal is no permission.
//!
//! WHY both: a journal is in the workspace, where a command of an agent may append a line to it. The user's state is
//! outside of every scope and of every confined command.

use std::io;
use std::time::Duration;

use event::{AbsPath, LineKind};
use serde_json::Value;
use store::{Journal, SessionDir, plain_file};

use crate::{Answer, AskId, Scope};

/// How much of the end of a journal is searched. A call whose answer is further back is asked about again.
const JOURNAL_END: u64 = 8 * 1024 * 1024;

/// How long an answer is kept. A session that lasts longer asks again.
const KEPT_FOR: Duration = Duration::from_hours(30 * 24);

/// Whether a person permitted a call for its whole session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Permission {
    /// Yes.
    Granted,
    /// No.
    Missing,
    /// The journal says so, but no hook received that answer: another program wrote the line.
    Forged {
        /// The ask that the line names.
        ask: String,
    },
}

/// Records an answer that a hook received, and removes old records.
pub fn record_answer(user_state: &AbsPath, ask: &AskId, answer: &Answer) -> io::Result<()> {
    let folder = store::answers_folder(user_state);
    store::create_private_folder(folder.as_path())?;
    remove_old(&folder);
    let file = folder.child(ask.as_str());
    store::write_shared(file.as_path(), answer.as_str().as_bytes()).map_err(io::Error::other)
}

/// Returns whether a person permitted calls with this key for the session.
pub fn permission(session: &SessionDir, user_state: &AbsPath, key: &str) -> Permission {
    let for_session = Answer::Allow { scope: Scope::Session }.as_str();
    let now = store::now().as_millis();
    let lines = answers_in(session, key);
    let mut permitted = lines.iter().rev().filter(|line| {
        let age = Duration::from_millis(now.saturating_sub(line["ts"].as_u64().unwrap_or(0)));
        line["data"]["key"] == key && line["data"]["answer"] == for_session && age <= KEPT_FOR
    });
    let Some(line) = permitted.next() else { return Permission::Missing };
    let is_recorded = |line: &Value| is_recorded(user_state, &line["data"]);
    if is_recorded(line) || permitted.any(is_recorded) {
        return Permission::Granted;
    }
    Permission::Forged { ask: line["data"]["ask"].as_str().unwrap_or_default().to_owned() }
}

/// Returns the recorded answer to an ask of a session. Returns `None` if it has none.
pub fn answer_to(session: &SessionDir, user_state: &AbsPath, ask: &AskId) -> Option<Answer> {
    let lines = answers_in(session, ask.as_str());
    let line = lines.iter().rev().find(|line| line["data"]["ask"] == ask.as_str())?;
    let data = &line["data"];
    if !is_recorded(user_state, data) {
        return None;
    }
    let reason = data["reason"].as_str().map(str::to_owned);
    [Answer::Allow { scope: Scope::Once }, Answer::Allow { scope: Scope::Session }, Answer::Deny { reason }]
        .into_iter()
        .find(|answer| data["answer"] == answer.as_str())
}

/// Returns the lines about answers that contain a text.
fn answers_in(session: &SessionDir, text: &str) -> Vec<Value> {
    let lines = Journal::open_to_read(&session.events_file()).ok().flatten();
    let Some(lines) = lines.and_then(|journal| journal.tail(JOURNAL_END).ok()) else { return Vec::new() };
    let kind = format!("\"type\":\"{}\"", LineKind::AskAnswered.name());
    let lines = lines.lines().filter(|line| line.contains(&kind) && line.contains(text));
    let lines = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter(|line| line["type"] == LineKind::AskAnswered.name()).collect()
}

/// Returns whether a hook recorded the answer that a line reports.
fn is_recorded(user_state: &AbsPath, data: &Value) -> bool {
    let Some(ask) = data["ask"].as_str().and_then(AskId::parse) else { return false };
    let file = store::answers_folder(user_state).child(ask.as_str());
    plain_file::read(file.as_path())
        .is_ok_and(|text| data["answer"].as_str().map(str::as_bytes) == Some(&*text))
}

/// Ignores errors: a record that is left is only found if a journal names it.
fn remove_old(folder: &AbsPath) {
    let now = store::system_time();
    for entry in std::fs::read_dir(folder.as_path()).into_iter().flatten().flatten() {
        let modified = entry.metadata().and_then(|meta| meta.modified());
        let is_old = modified.is_ok_and(|at| now.duration_since(at).is_ok_and(|age| age > KEPT_FOR));
        if is_old {
            let _ = store::remove_file(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_line_is_a_permission_only_with_the_record_of_a_hook() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path().canonicalize().unwrap()).unwrap();
        let state = root.child("state");
        let workspace = store::Workspace::at(root.child("workspace"));
        let session = workspace.session(event::SessionId::parse("00000001").unwrap());
        let answer = Answer::Allow { scope: Scope::Session };
        let ask = AskId::parse("0123abcd").unwrap();
        let line = |ask: &str, answer: &str, at: u64| {
            serde_json::json!({"v": 1, "ts": at, "type": "ASK_ANSWERED", "data": {"ask": ask, "key": "k1", "answer": answer}})
                .to_string()
                + "\n"
        };
        let file = session.events_file();
        fs::create_dir_all(file.as_path().parent().unwrap()).unwrap();
        let now = store::now().as_millis();
        let permission_with = |text: &str| {
            fs::write(file.as_path(), text).unwrap();
            permission(&session, &state, "k1")
        };
        assert_eq!(permission_with(""), Permission::Missing);
        let forged = Permission::Forged { ask: "0123abcd".to_owned() };
        assert_eq!(permission_with(&line("0123abcd", "allow-session", now)), forged);
        assert_eq!(permission_with(&line("0123abcd", "allow-session", 1)), Permission::Missing);
        assert_eq!(
            permission_with(&line("../../x", "allow-session", now)),
            Permission::Forged { ask: "../../x".to_owned() }
        );
        record_answer(&state, &ask, &Answer::Deny { reason: None }).unwrap();
        assert_eq!(permission_with(&line("0123abcd", "allow-session", now)), forged, "another answer");
        record_answer(&state, &ask, &answer).unwrap();
        assert_eq!(permission_with(&line("0123abcd", "allow", now)), Permission::Missing);
        assert_eq!(permission_with(&line("0123abcd", "allow-session", now)), Permission::Granted);
        assert_eq!(answer_to(&session, &state, &ask), Some(answer));
        assert_eq!(permission(&session, &state, "k2"), Permission::Missing);
    }
}
