//! The format of both files, and what becomes of files of another one.
//!
//! Format 1 is the first that has a number. What was written before it is read as it stands: a file without a
//! number or with the number 0, a bare list of custom agent hooks, and hooks that name their agent only by
//! `agentName`. Nothing is rewritten: the next who edits the file may add the number. A file of a newer
//! format is refused as a whole, since nobody here knows what its keys mean.

use config_file::{Node, Report};

/// The format this build knows.
const FORMAT: u64 = 1;

/// Returns whether a file of this frame can be read; else the report says why not.
pub(super) fn is_known(frame: &Node<'_>, report: &mut Report<'_>) -> bool {
    let mut is_known = true;
    for key in ["schemaVersion", "version"] {
        let Some(version) = frame.get(key) else { continue };
        match version.as_integer().and_then(|it| u64::try_from(it).ok()) {
            Some(FORMAT) => {}
            Some(older @ 0) => {
                report
                    .warning(version.at(), format!("format {older} is older than {FORMAT} and read as it"))
                    .hint = Some(format!("write `\"{key}\": {FORMAT}`"));
            }
            Some(newer) => {
                let message = format!("format {newer} is newer than the {FORMAT} this build knows");
                report.error(version.at(), message).hint = Some("update steersman".to_owned());
                is_known = false;
            }
            None => {
                report.error(version.at(), format!("`{key}` must be a whole number")).hint =
                    Some(format!("write `\"{key}\": {FORMAT}`"));
                is_known = false;
            }
        }
    }
    is_known
}
