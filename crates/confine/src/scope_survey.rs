//! Looks through the scope for entries that stay read-only: governing files, git folders, files with a second link.
//!
//! INVARIANT: bounded. A command waits for this; what lies beyond the bounds is looked for after the command.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::governing_names::{SKIPPED, START_UP, held, is, is_protected, protected_parts};
use crate::{HardLinks, Kind, Tree};

/// Enough for the folders of an ordinary package; reading one takes about three microseconds.
const MAX_FOLDERS: usize = 48;

/// The entries of all folders together.
const MAX_ENTRIES: usize = 4096;

/// The files whose links are counted; each takes about a microsecond.
const MAX_COUNTED: usize = 128;

/// The folders of a scope in which placeholders are made; each placeholder costs a mount.
const MAX_HELD_FOLDERS: usize = 3;

/// The findings of the survey.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Survey {
    /// Existing paths to protect.
    pub(crate) protected: Vec<PathBuf>,
    /// Missing paths to hold with an empty folder.
    pub(crate) placeholders: Vec<PathBuf>,
}

/// Looks through these folders of the scope. Returns also placeholders, if the folders are few.
pub(crate) fn survey(folders: &[PathBuf], tree: &dyn Tree) -> Survey {
    let mut found = Survey::default();
    let mut queue: Vec<PathBuf> = folders.to_vec();
    let (mut at, mut entries_left, mut counts_left) = (0, MAX_ENTRIES, MAX_COUNTED);
    let mut linked: Vec<(HardLinks, PathBuf)> = Vec::new();
    while at < queue.len() && at < MAX_FOLDERS + folders.len() && entries_left > 0 {
        let folder = queue[at].clone();
        let (listed, _) = tree.list(&folder, entries_left);
        entries_left -= listed.len().min(entries_left);
        for entry in &listed {
            let path = folder.join(&entry.name);
            if is_protected(&entry.name) || is(&entry.name, &START_UP) {
                if entry.kind != Kind::Link {
                    found.protected.push(path);
                }
            } else if let Some(parts) = protected_parts(&entry.name) {
                let parts = parts.iter().map(|part| path.join(part));
                found.protected.extend(parts.filter(|part| is_mountable(tree, part)));
            } else if entry.kind == Kind::Folder {
                if !is(&entry.name, &SKIPPED) {
                    queue.push(path);
                }
            } else if entry.kind == Kind::File && counts_left > 0 {
                counts_left -= 1;
                linked.extend(tree.hard_links(&path).map(|links| (links, path)));
            }
        }
        if at < folders.len() && folders.len() <= MAX_HELD_FOLDERS {
            let is_listed = |name: &str| listed.iter().any(|entry| entry.name == name);
            let missing = held().into_iter().filter(|name| !is_listed(name));
            found.placeholders.extend(missing.map(|name| folder.join(name)));
        }
        at += 1;
    }
    found.protected.extend(linked_outside(linked));
    found
}

/// Returns the files of which not all links were seen: the others may be out of scope. Build tools link their own
/// output within one folder, and must be able to replace it.
fn linked_outside(linked: Vec<(HardLinks, PathBuf)>) -> Vec<PathBuf> {
    let mut seen: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    for (links, _) in &linked {
        *seen.entry(links.file).or_default() += 1;
    }
    let is_outside = |links: &HardLinks| seen.get(&links.file).is_none_or(|seen| *seen < links.count);
    linked.into_iter().filter(|(links, _)| is_outside(links)).map(|(_, path)| path).collect()
}

fn is_mountable(tree: &dyn Tree, path: &Path) -> bool {
    matches!(tree.kind(path), Some(Kind::Folder | Kind::File))
}
