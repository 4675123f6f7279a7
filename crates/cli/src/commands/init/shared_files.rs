//! Asks before `init` writes settings that other users of a repository share.

use super::registration::{Edit, print_notes};
use crate::change::Writer;
use crate::commands::Place;
use crate::output;
use crate::question;

/// Prints the notes about the files to write and, if others share them, asks the user in a terminal. Returns whether to write.
///
/// WHY scripts are not asked: `init` in a script is the user's answer already.
pub(super) fn may_write(edits: &[Edit], place: &Place, is_agreed: bool, writer: &Writer<'_>) -> bool {
    print_notes(edits, writer.prefix);
    let shared: Vec<&str> =
        edits.iter().filter(|edit| edit.changes() && is_shared(edit, place)).map(Edit::file).collect();
    if shared.is_empty() || is_agreed || !writer.writes() {
        return true;
    }
    output::note(&format!(
        "  note: everyone who gets this repository shares {} once it is committed",
        shared.join(", ")
    ));
    match question::yes_or_no("Write to files that others share? [y/N] ") {
        None | Some(true) => true,
        Some(false) => {
            output::note("nothing was written");
            output::hint(
                "`--user` registers in your own settings, `--local` in Claude Code's settings of this checkout; `--yes` does not ask",
            );
            false
        }
    }
}

/// Returns whether git would share the file: the workspace is a repository, and the file is not the user's own.
fn is_shared(edit: &Edit, place: &Place) -> bool {
    let root = place.workspace.root();
    let is_repository = root.join(".git").as_path().exists();
    is_repository && edit.file() != host::install::HookPlan::LOCAL.file
}
