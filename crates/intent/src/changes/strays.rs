//! Finds entries in a folder that belongs to one program, under names that this program does not use.
//!
//! WHY by name: the program itself changes the others all the time, git its objects and steersman its journals.

use std::path::Path;

use super::folder_entries;

/// Returns the entries as new as a moment whose names the owner of the folder does not use: their paths, beginning with
/// `shown`, and the times of their change in nanoseconds.
pub(super) fn since(
    folder: &Path,
    shown: &str,
    moment: u128,
    is_own: impl Fn(&str) -> bool,
) -> Vec<(String, u128)> {
    let mut found = Vec::new();
    for (name, ..) in folder_entries::names(folder).unwrap_or_default() {
        if is_own(&name) {
            continue;
        }
        match folder_entries::state(&folder.join(&name)) {
            Ok(state) if state.newest_ns >= moment => {
                found.push((format!("{shown}/{name}"), state.newest_ns));
            }
            _ => {}
        }
    }
    found.sort();
    found
}
