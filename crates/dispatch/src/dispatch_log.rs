//! `.ai/tmp/dispatch.log`: what went wrong outside any module.

use std::time::Duration;

use redact::Redacted;
use store::{Batch, Journal, Workspace};

use crate::Fault;

/// How long others that write here are waited for.
const PATIENCE: Duration = Duration::from_millis(20);

/// Appends a line per fault, as well as it goes: whole or, on a disk without room, not at all.
pub(crate) fn write(workspace: &Workspace, event: &str, faults: &[Fault]) {
    if faults.is_empty() || workspace.make_tmp_dir().is_err() {
        return;
    }
    // The event's name is from the command line; it stays one short word here.
    let event: String = event.chars().filter(char::is_ascii_alphanumeric).take(32).collect();
    let mut lines = Batch::default();
    for fault in faults {
        lines.push_line(&Redacted::from_text(&format!("{} {event} {fault}", store::now())));
    }
    let Ok(log) = Journal::open(&workspace.dispatch_log()) else { return };
    let _ = match log.lock(PATIENCE) {
        Some(held) => held.append(&lines).map(drop),
        None => log.append_unlocked(&lines),
    };
}
