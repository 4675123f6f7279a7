//! Finds files that changed since a moment, for commands whose writes cannot be known in advance.
//!
//! The contract of a scan:
//!
//! - Before a call, [`Watched`] reads what cannot be known afterwards: the contents of the files that govern, the ignore
//!   rules, the names at the top. [`FolderRecord`] knows where folders were.
//! - After it, [`Changes::since`] walks the workspace. A file counts as changed if its content or its entry is as new as
//!   the moment, or if it is in a folder that was moved. A folder counts if entries came or went, if it is new, or if
//!   its rights changed. Files that git ignores by the rules from before are left out, except tracked and governing ones
//!   and `.env`.
//! - [`Coverage`] records since when a session's changes are open: calls that never ended, and jobs in the background.
//! - A scan that runs out of time returns where the next one begins, and [`LeftChanges`] the changes that it found but
//!   that nothing has judged yet.
//!
//! The moment is the time that the file system gives to a marker file, so no two clocks are compared.

mod coverage;
mod dot_git;
mod file_system_time;
mod folder_entries;
mod folder_record;
mod git_refs;
mod ignored_folder;
mod left_changes;
mod new_checkout;
mod own_files;
mod rules;
mod strays;
mod trace_file;
mod walk;
mod watched;

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::Hasher;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use event::{Access, RepoPath};
use store::{common_git_dir, git_dir};

pub use coverage::{Coverage, OpenSince, ScanStart};
pub use file_system_time::FileSystemTime;
pub use folder_record::FolderRecord;
pub use left_changes::LeftChanges;
pub use own_files::OwnFiles;
pub use watched::Watched;

use crate::trace::GitIndex;
use crate::{Intent, Reach, Scope, Target, Violation};
use walk::Walk;

/// The result of a scan.
#[derive(Debug, Default)]
pub struct Changes {
    /// The changed files, sorted.
    pub files: Vec<RepoPath>,
    /// The folders in which an entry was added or removed; `""` is the workspace itself.
    pub folders: BTreeSet<String>,
    /// The folders that were made or moved to their path.
    pub new_folders: BTreeSet<String>,
    /// The folders whose rights changed.
    pub changed_folders: BTreeSet<String>,
    /// The linked checkouts of this repository that were made.
    pub checkouts: BTreeSet<String>,
    /// Ignored folders from which a tracked file was removed.
    pub ignored_folders: BTreeSet<String>,
    /// The folders that the scan did not visit before its time was up.
    pub unvisited: Vec<ScanStart>,
    /// When each changed file and folder changed, in nanoseconds.
    pub times: HashMap<String, u128>,
    /// The number of entries it met.
    pub n_entries: usize,
    /// Where folders are now; only of a complete scan.
    pub places: Option<FolderRecord>,
    /// Git's index, if the scan needed it.
    pub index: Option<GitIndex>,
    /// The watched files now.
    pub watched: Watched,
}

/// Returns inode, size and time of the content of a file, not following a link.
pub(crate) fn state_of(path: &Path) -> io::Result<(u64, u64, u128)> {
    folder_entries::state(path).map(|state| (state.inode, state.size, state.content_ns))
}

/// Returns when a file or its entry last changed, in nanoseconds, not following a link.
pub(crate) fn changed_at(path: &Path) -> Option<u128> {
    folder_entries::state(path).ok().map(|state| state.newest_ns)
}

/// Returns the names in a folder; none if it cannot be read.
pub(crate) fn names_in(folder: &Path) -> HashSet<String> {
    folder_entries::names(folder).unwrap_or_default().into_iter().map(|(name, ..)| name).collect()
}

/// Returns a hash of the bytes of a record; the same in every process of one build.
///
/// WHY not a secret one: a program that can write the record could read the secret, too. The journal has the hash.
fn hash_of(bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    format!("{:016x}", hasher.finish())
}

/// The limits of a scan.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The maximum number of entries.
    pub n_entries: usize,
    /// The maximum duration.
    pub time: Duration,
}

/// The state that a scan compares with.
#[derive(Debug, Clone, Copy)]
pub struct Baseline<'a> {
    /// The watched files before the call.
    pub watched: Option<&'a Watched>,
    /// Where folders were.
    pub folders: Option<&'a FolderRecord>,
    /// Git's index before the call, if git has replaced it since: a file that it tracked then is not ignored.
    pub index: Option<&'a GitIndex>,
    /// The intent in force: folders wholly in its scope are searched last.
    pub intent: Option<&'a Intent>,
    /// The files that steersman writes itself, which the scan skips with everything below them.
    pub own: &'a OwnFiles,
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
        Self { n_entries: 5_000_000, time: Duration::from_millis(250) }
    }
}

impl Changes {
    /// Finds files that changed, from each start: a whole workspace, or what an earlier scan did not visit.
    pub fn since(starts: &[ScanStart], scope: &Scope, baseline: &Baseline<'_>, limits: Limits) -> Self {
        let now = Watched::now(scope, baseline.intent, baseline.own);
        let walk = Walk {
            scope,
            intent: baseline.intent,
            own: baseline.own,
            record: baseline.folders,
            index_before: baseline.index,
            top_rules: baseline.watched.unwrap_or(&now).rules(),
            knows_top_file: baseline.watched.is_some(),
            until: Instant::now().checked_add(limits.time),
            max_entries: limits.n_entries,
        };
        let (mut found, index) = walk.run(starts);
        let mut files = std::mem::take(&mut found.files);
        let of_top = starts.iter().filter(|start| start.folder.is_empty()).map(|start| start.since).min();
        for (path, at) in of_top.map(|since| baseline.own.strays(scope.root(), since)).unwrap_or_default() {
            found.times.insert(path.clone(), at);
            files.push(path);
        }
        let shared = git_dir(&scope.root().as_path().join(".git")).map(|git| common_git_dir(&git));
        if let (Some(since), Some(shared)) = (of_top, shared) {
            for (path, at) in git_refs::unlogged_branches(&shared, since) {
                let path = format!(".git/{path}");
                found.times.insert(path.clone(), at);
                files.push(path);
            }
        }
        files.extend(baseline.watched.into_iter().flat_map(|before| before.differences(&now)));
        files.sort();
        files.dedup();
        let is_complete = found.unvisited.is_empty();
        let is_whole = starts.iter().any(|start| start.folder.is_empty());
        Self {
            files: files.iter().filter_map(|file| scope.root().join(file).below(scope.root()).ok()).collect(),
            folders: found.folders,
            new_folders: found.new_folders,
            changed_folders: found.changed_folders,
            checkouts: found.checkouts,
            ignored_folders: found.ignored_folders,
            places: (is_complete && is_whole).then_some(found.places),
            unvisited: found.unvisited,
            n_entries: found.n_entries,
            times: found.times,
            index,
            watched: now,
        }
    }

    /// Removes the changes that an earlier search has judged.
    pub fn forget(&mut self, judged: impl Fn(&str, u128) -> bool) {
        let times = &self.times;
        let is_new = |path: &str| times.get(path).is_none_or(|at| !judged(path, *at));
        self.files.retain(|file| is_new(file.as_str()));
        for folders in [&mut self.folders, &mut self.new_folders, &mut self.changed_folders] {
            folders.retain(|folder| is_new(folder));
        }
    }

    /// Returns whether the scan visited everything.
    pub fn is_complete(&self) -> bool {
        self.unvisited.is_empty()
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
