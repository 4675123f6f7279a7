//! `.ai/tmp/dispatch.log`: the faults outside of modules.

use redact::Redacted;
use session::LOCK_TIMEOUT;
use store::{Batch, Journal, Workspace};

use crate::Fault;

/// Appends a line per fault. Ignores errors: this log is the last place to report one.
pub(crate) fn write<'a>(workspace: &Workspace, event: &str, faults: impl IntoIterator<Item = &'a Fault>) {
    let mut faults = faults.into_iter().peekable();
    if faults.peek().is_none() || workspace.make_tmp_dir().is_err() {
        return;
    }
    // The event's name is from the command line; the log takes one short word of it.
    let event: String = event.chars().filter(char::is_ascii_alphanumeric).take(32).collect();
    let mut lines = Batch::default();
    for fault in faults {
        lines.push_line(&Redacted::from_text(&format!("{} {event} {fault}", store::now())));
    }
    let Ok(log) = Journal::open(&workspace.dispatch_log()) else { return };
    let _ = match log.lock(LOCK_TIMEOUT) {
        Some(held) => held.append(&lines).map(drop),
        None => log.append_unlocked(&lines),
    };
}
