//! `.ai/tmp/dispatch.log`: what went wrong outside any module.

use std::io::Write;

use redact::Redacted;
use store::{Workspace, no_follow};

use crate::Fault;

/// Appends a line per fault, as well as it goes.
pub(crate) fn write(workspace: &Workspace, event: &str, faults: &[Fault]) {
    if faults.is_empty() || workspace.make_tmp_dir().is_err() {
        return;
    }
    let file = no_follow::options().append(true).create(true).open(workspace.dispatch_log().as_path());
    let Ok(mut file) = file else { return };
    for fault in faults {
        let text = Redacted::from_text(&fault.to_string());
        // The event's name is from the command line; it stays one short word here.
        let event: String = event.chars().filter(char::is_ascii_alphanumeric).take(32).collect();
        let line = format!("{} {event} {}\n", store::now(), text.as_str().replace('\n', " "));
        let _ = file.write_all(line.as_bytes());
    }
}
