//! Detects written files by polling, for when the system cannot watch all folders.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use crate::tree::Tree;

/// The files at the last poll.
#[derive(Debug)]
pub(crate) struct Poller {
    files: HashMap<PathBuf, (Option<SystemTime>, u64)>,
    next: Instant,
}

/// The shortest time between two polls.
const AT_LEAST: Duration = Duration::from_secs(2);

impl Poller {
    /// Scans the tree for the first time.
    pub(crate) fn start(tree: &Tree) -> Self {
        Self { files: scan(tree), next: Instant::now() + AT_LEAST }
    }

    /// Returns when the next poll is due.
    pub(crate) fn next(&self) -> Instant {
        self.next
    }

    /// Returns the files that changed or disappeared since the last poll. Returns `None` if no poll is due.
    ///
    /// The pause between polls grows with the time that a scan takes, so that scanning takes at most a
    /// twentieth of the time.
    pub(crate) fn poll(&mut self, tree: &Tree) -> Option<Vec<PathBuf>> {
        let began = Instant::now();
        if began < self.next {
            return None;
        }
        let files = scan(tree);
        let changed = files.iter().filter(|(path, stamp)| self.files.get(*path) != Some(stamp));
        let gone = self.files.keys().filter(|path| !files.contains_key(*path)).cloned();
        let changed: Vec<PathBuf> = changed.map(|(path, _)| path.clone()).chain(gone).collect();
        self.files = files;
        self.next = Instant::now() + AT_LEAST.max(began.elapsed() * 20);
        Some(changed)
    }
}

fn scan(tree: &Tree) -> HashMap<PathBuf, (Option<SystemTime>, u64)> {
    let files = tree.walk().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
    files
        .filter_map(|entry| {
            let meta = entry.metadata().ok()?;
            Some((entry.into_path(), (meta.modified().ok(), meta.len())))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_was_written_between_two_looks_is_seen() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a"), "1").unwrap();
        fs::write(dir.path().join("b"), "1").unwrap();
        let tree = Tree::new(dir.path().to_path_buf());
        let mut poller = Poller::start(&tree);
        fs::write(dir.path().join("b"), "22").unwrap();
        fs::write(dir.path().join("c"), "1").unwrap();
        fs::remove_file(dir.path().join("a")).unwrap();
        assert_eq!(poller.poll(&tree), None, "no poll is due");
        poller.next = Instant::now();
        let mut changed = poller.poll(&tree).unwrap();
        changed.sort();
        assert_eq!(changed, ["a", "b", "c"].map(|name| dir.path().join(name)));
    }
}
