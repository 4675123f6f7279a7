//! A user's permission for exactly one call, once.
//!
//! On a host that cannot ask, steersman denies an `ask`, and the denial names `steersman session allow RUN`.
//! That command creates a file named after the call; the next identical call removes the file and passes.

use std::fs;
use std::time::Duration;

use event::{Event, ToolCall};
use store::{SessionDir, fingerprint};

/// The warning of a call that a user permitted with `steersman session allow`.
pub const PERMITTED: &str = "a person permitted exactly this call, once";

/// How long a permission is valid.
const VALID_FOR: Duration = Duration::from_mins(10);

/// Returns the key that identical calls share.
pub fn key(call: &ToolCall) -> String {
    fingerprint([call.name.as_bytes(), call.input.to_string().as_bytes()]).short()
}

/// Permits the next call with this key.
#[expect(clippy::disallowed_methods, reason = "an empty file, whose time is all that counts")]
pub fn grant(session: &SessionDir, key: &str) -> std::io::Result<()> {
    let file = session.allowance_file(key);
    if let Some(folder) = file.as_path().parent() {
        store::create_folder(folder)?;
    }
    fs::write(file.as_path(), b"")
}

/// Uses up the permission for this call. Returns `false` if it does not exist or has expired.
pub fn consume(session: &SessionDir, event: &Event) -> bool {
    let Some(call) = event.call() else { return false };
    let file = session.allowance_file(&key(call));
    let granted = fs::metadata(file.as_path()).and_then(|meta| meta.modified());
    // The process that removes the file has the permission, so two simultaneous calls cannot share it.
    let taken = granted.is_ok() && store::remove_file(file.as_path()).is_ok_and(|was_removed| was_removed);
    taken && granted.is_ok_and(|at| store::system_time().duration_since(at).is_ok_and(|age| age <= VALID_FOR))
}
