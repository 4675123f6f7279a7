//! Finds files that changed since a moment, for commands whose writes cannot be known in advance.
//!
//! The moment is the time that the file system gives to a marker file, so no two clocks are compared.
//! A file counts as changed if its content or its entry is as new as the marker. Files that git
//! ignores are left out, except those that govern the agent.
//!
//! Limits: a deleted file is found only if it is in git's index, by a folder that changed; a scan
//! that meets too many files stops and reports that it is incomplete.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant, UNIX_EPOCH};

use event::{AbsPath, Access, RepoPath};

use crate::scope::is_linked_checkout;
use crate::{IgnoreFile, Intent, Reach, Scope, Target, Violation};

/// A moment on the clock of the file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileSystemTime(u128);

/// The result of a scan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// The changed files, sorted.
    pub files: Vec<RepoPath>,
    /// The folders in which an entry was added or removed; `""` is the workspace itself.
    pub folders: BTreeSet<String>,
    /// Whether the scan is complete.
    pub complete: bool,
}

/// The limits of a scan.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The maximum number of entries.
    pub n_entries: usize,
    /// The maximum duration.
    pub time: Duration,
}

/// A change that the intent does not include.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift {
    /// The rule it violates.
    pub violation: Violation,
    /// How to undo it.
    pub undo: String,
}

impl Default for Limits {
    fn default() -> Self {
        Self { n_entries: 50_000, time: Duration::from_millis(150) }
    }
}

impl FileSystemTime {
    /// Marks the current moment with a file in the session's folder.
    #[expect(clippy::disallowed_methods, reason = "the file system's clock is what is read, not the file")]
    pub fn mark(marker: &AbsPath) -> io::Result<Self> {
        if let Err(error) = fs::write(marker.as_path(), b".") {
            if error.kind() != io::ErrorKind::NotFound {
                return Err(error);
            }
            marker.as_path().parent().map_or(Ok(()), store::create_folder)?;
            fs::write(marker.as_path(), b".")?;
        }
        Self::of_marker(marker)
    }

    /// Returns the moment of a marker file.
    pub fn of_marker(marker: &AbsPath) -> io::Result<Self> {
        Ok(Self(newness(&fs::metadata(marker.as_path())?)))
    }

    /// Returns the modification time of an open file.
    pub fn of_file(file: &fs::File) -> io::Result<Self> {
        Ok(Self(newness(&file.metadata()?)))
    }

    /// Returns the moment as a number for storage.
    pub(crate) fn nanoseconds(self) -> u128 {
        self.0
    }

    /// Creates a moment from a stored number.
    pub(crate) fn at_nanoseconds(nanoseconds: u128) -> Self {
        Self(nanoseconds)
    }

    /// Returns whether a file was created since; `false` if the file system does not record it.
    pub fn saw_the_birth_of(self, file: &AbsPath) -> bool {
        store::creation_time(file).is_some_and(|creation_time| creation_time >= self.0)
    }
}

impl Changes {
    /// Finds files that changed since a moment. Skips the paths in `skip`, relative to the workspace,
    /// and everything below them: the files that steersman writes itself.
    pub fn since(moment: FileSystemTime, scope: &Scope, skip: &[&str], limits: Limits) -> Self {
        let mut scan = Scan {
            moment,
            scope,
            skip,
            left: limits.n_entries,
            until: Instant::now().checked_add(limits.time),
            found: Self { files: Vec::new(), folders: BTreeSet::new(), complete: true },
        };
        let root = scope.root().clone();
        let exclude = fs::read_to_string(root.as_path().join(".git/info/exclude")).unwrap_or_default();
        let mut rules = vec![(String::new(), IgnoreFile::parse(&exclude))];
        if fs::metadata(root.as_path()).is_ok_and(|meta| newness(&meta) >= moment.0) {
            scan.found.folders.insert(String::new());
        }
        scan.folder(root.as_path(), "", &mut rules);
        scan.found.files.sort();
        scan.found
    }

    /// Returns the changes that an intent does not include.
    pub fn drift(&self, scope: &Scope, intent: &Intent) -> Vec<Drift> {
        let check = |file: &RepoPath| {
            let target = Target::new(file.as_str(), scope.root(), Access::Write, Reach::Itself);
            let violation = scope.check(&target, intent).err()?;
            let undo = format!("run `git restore -- '{file}'` for a tracked file; remove it if it is new");
            Some(Drift { violation, undo })
        };
        self.files.iter().filter_map(check).collect()
    }
}

struct Scan<'a> {
    moment: FileSystemTime,
    scope: &'a Scope,
    skip: &'a [&'a str],
    left: usize,
    until: Option<Instant>,
    found: Changes,
}

impl Scan<'_> {
    /// Scans a folder; `rules` are those of the folders above, each relative to its own folder.
    fn folder(&mut self, folder: &Path, path: &str, rules: &mut Vec<(String, IgnoreFile)>) {
        let own = fs::read_to_string(folder.join(".gitignore")).ok().map(|text| IgnoreFile::parse(&text));
        let has_own = own.is_some();
        rules.extend(own.map(|own| (path.to_owned(), own)));
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let late =
                self.left.is_multiple_of(256) && self.until.is_some_and(|until| Instant::now() > until);
            if self.left == 0 || late {
                self.left = 0;
                self.found.complete = false;
                break;
            }
            self.left -= 1;
            let name = entry.file_name().to_string_lossy().into_owned();
            let below = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
            if name == ".git" || self.skip.contains(&below.as_str()) {
                continue;
            }
            // The metadata of the entry itself, not of a link's target.
            let Ok(meta) = entry.metadata() else { continue };
            if self.is_ignored(&below, meta.is_dir(), rules) {
                continue;
            }
            if meta.is_dir() {
                if newness(&meta) >= self.moment.0 {
                    // The files of a checkout that was made since are the repository's own.
                    if self.is_new_checkout(&entry.path(), &below) {
                        continue;
                    }
                    self.found.folders.insert(below.clone());
                }
                self.folder(&entry.path(), &below, rules);
            } else if newness(&meta) >= self.moment.0
                && let Ok(file) = self.scope.root().join(&below).below(self.scope.root())
            {
                self.found.files.push(file);
            }
        }
        if has_own {
            rules.pop();
        }
    }

    fn is_new_checkout(&self, folder: &Path, path: &str) -> bool {
        let made =
            fs::symlink_metadata(folder.join(".git")).is_ok_and(|meta| newness(&meta) >= self.moment.0);
        made && is_linked_checkout(self.scope.root(), path)
    }

    fn is_ignored(&self, path: &str, is_folder: bool, rules: &[(String, IgnoreFile)]) -> bool {
        let is_ignored = rules.iter().rev().find_map(|(folder, rules)| {
            let from = if folder.is_empty() {
                path
            } else {
                path.strip_prefix(folder.as_str())?.strip_prefix('/')?
            };
            rules.says(from, is_folder)
        });
        is_ignored == Some(true) && !self.scope.governs(path)
    }
}

/// Returns when the content or the entry last changed, in nanoseconds.
#[cfg(unix)]
fn newness(meta: &fs::Metadata) -> u128 {
    use std::os::unix::fs::MetadataExt;
    // WHY the entry too: `mv`, `cp -p` and `tar` keep the time of the content.
    let entry = i128::from(meta.ctime()) * 1_000_000_000 + i128::from(meta.ctime_nsec());
    u128::try_from(entry).unwrap_or(0).max(content_time(meta))
}

/// Returns when the content last changed, in nanoseconds.
#[cfg(not(unix))]
fn newness(meta: &fs::Metadata) -> u128 {
    content_time(meta)
}

fn content_time(meta: &fs::Metadata) -> u128 {
    let modified = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    modified.unwrap_or_default().as_nanos()
}
