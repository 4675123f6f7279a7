//! Which files exist, to tell new, deleted and renamed files from saved ones.
//!
//! An editor that saves by renaming neither creates nor renames a file: only a name that was not there before, or
//! is not there any more, counts. The server scans all files once if an automation has such a trigger.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use automation::Debouncer;

/// The known files, and the changed names that have not settled.
#[derive(Debug, Default)]
pub(crate) struct Presence {
    /// `None` if no automation needs it.
    known: Option<BTreeSet<PathBuf>>,
    touched: Debouncer<PathBuf>,
    /// The old name of each moved file, by its new name.
    moved: HashMap<PathBuf, PathBuf>,
}

/// A change of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PresenceChange {
    Created(PathBuf),
    /// The file, and when its disappearance was reported.
    Deleted(PathBuf, Instant),
    Renamed {
        from: PathBuf,
        to: PathBuf,
    },
}

impl Presence {
    /// Returns whether it has the files.
    pub(crate) fn is_started(&self) -> bool {
        self.known.is_some()
    }

    /// Starts with these files, or forgets all.
    pub(crate) fn set(&mut self, files: Option<BTreeSet<PathBuf>>) {
        *self = Self { known: files, ..Self::default() };
    }

    /// Notes that a file may have appeared or disappeared, or with a folder all known files in it.
    pub(crate) fn touch(&mut self, path: &Path, now: Instant) {
        let Some(known) = &self.known else { return };
        // A save of a known file is the common case.
        if known.contains(path) && path.is_file() {
            return;
        }
        for file in below(known, path) {
            self.touched.touch(file, now);
        }
        self.touched.touch(path.to_path_buf(), now);
    }

    /// Notes that a file, or a folder with all files in it, was moved.
    pub(crate) fn note_move(&mut self, from: &Path, to: &Path, now: Instant) {
        let Some(known) = &self.known else { return };
        for file in below(known, from) {
            let Ok(rest) = file.strip_prefix(from) else { continue };
            let target = if rest.as_os_str().is_empty() { to.to_path_buf() } else { to.join(rest) };
            self.touched.touch(target.clone(), now);
            self.moved.insert(target, file.clone());
            self.touched.touch(file, now);
        }
    }

    /// Returns all known files.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        self.known.iter().flatten().cloned().collect()
    }

    /// Returns when the next name settles.
    pub(crate) fn next(&self) -> Option<Instant> {
        self.touched.next()
    }

    /// Returns the changes that have settled; `exists` tells whether a file exists and counts.
    pub(crate) fn settled(
        &mut self,
        now: Instant,
        exists: &mut dyn FnMut(&Path) -> bool,
    ) -> Vec<PresenceChange> {
        let Some(known) = &mut self.known else { return Vec::new() };
        let settled = self.touched.settled_since(now);
        let mut changes = Vec::new();
        let mut gone: HashSet<PathBuf> = HashSet::new();
        for (path, _) in &settled {
            if exists(path) && known.insert(path.clone()) {
                let from = self.moved.remove(path).filter(|from| known.contains(from) && !exists(from));
                changes.push(match from {
                    Some(from) => {
                        known.remove(&from);
                        gone.insert(from.clone());
                        PresenceChange::Renamed { from, to: path.clone() }
                    }
                    None => PresenceChange::Created(path.clone()),
                });
            }
        }
        for (path, reported) in settled {
            if !gone.contains(&path) && !exists(&path) && known.remove(&path) {
                changes.push(PresenceChange::Deleted(path, reported));
            }
        }
        if self.touched.is_empty() {
            self.moved.clear();
        }
        changes
    }
}

/// Returns the known files in a folder, or the file itself.
fn below(known: &BTreeSet<PathBuf>, path: &Path) -> Vec<PathBuf> {
    // Paths are sorted by their components, so that the files of a folder are neighbours.
    known.range(path.to_path_buf()..).take_while(|it| it.starts_with(path)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;

    #[test]
    fn names_that_appear_disappear_or_move_are_told_and_saves_are_not() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for name in ["kept", "gone", "old", "saved"] {
            fs::write(at(name), "1").unwrap();
        }
        fs::create_dir(at("folder")).unwrap();
        fs::write(at("folder/a"), "1").unwrap();
        let mut presence = Presence::default();
        let files = ["kept", "gone", "old", "saved", "folder/a"].map(at);
        presence.set(Some(files.into_iter().collect()));
        let start = Instant::now();
        fs::remove_file(at("gone")).unwrap();
        fs::rename(at("old"), at("new")).unwrap();
        fs::rename(at("folder"), at("moved")).unwrap();
        fs::write(at("fresh"), "1").unwrap();
        fs::write(at("saved.tmp"), "2").unwrap();
        fs::rename(at("saved.tmp"), at("saved")).unwrap();
        fs::write(at("brief"), "1").unwrap();
        fs::remove_file(at("brief")).unwrap();
        for name in ["gone", "old", "new", "folder", "moved", "fresh", "saved.tmp", "saved", "brief"] {
            presence.touch(&at(name), start);
        }
        presence.note_move(&at("old"), &at("new"), start);
        presence.note_move(&at("folder"), &at("moved"), start);
        presence.note_move(&at("saved.tmp"), &at("saved"), start);
        let mut changes = presence.settled(start + Duration::from_secs(1), &mut |path| path.is_file());
        changes.sort_by_key(|it| format!("{it:?}"));
        assert_eq!(
            changes,
            [
                PresenceChange::Created(at("fresh")),
                PresenceChange::Deleted(at("gone"), start),
                PresenceChange::Renamed { from: at("folder/a"), to: at("moved/a") },
                PresenceChange::Renamed { from: at("old"), to: at("new") },
            ]
        );
    }
}
