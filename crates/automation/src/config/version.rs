//! The format version of both files.
//!
//! Format 1 is the first with a number. The reader also accepts older files: without a number or with
//! the number 0, a bare array of custom agent hooks, and hooks that name their agent only by
//! `agentName`. It never rewrites a file; the user may add the number. It refuses a file of a newer
//! format as a whole, since this build does not know the meaning of its keys.

use config_file::{NewerFormat, Node, Report};

/// The format that this build knows.
pub(super) const FORMAT: u64 = 1;

/// Returns whether this build can read a file with this frame; if not, adds an error to the report.
pub(super) fn is_known(frame: &Node<'_>, report: &mut Report<'_>) -> bool {
    let mut is_known = true;
    for key in ["schemaVersion", "version"] {
        let Some(version) = frame.get(key) else { continue };
        match version.as_integer().and_then(|it| u64::try_from(it).ok()) {
            Some(FORMAT) => {}
            Some(older @ 0) => {
                report
                    .warning(
                        version.at(),
                        format!("format {older} is older than {FORMAT}; reading it as format {FORMAT}"),
                    )
                    .hint = Some(format!("write `\"{key}\": {FORMAT}`"));
            }
            Some(newer) => {
                NewerFormat { found: newer, ours: FORMAT }.report(version.at(), report);
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
