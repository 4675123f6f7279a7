//! Changes that a search found, but had no time to judge or to trace. The next search continues with them.
//!
//! WHY a list of paths and not only the folders to visit again: twenty thousand files of one folder take several events,
//! and each event must find fewer of them than the one before.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::OpenSince;

/// Changes of one call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LeftChanges {
    /// The call that made them.
    pub by: OpenSince,
    /// Since when they count, in nanoseconds.
    pub since_ns: u64,
    /// Files that are not compared with the scope yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Files in scope that are not traced yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub untraced: Vec<String>,
    /// Folders that were made or moved to their path, and are not compared with the scope yet.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub new_folders: BTreeSet<String>,
    /// Folders whose rights changed, and that are not compared with the scope yet.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub changed_folders: BTreeSet<String>,
    /// Folders in which entries were added or removed, and that are not compared with the scope yet.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub folders: BTreeSet<String>,
}

impl LeftChanges {
    /// Returns no changes of a call.
    pub fn none(by: OpenSince, since_ns: u64) -> Self {
        let (files, untraced) = (Vec::new(), Vec::new());
        let (new_folders, changed_folders, folders) = Default::default();
        Self { by, since_ns, files, untraced, new_folders, changed_folders, folders }
    }

    /// Returns the number of files and folders that are not compared with the scope yet.
    pub fn n_unjudged(&self) -> usize {
        self.files.len() + self.new_folders.len() + self.changed_folders.len() + self.folders.len()
    }

    /// Returns whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.n_unjudged() + self.untraced.len() == 0
    }
}
