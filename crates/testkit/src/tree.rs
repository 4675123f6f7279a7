//! A snapshot of a folder, to find out later which files changed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The content of each file below a folder, by its path; folders and links are entries too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree(BTreeMap<PathBuf, Vec<u8>>);

impl Tree {
    /// Reads everything below `folder`, without following links.
    pub fn of(folder: &Path) -> Self {
        let mut found = BTreeMap::new();
        walk(folder, Path::new(""), &mut found);
        Self(found)
    }

    /// Returns every path that is added, removed or changed in `later`.
    pub fn changes(&self, later: &Self) -> Vec<PathBuf> {
        let differs = |path: &&PathBuf| self.0.get(*path) != later.0.get(*path);
        let mut changed: Vec<_> = self.0.keys().chain(later.0.keys()).filter(differs).cloned().collect();
        changed.sort();
        changed.dedup();
        changed
    }

    /// Returns every path.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.keys().map(PathBuf::as_path)
    }
}

fn walk(root: &Path, below: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    let Ok(entries) = fs::read_dir(root.join(below)) else { return };
    for entry in entries.flatten() {
        let path = below.join(entry.file_name());
        let Ok(kind) = entry.file_type() else { continue };
        let content = if kind.is_symlink() {
            fs::read_link(entry.path()).map(|target| target.as_os_str().as_encoded_bytes().to_vec())
        } else if kind.is_file() {
            fs::read(entry.path())
        } else {
            Ok(b"<folder>".to_vec())
        };
        found.insert(path.clone(), content.unwrap_or_default());
        if kind.is_dir() {
            walk(root, &path, found);
        }
    }
}
