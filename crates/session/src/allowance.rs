//! A user's permission for exactly one call, once.
//!
//! On a host that cannot ask, steersman denies an `ask`, and the denial names `steersman session allow RUN`.
//! That command records the permission in the journal and in the user's state folder, and creates a file named after the
//! call; the next identical call removes the file and passes.
//!
//! WHY all three: the process that removes the file has the permission, so two simultaneous calls cannot share it; and a
//! script of an agent could create the file and append a line to the journal. The user's state folder is outside of every
//! scope and of every confined command.

use std::fs;
use std::time::Duration;

use event::{AbsPath, Event, LineKind, SessionId, ToolCall};
use serde_json::{Map, Value};
use store::{Journal, SessionDir, Workspace, fingerprint, plain_file};

use crate::{ManualChange, ManualChangeError, OpenSession};

/// The warning of a call that a user permitted with `steersman session allow`.
pub const PERMITTED: &str = "a person permitted exactly this call, once";

/// The warning of a call that a person permitted for the rest of its session.
pub const PERMITTED_FOR_SESSION: &str = "a person permitted this call for the whole session";

/// How long a permission is valid.
const VALID_FOR: Duration = Duration::from_mins(10);

/// How much of the end of a journal is searched for a permission.
const JOURNAL_END: u64 = 4 * 1024 * 1024;

/// Whether a user permitted a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allowance {
    /// Yes; it is used up now.
    Granted,
    /// No, or it has expired.
    Missing,
    /// A file or the journal says so, but no person's command recorded it: another program wrote it.
    Forged,
}

/// Returns the key that identical calls share.
pub fn key(call: &ToolCall) -> String {
    fingerprint([call.name.as_bytes(), call.input.to_string().as_bytes()]).short()
}

/// Permits the next call with this key. `user_state` is the user's state folder, if there is one.
#[expect(
    clippy::disallowed_methods,
    reason = "an empty file, which only marks that the permission is unused"
)]
pub fn grant(
    workspace: &Workspace,
    user_state: Option<&AbsPath>,
    session: SessionId,
    key: &str,
) -> Result<(), ManualChangeError> {
    let open = OpenSession::existing(workspace, session)?;
    if let Some(user_state) = user_state {
        let record = workspace.allowance_record(user_state, session, key);
        let folder = record.parent().map_or(Ok(()), |folder| store::create_private_folder(folder.as_path()));
        folder.map_err(ManualChangeError::Unwritable)?;
        store::write_private(record.as_path(), store::now().as_millis().to_string().as_bytes())?;
    }
    let data = Map::from_iter([("key".to_owned(), Value::from(key))]);
    ManualChange::begin(&open)?.note("allow", LineKind::CallAllowed, data)?;
    let file = open.dir.allowance_file(key);
    let create = || {
        file.as_path().parent().map_or(Ok(()), store::create_folder)?;
        fs::write(file.as_path(), b"")
    };
    create().map_err(ManualChangeError::Unwritable)
}

/// Uses up the permission for this call.
pub fn consume(
    workspace: &Workspace,
    user_state: Option<&AbsPath>,
    id: SessionId,
    event: &Event,
) -> Allowance {
    let Some(call) = event.call() else { return Allowance::Missing };
    let key = key(call);
    let session = workspace.session(id);
    let file = session.allowance_file(&key);
    let was_removed =
        file.as_path().exists() && store::remove_file(file.as_path()).is_ok_and(|was_removed| was_removed);
    if !was_removed {
        return Allowance::Missing;
    }
    let record = user_state.map(|state| workspace.allowance_record(state, id, &key));
    let recorded_at = record.as_ref().map(|record| {
        let text = plain_file::read(record.as_path()).unwrap_or_default();
        // Ignores errors: without its file the record permits nothing.
        let _ = store::remove_file(record.as_path());
        std::str::from_utf8(&text).ok().and_then(|text| text.parse::<u64>().ok())
    });
    match (granted_at(&session, &key), recorded_at) {
        (None, _) | (_, Some(None)) => Allowance::Forged,
        (Some(at), recorded) => {
            // The earlier of the two: a program may have repeated the line.
            let at = recorded.flatten().map_or(at, |recorded| recorded.min(at));
            let age = Duration::from_millis(store::now().as_millis().saturating_sub(at));
            if age <= VALID_FOR { Allowance::Granted } else { Allowance::Missing }
        }
    }
}

/// Returns when the journal says that a call was permitted, in milliseconds since 1970. Returns `None` if a run has
/// used the permission since: another program created the file again.
fn granted_at(session: &SessionDir, key: &str) -> Option<u64> {
    let lines = Journal::open_to_read(&session.events_file()).ok()??.tail(JOURNAL_END).ok()?;
    let kind = format!("\"type\":\"{}\"", LineKind::CallAllowed.name());
    let of_call = || lines.lines().rev().filter(|line| line.contains(key));
    let line = of_call().find(|line| line.contains(&kind) || line.contains(PERMITTED))?;
    let line: Value = serde_json::from_str(line).ok()?;
    let is_grant = line["type"] == LineKind::CallAllowed.name() && line["data"]["key"] == key;
    is_grant.then(|| line["ts"].as_u64()).flatten()
}
