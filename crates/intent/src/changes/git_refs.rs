//! Files of a git folder that git itself changes every day, and tells whether another program did: git logs every move of
//! `HEAD` and of a branch.
//!
//! WHY not by content: `git switch` and `git commit` change these files. A program that writes the log, too, is not noticed.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use serde::{Deserialize, Serialize};
use store::fingerprint;

use super::{FileSystemTime, folder_entries};
use crate::trace::commit_of;

/// The files of a repository, its submodules and linked checkouts that only git changes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct GitRefs {
    /// Each `HEAD`, by its path.
    heads: Vec<(String, Head)>,
    /// The objects that git takes for others.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    replaced: BTreeSet<String>,
    /// The commands that a rebase in progress will run.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    execs: BTreeSet<String>,
}

/// Where a git folder's `HEAD` leads, and what git logged about it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct Head {
    /// Its content: a branch or a commit.
    text: String,
    /// The length of its log.
    log: u64,
    /// Whether the last line of the log names the commit to which it leads.
    is_logged: bool,
}

/// The longest content of a `HEAD` that is kept.
const MAX_TEXT: usize = 512;

/// The most branches that are compared with their logs.
const MAX_BRANCHES: usize = 2000;

/// How deep the names of branches are nested.
const MAX_DEPTH: usize = 8;

/// The longest line of a log, with the message of its author.
const LAST_LINE: u64 = 16 * 1024;

impl GitRefs {
    /// Adds the `HEAD` of a git folder, whose branches are in `shared`.
    pub(super) fn add_head(&mut self, git: &Path, shared: &Path, shown: &str) {
        self.heads.extend(Head::of(git, shared).map(|head| (format!("{shown}/HEAD"), head)));
    }

    /// Adds what is the checkout's own: replaced objects, and the commands of a rebase.
    pub(super) fn add_checkout(&mut self, git: &Path, shared: &Path) {
        for (name, ..) in
            folder_entries::names(&shared.join(REPLACED)).unwrap_or_default().into_iter().take(MAX_REPLACED)
        {
            let by = read_start(&shared.join(REPLACED).join(&name)).unwrap_or_default();
            self.replaced.insert(format!("{name} {}", by.trim()));
        }
        let todo = store::plain_file::read(&git.join(REBASE)).unwrap_or_default();
        let todo = String::from_utf8_lossy(&todo);
        let execs =
            todo.lines().map(str::trim).filter(|line| line.starts_with("exec ") || line.starts_with("x "));
        self.execs.extend(execs.take(MAX_EXECS).map(|line| fingerprint([line.as_bytes()]).short()));
    }

    /// Returns the files that another program than git changed between two moments.
    pub(super) fn forged(&self, later: &Self) -> Vec<String> {
        let heads = self.heads.iter().filter(|(path, head)| {
            let mut later = later.heads.iter();
            later.any(|(same, later)| same == path && head.was_forged(later))
        });
        let mut forged: Vec<String> = heads.map(|(path, _)| path.clone()).collect();
        let replaced = later.replaced.symmetric_difference(&self.replaced);
        let name = |line: &String| line.split(' ').next().unwrap_or_default().to_owned();
        forged.extend(replaced.map(|line| format!(".git/{REPLACED}/{}", name(line))));
        if !later.execs.is_subset(&self.execs) {
            forged.push(format!(".git/{REBASE}"));
        }
        forged
    }
}

/// The objects that git takes for others, each a file named after the object.
const REPLACED: &str = "refs/replace";

/// The steps of a rebase in progress.
const REBASE: &str = "rebase-merge/git-rebase-todo";

/// The most replaced objects.
const MAX_REPLACED: usize = 200;

/// The most commands of a rebase.
const MAX_EXECS: usize = 200;

impl Head {
    /// Reads the `HEAD` of a git folder, whose branches are in `shared`. Returns `None` if it does not exist.
    pub(super) fn of(git: &Path, shared: &Path) -> Option<Self> {
        let file = git.join("HEAD");
        let text = match fs::symlink_metadata(&file).ok()?.file_type() {
            kind if kind.is_symlink() => format!("link {}", fs::read_link(&file).ok()?.display()),
            kind if kind.is_file() => read_start(&file)?,
            _ => "no file".to_owned(),
        };
        let log = git.join("logs/HEAD");
        let (length, last) = last_logged(&log).unwrap_or_default();
        let is_logged = last.is_some() && last == commit_of(git, shared);
        Some(Self { text: text.trim().to_owned(), log: length, is_logged })
    }

    /// Returns whether the log's last line names the commit to which it leads.
    pub(super) fn is_logged(&self) -> bool {
        self.is_logged
    }

    /// Returns whether something other than git changed it between two moments.
    pub(super) fn was_forged(&self, later: &Self) -> bool {
        self.text != later.text && (self.log == later.log || !later.is_logged)
    }
}

/// Returns the branches that changed since a moment and are not as git logged them, each with its path below the git
/// folder and the time of the change in nanoseconds.
pub(super) fn unlogged_branches(shared: &Path, since: FileSystemTime) -> Vec<(String, u128)> {
    let mut found = Vec::new();
    // A repository that logs nothing proves nothing.
    if !shared.join("logs").is_dir() {
        return found;
    }
    let mut left = MAX_BRANCHES;
    loose(shared, "refs/heads", since, MAX_DEPTH, &mut left, &mut found);
    let packed = shared.join("packed-refs");
    let changed = folder_entries::state(&packed).map_or(0, |state| state.newest_ns);
    if changed >= since.nanoseconds() && has_forged_branch(shared, &packed) {
        found.push(("packed-refs".to_owned(), changed));
    }
    found
}

fn loose(
    shared: &Path,
    folder: &str,
    since: FileSystemTime,
    depth: usize,
    left: &mut usize,
    found: &mut Vec<(String, u128)>,
) {
    for (name, _, is_folder) in folder_entries::names(&shared.join(folder)).unwrap_or_default() {
        if *left == 0 {
            return;
        }
        *left -= 1;
        let path = format!("{folder}/{name}");
        if is_folder {
            if depth > 0 {
                loose(shared, &path, since, depth - 1, left, found);
            }
            continue;
        }
        let Ok(state) = folder_entries::state(&shared.join(&path)) else { continue };
        if state.newest_ns < since.nanoseconds() || name.strip_suffix(".lock").is_some() {
            continue;
        }
        let Some(text) = read_start(&shared.join(&path)) else { continue };
        let logged = last_logged(&shared.join("logs").join(&path)).and_then(|(_, last)| last);
        // Before the oldest moment a log may have expired.
        let is_proven = logged.is_some() || since != FileSystemTime::START;
        if is_proven && !text.starts_with("ref:") && logged.as_deref() != Some(text.trim()) {
            found.push((path, state.newest_ns));
        }
    }
}

/// Returns whether the packed branches have one that is not as git logged it.
fn has_forged_branch(shared: &Path, packed: &Path) -> bool {
    let text = store::plain_file::read(packed).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let mut branches = text.lines().filter_map(|line| line.split_once(" refs/heads/")).take(MAX_BRANCHES);
    let is_forged = |(commit, name): (&str, &str)| {
        let is_plain = name.split('/').all(|part| !matches!(part, "" | "." | ".."));
        let is_hidden = || shared.join("refs/heads").join(name).exists();
        let logged = || last_logged(&shared.join("logs/refs/heads").join(name)).and_then(|(_, last)| last);
        is_plain && !is_hidden() && logged().is_some_and(|logged| logged != commit)
    };
    branches.any(is_forged)
}

/// Returns the length of a log and the commit that its last line moved to. Returns `None` if it does not exist.
fn last_logged(log: &Path) -> Option<(u64, Option<String>)> {
    // Opening a pipe in its place would wait for a writer.
    let length = fs::metadata(log).ok().filter(fs::Metadata::is_file)?.len();
    let mut file = File::open(log).ok()?;
    file.seek(SeekFrom::Start(length.saturating_sub(LAST_LINE))).ok()?;
    let mut end = Vec::new();
    file.take(LAST_LINE).read_to_end(&mut end).ok()?;
    let end = String::from_utf8_lossy(&end);
    // `<from> <to> <author> <time>\t<message>`
    let last = end.trim_end_matches('\n').rsplit('\n').next().and_then(|line| line.split(' ').nth(1));
    Some((length, last.map(str::to_owned)))
}

fn read_start(file: &Path) -> Option<String> {
    let mut text = Vec::new();
    let is_file = fs::metadata(file).is_ok_and(|meta| meta.is_file());
    let file = is_file.then(|| File::open(file).ok()).flatten()?;
    file.take(MAX_TEXT as u64).read_to_end(&mut text).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}
