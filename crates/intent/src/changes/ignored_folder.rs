//! The files in a folder that git ignores which count all the same: `.env` and the files that govern agents.
//!
//! WHY not all files: such folders hold installed packages and build results, often more files than all others.

use std::collections::VecDeque;

use super::folder_entries::{self, EntryState};
use crate::Scope;

/// How many ignored folders one walk lists: the outermost first. Listing one takes some microseconds.
pub(super) const MAX_FOLDERS: usize = 1000;

/// Returns these files with their state. `may_list` returns whether a further folder may be listed.
pub(super) fn watched_files(
    scope: &Scope,
    folder: String,
    mut may_list: impl FnMut() -> bool,
) -> Vec<(String, EntryState)> {
    let mut found = Vec::new();
    let mut waiting = VecDeque::from([folder]);
    while let Some(folder) = waiting.pop_front() {
        if !may_list() {
            break;
        }
        let names = folder_entries::names(scope.root().join(&folder).as_path()).unwrap_or_default();
        for (name, _, is_folder) in names {
            let path = format!("{folder}/{name}");
            if is_folder {
                waiting.push_back(path);
            } else if (name.starts_with(".env") || scope.is_governing(&path))
                && let Ok(state) = folder_entries::state(scope.root().join(&path).as_path())
            {
                found.push((path, state));
            }
        }
    }
    found
}
