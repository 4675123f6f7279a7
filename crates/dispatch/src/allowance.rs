//! A person's permission for exactly one call, once.
//!
//! On hosts that cannot ask, an `ask` is refused and the refusal names
//! `steersman session allow RUN`. That command leaves a file named after the call; the
//! next identical call takes the file away and passes.

use std::fs;
use std::time::{Duration, SystemTime};

use event::{Event, ToolCall};
use store::{SessionDir, fingerprint};

/// How long a permission waits for its call.
const VALID_FOR: Duration = Duration::from_mins(10);

/// Returns what an identical call has in common with this one.
pub fn key(call: &ToolCall) -> String {
    fingerprint([call.name.as_bytes(), call.input.to_string().as_bytes()]).short()
}

/// Permits the next call with this key.
pub fn grant(session: &SessionDir, key: &str) -> std::io::Result<()> {
    let file = session.allowance_file(key);
    if let Some(folder) = file.as_path().parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file.as_path(), b"")
}

/// Uses up the permission for this call, if there is one that is still fresh.
pub fn consume(session: &SessionDir, event: &Event) -> bool {
    let Some(call) = event.call() else { return false };
    let file = session.allowance_file(&key(call));
    let granted = fs::metadata(file.as_path()).and_then(|meta| meta.modified());
    // Whoever removes the file has the permission; two calls at once cannot both have it.
    let taken = granted.is_ok() && fs::remove_file(file.as_path()).is_ok();
    taken && granted.is_ok_and(|at| SystemTime::now().duration_since(at).is_ok_and(|age| age <= VALID_FOR))
}
