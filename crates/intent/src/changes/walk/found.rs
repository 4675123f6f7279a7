//! The entries that a walk found.

use std::collections::{BTreeSet, HashMap};

use super::super::ScanStart;
use super::super::folder_record::FolderRecord;

/// The entries that a walk found.
#[derive(Debug, Default)]
pub(in super::super) struct Found {
    pub(in super::super) files: Vec<String>,
    /// Folders in which an entry was added or removed.
    pub(in super::super) folders: BTreeSet<String>,
    /// Folders that were made or moved to their path.
    pub(in super::super) new_folders: BTreeSet<String>,
    /// Folders whose rights changed.
    pub(in super::super) changed_folders: BTreeSet<String>,
    /// Linked checkouts that were made.
    pub(in super::super) checkouts: BTreeSet<String>,
    /// Ignored folders with tracked files in which an entry was removed.
    pub(in super::super) ignored_folders: BTreeSet<String>,
    /// Where every visited folder is.
    pub(in super::super) places: FolderRecord,
    /// The folders that were not visited.
    pub(in super::super) unvisited: Vec<ScanStart>,
    pub(in super::super) n_entries: usize,
    /// When each of these files and folders last changed, in nanoseconds.
    pub(in super::super) times: HashMap<String, u128>,
}

impl Found {
    pub(super) fn merge(&mut self, mut other: Self) {
        self.files.append(&mut other.files);
        self.folders.append(&mut other.folders);
        self.new_folders.append(&mut other.new_folders);
        self.changed_folders.append(&mut other.changed_folders);
        self.checkouts.append(&mut other.checkouts);
        self.ignored_folders.append(&mut other.ignored_folders);
        self.times.extend(other.times);
        self.places.append(other.places);
    }
}
