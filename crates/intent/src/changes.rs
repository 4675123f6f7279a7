//! What changed in the workspace since a moment, for commands whose writes cannot be known before.
//!
//! The moment is the time the file system itself gives to a marker file, so no two clocks are
//! compared. A file counts as changed if its content or its entry is as new as the marker. What git
//! ignores is left out, except for what governs the agent.
//!
//! Limits, honestly: a file that was deleted is found only if git knows it, by a folder that
//! changed; a scan that meets too many files stops and says so.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant, UNIX_EPOCH};

use event::{AbsPath, Access, RepoPath};

use crate::{IgnoreFile, Intent, Reach, Scope, Target, Violation};

/// A moment, by the clock of the file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(u128);

/// What a scan found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// The files that changed, in order.
    pub files: Vec<RepoPath>,
    /// The folders in which an entry came or went; `""` is the workspace itself.
    pub folders: BTreeSet<String>,
    /// Whether everything was looked at.
    pub complete: bool,
}

/// How far a scan may go.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Entries looked at.
    pub n_entries: usize,
    /// Time taken.
    pub time: Duration,
}

/// A change that was not asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift {
    /// What it breaks.
    pub violation: Violation,
    /// How to undo it.
    pub undo: String,
}

impl Default for Limits {
    fn default() -> Self {
        Self { n_entries: 50_000, time: Duration::from_millis(150) }
    }
}

impl Moment {
    /// Marks the present moment with a file in the session's folder.
    pub fn mark(marker: &AbsPath) -> io::Result<Self> {
        if let Err(error) = fs::write(marker.as_path(), b".") {
            if error.kind() != io::ErrorKind::NotFound {
                return Err(error);
            }
            marker.as_path().parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(marker.as_path(), b".")?;
        }
        Self::of_marker(marker)
    }

    /// Returns the moment a file was made to mark.
    pub fn of_marker(marker: &AbsPath) -> io::Result<Self> {
        Ok(Self(newness(&fs::metadata(marker.as_path())?)))
    }

    /// Returns the moment an open file was last written.
    pub fn of_file(file: &fs::File) -> io::Result<Self> {
        Ok(Self(newness(&file.metadata()?)))
    }

    /// Returns the moment as a number, to be kept.
    pub(crate) fn nanoseconds(self) -> u128 {
        self.0
    }

    /// Returns the moment that was kept as a number.
    pub(crate) fn at_nanoseconds(nanoseconds: u128) -> Self {
        Self(nanoseconds)
    }

    /// Returns whether a file came into being since; no where the file system does not say.
    pub fn saw_the_birth_of(self, file: &AbsPath) -> bool {
        store::born(file).is_some_and(|born| born >= self.0)
    }
}

impl Changes {
    /// Looks for files that changed since a moment. Paths in `skip`, relative to the workspace, are
    /// left out with all below them: our own files that we write ourselves.
    pub fn since(moment: Moment, scope: &Scope, skip: &[&str], limits: Limits) -> Self {
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

    /// Returns the changes an intent does not include.
    pub fn drift(&self, scope: &Scope, intent: &Intent) -> Vec<Drift> {
        let check = |file: &RepoPath| {
            let target = Target::new(file.as_str(), scope.root(), Access::Write, Reach::Itself);
            let violation = scope.check(&target, intent).err()?;
            let undo =
                format!("`git restore -- '{file}'` brings a tracked file back; remove it if it is new");
            Some(Drift { violation, undo })
        };
        self.files.iter().filter_map(check).collect()
    }
}

struct Scan<'a> {
    moment: Moment,
    scope: &'a Scope,
    skip: &'a [&'a str],
    left: usize,
    until: Option<Instant>,
    found: Changes,
}

impl Scan<'_> {
    /// Looks into a folder; `rules` are those of the folders above, each from its own folder.
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
            // The entry itself: a link is what it is, not where it leads.
            let Ok(meta) = entry.metadata() else { continue };
            if self.is_ignored(&below, meta.is_dir(), rules) {
                continue;
            }
            if meta.is_dir() {
                if newness(&meta) >= self.moment.0 {
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

    fn is_ignored(&self, path: &str, is_folder: bool, rules: &[(String, IgnoreFile)]) -> bool {
        let said = rules.iter().rev().find_map(|(folder, rules)| {
            let from = if folder.is_empty() {
                path
            } else {
                path.strip_prefix(folder.as_str())?.strip_prefix('/')?
            };
            rules.says(from, is_folder)
        });
        said == Some(true) && !self.scope.governs(path)
    }
}

/// Returns when content or entry changed last, in nanoseconds.
#[cfg(unix)]
fn newness(meta: &fs::Metadata) -> u128 {
    use std::os::unix::fs::MetadataExt;
    // WHY the entry too: `mv`, `cp -p` and `tar` keep the time of the content.
    let entry = i128::from(meta.ctime()) * 1_000_000_000 + i128::from(meta.ctime_nsec());
    u128::try_from(entry).unwrap_or(0).max(content_time(meta))
}

/// Returns when the content changed last, in nanoseconds.
#[cfg(not(unix))]
fn newness(meta: &fs::Metadata) -> u128 {
    content_time(meta)
}

fn content_time(meta: &fs::Metadata) -> u128 {
    let modified = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    modified.unwrap_or_default().as_nanos()
}
