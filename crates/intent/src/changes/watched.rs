//! The files that are compared by content before and after a call, and the facts from before it that a scan needs.
//!
//! Watched are the files that govern the agent at the top of the workspace, and those of git that decide which programs it
//! runs and what it reads ([`known_files::GIT_SHARED`]), of submodules and linked checkouts, too. The ignore rules at the top are kept as text, so that a
//! command cannot hide its changes with a rule of its own. The names in the folders of the scope's patterns are kept,
//! so that a removed file is known by its name there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use event::AbsPath;
use known_files::{GIT_OF_CHECKOUT, GIT_SHARED};
use serde::{Deserialize, Serialize};
use store::{common_git_dir, fingerprint, git_dir};

use super::OwnFiles;
use super::git_refs::GitRefs;
use super::rules::{self, RULES_FILE, Rules};
use super::trace_file::TraceFile;
use crate::trace::GitIndex;
use crate::{Intent, Scope};

/// The state of the watched files at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Watched {
    /// Each watched file that exists, with a hash of its content, sorted by path.
    files: Vec<(String, String)>,
    /// Folders with the names in them.
    names: Vec<(String, BTreeSet<String>)>,
    /// The ignore rules at the top of the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    top_rules: Option<String>,
    /// The ignore rules of git's own folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exclude: Option<String>,
    /// Inode, size and time of git's index.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    index: String,
    /// A hash of the patterns of a sparse checkout.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    sparse: String,
    /// A hash of the workspace's selected intent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    selection: Option<String>,
    /// The trace.
    #[serde(default, skip_serializing_if = "TraceFile::is_missing")]
    trace: TraceFile,
    /// The files that only git changes; `None` if nothing is known of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refs: Option<GitRefs>,
}

/// How deep the repositories of submodules may be nested.
const MAX_DEPTH: usize = 4;

/// The most watched files.
const MAX_FILES: usize = 500;

/// The most names of a folder that are kept.
const MAX_NAMES: usize = 2000;

/// The most folders whose names are kept.
const MAX_FOLDERS: usize = 16;

/// The largest content that is hashed; of a larger file its size and times count.
const MAX_BYTES: u64 = 1024 * 1024;

impl Watched {
    /// Reads the watched files, without those that steersman writes itself.
    pub fn now(scope: &Scope, intent: Option<&Intent>, own: &OwnFiles) -> Self {
        let root = scope.root().as_path();
        let mut watched = Self::default();
        let top = names_in(root);
        let is_there = |path: &str| match &top {
            Some(names) => names.contains(path.split('/').next().unwrap_or_default()),
            None => true,
        };
        let mut left = MAX_FILES;
        for governing in scope.governing_files().filter(|path| is_there(path)) {
            add_files(root, governing, own, &mut left, &mut watched.files);
        }
        if let Some(git) = git_dir(&root.join(".git")) {
            let shared = common_git_dir(&git);
            // Git never replaces the folder itself.
            watched.files.extend(inode_of(&root.join(".git")).map(|inode| (".git".to_owned(), inode)));
            watched.add_repository(&git, &shared, ".git", &mut left);
            watched.add_submodules(&shared.join("modules"), ".git/modules", MAX_DEPTH, &mut left);
            watched.add_checkouts(&shared, &mut left);
            watched.refs.get_or_insert_default().add_checkout(&git, &shared);
            watched.exclude = rules::text_of(&shared.join("info/exclude"));
            watched.index = index_state(&git.join("index")).unwrap_or_default();
            watched.sparse = hash_of(&git.join("info/sparse-checkout")).unwrap_or_default();
        }
        watched.selection = hash_of(own.selection().as_path());
        watched.trace = TraceFile::of(scope.root());
        watched.top_rules = rules::text_of(&root.join(RULES_FILE));
        watched.names = top.map(|names| (String::new(), names)).into_iter().collect();
        for folder in folders_of(intent) {
            let names = names_in(&root.join(&folder));
            watched.names.extend(names.map(|names| (folder, names)));
        }
        watched.files.sort();
        watched.files.dedup();
        watched
    }

    /// Returns the watched files that are new, gone or have other content in `later`.
    pub fn differences(&self, later: &Self) -> BTreeSet<String> {
        let (before, after): (BTreeSet<_>, BTreeSet<_>) =
            (self.files.iter().collect(), later.files.iter().collect());
        let changed = before.symmetric_difference(&after).map(|(path, _)| path.clone());
        let refs = self.refs.as_ref().zip(later.refs.as_ref());
        changed.chain(refs.into_iter().flat_map(|(before, after)| before.forged(after))).collect()
    }

    /// Returns the hash of a watched file. Returns `None` if it does not exist.
    pub(super) fn hash_at(&self, path: &str) -> Option<&str> {
        self.files.iter().find(|(known, _)| known == path).map(|(_, hash)| hash.as_str())
    }

    /// Returns the present hash of a file.
    pub(super) fn hash_now(workspace: &AbsPath, path: &str) -> Option<String> {
        hash_of(workspace.join(path).as_path())
    }

    /// Returns whether no watched file was left out because there are too many.
    pub(super) fn knows_all(&self) -> bool {
        self.files.len() < MAX_FILES
    }

    /// Returns whether another intent is selected for the workspace in `later`.
    pub fn has_other_selection(&self, later: &Self) -> bool {
        later.selection.is_some() && later.selection != self.selection
    }

    /// Returns whether lines of the trace are gone in `later`, or something else took its place.
    pub fn has_lost_trace(&self, later: &Self, workspace: &AbsPath) -> bool {
        self.trace.has_lost_lines(later.trace, workspace)
    }

    /// Leaves out the files that only git changes: the call consists of commands of git, some of which log nothing.
    #[must_use]
    pub fn moved_by_git(self) -> Self {
        Self { refs: None, ..self }
    }

    /// Returns whether the files that only git changes are left out.
    pub fn is_moved_by_git(&self) -> bool {
        self.refs.is_none()
    }

    /// Adds the files of a repository, and those of the one checkout whose git folder this is.
    fn add_repository(&mut self, git: &Path, shared: &Path, shown: &str, left: &mut usize) {
        for (names, folder) in [(&GIT_SHARED[..], shared), (&GIT_OF_CHECKOUT[..], git)] {
            for name in names {
                add_git_file(&folder.join(name), &format!("{shown}/{name}"), left, &mut self.files);
            }
        }
        self.refs.get_or_insert_default().add_head(git, shared, shown);
    }

    /// Adds the files of the submodules' repositories in a folder, which may be in subfolders: a submodule's name may
    /// have slashes, and a submodule may have submodules.
    fn add_submodules(&mut self, folder: &Path, shown: &str, depth: usize, left: &mut usize) {
        if depth == 0 {
            return;
        }
        for name in names_in(folder).unwrap_or_default() {
            let (below, shown) = (folder.join(&name), format!("{shown}/{name}"));
            if below.join("HEAD").exists() {
                self.add_repository(&below, &below, &shown, left);
                self.add_submodules(&below.join("modules"), &format!("{shown}/modules"), depth - 1, left);
            } else if below.is_dir() {
                self.add_submodules(&below, &shown, depth - 1, left);
            }
        }
    }

    /// Adds the files of the linked checkouts. Those that lead to the checkout and back to the repository, and settings as
    /// the main checkout has them, are as `git worktree` writes them and do not count.
    fn add_checkouts(&mut self, shared: &Path, left: &mut usize) {
        let settings = hash_of(&shared.join("config.worktree"));
        for name in names_in(&shared.join("worktrees")).unwrap_or_default() {
            if *left == 0 {
                return;
            }
            *left -= 1;
            let (git, shown) = (shared.join("worktrees").join(&name), format!(".git/worktrees/{name}"));
            self.refs.get_or_insert_default().add_head(&git, shared, &shown);
            let is_linked = leads_back(&git, shared);
            for name in GIT_OF_CHECKOUT {
                let hash = hash_of(&git.join(name));
                let is_as_written = if name == "config.worktree" { hash == settings } else { is_linked };
                let hash = hash.filter(|_| !is_as_written);
                self.files.extend(hash.map(|hash| (format!("{shown}/{name}"), hash)));
            }
        }
    }

    /// Returns the names that were in a folder and are not any more, as paths. Returns `None` if the names of
    /// the folder were not kept.
    pub fn removed_from(&self, folder: &str, root: &Path) -> Option<Vec<String>> {
        let (_, names) = self.names.iter().find(|(known, _)| known == folder)?;
        let path = |name: &String| if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        let is_gone = |path: &String| fs::symlink_metadata(root.join(path)).is_err();
        Some(names.iter().map(path).filter(is_gone).collect())
    }

    /// Returns whether the names of a folder were kept.
    pub fn knows_names_in(&self, folder: &str) -> bool {
        self.names.iter().any(|(known, _)| known == folder)
    }

    /// Returns a name of git's index as it was, for a link to it. Returns `None` if there was none.
    pub fn index_name(&self) -> Option<&str> {
        Some(self.index.as_str()).filter(|name| !name.is_empty())
    }

    /// Reads git's index as it was from the link to it, if git has replaced it since. Returns `None` if it has not, or the
    /// link does not lead to that index.
    pub fn replaced_index(&self, workspace: &AbsPath, link: &Path) -> Option<GitIndex> {
        let now = git_dir(workspace.child(".git").as_path()).and_then(|git| index_state(&git.join("index")));
        let is_replaced = now.as_deref() != self.index_name();
        let is_that = || index_state(link).as_deref() == self.index_name();
        (is_replaced && is_that()).then(|| GitIndex::in_file(link))
    }

    /// Returns whether a program wrote git's index in its place, where the link to the index as it was leads, too. Git
    /// writes another file and renames it.
    pub fn was_index_overwritten(&self, workspace: &AbsPath, link: &Path) -> bool {
        let now = git_dir(workspace.child(".git").as_path()).and_then(|git| index_state(&git.join("index")));
        now.is_some() && now == index_state(link) && now.as_deref() != self.index_name()
    }

    /// Returns whether the workspace is a sparse checkout. In any other, a tracked file that git leaves out on request
    /// belongs on the disk: `git update-index --skip-worktree`.
    pub fn is_sparse_checkout(&self) -> bool {
        !self.sparse.is_empty()
    }

    /// Returns whether the patterns of the sparse checkout changed.
    pub fn has_other_sparse_checkout(&self, later: &Self) -> bool {
        self.sparse != later.sparse
    }

    /// Returns the ignore rules at the top of the workspace.
    pub(super) fn rules(&self) -> Rules {
        let exclude = Rules::default().with("", self.exclude.as_deref().unwrap_or_default());
        exclude.with("", self.top_rules.as_deref().unwrap_or_default())
    }
}

/// Returns inode, size and time of an index, in hexadecimal digits. Returns `None` if it does not exist.
fn index_state(file: &Path) -> Option<String> {
    let (inode, size, content_ns) = super::state_of(file).ok()?;
    Some(format!("{inode:016x}{size:016x}{content_ns:032x}"))
}

/// Returns the folders in which the files of a pattern are, without those whose whole content is in scope.
fn folders_of(intent: Option<&Intent>) -> BTreeSet<String> {
    let patterns = intent.map(|intent| intent.owned_scope.as_slice()).unwrap_or_default();
    let literal = patterns.iter().filter_map(|pattern| pattern.literal_folder());
    let partial = literal.filter(|folder| !patterns.iter().any(|pattern| pattern.covers_all_below(folder)));
    partial.filter(|folder| !folder.is_empty()).map(str::to_owned).take(MAX_FOLDERS).collect()
}

/// Returns the names in a folder. Returns `None` if it cannot be read or has too many.
fn names_in(folder: &Path) -> Option<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder).ok()?.flatten() {
        names.insert(entry.file_name().to_string_lossy().into_owned());
        if names.len() > MAX_NAMES {
            return None;
        }
    }
    Some(names)
}

/// Adds the file at a path, or the files below it, with their hashes.
fn add_files(root: &Path, path: &str, own: &OwnFiles, left: &mut usize, files: &mut Vec<(String, String)>) {
    if own.has(path) || *left == 0 {
        return;
    }
    let file = root.join(path);
    let Ok(meta) = fs::symlink_metadata(&file) else { return };
    if !meta.is_dir() {
        *left -= 1;
        files.extend(hash_of(&file).map(|hash| (path.to_owned(), hash)));
        return;
    }
    for name in names_in(&file).unwrap_or_default() {
        add_files(root, &format!("{path}/{name}"), own, left, files);
    }
}

fn add_git_file(file: &Path, shown: &str, left: &mut usize, files: &mut Vec<(String, String)>) {
    let Ok(meta) = fs::symlink_metadata(file) else { return };
    if !meta.is_dir() {
        let hash = if shown.ends_with("/config") { hash_of_settings(file) } else { hash_of(file) };
        files.extend(hash.map(|hash| (shown.to_owned(), hash)));
        return;
    }
    // The samples that git itself creates run nothing.
    for name in names_in(file).unwrap_or_default().into_iter().filter(|name| !name.ends_with(".sample")) {
        if *left == 0 {
            return;
        }
        *left -= 1;
        files.extend(hash_of(&file.join(&name)).map(|hash| (format!("{shown}/{name}"), hash)));
    }
}

/// Returns whether the git folder of a linked checkout names this repository, and a checkout that names the folder back or
/// is gone.
fn leads_back(git: &Path, shared: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    let checkout = store::dot_git_named_by(git).map(|dot_git| git.join(dot_git));
    let names_back = checkout.is_some_and(|dot_git| match dot_git.symlink_metadata() {
        Ok(_) => git_dir(&dot_git).and_then(|named| real(&named)) == real(git),
        Err(_) => true,
    });
    names_back && real(&common_git_dir(git)) == real(shared)
}

/// Returns the inode of a folder. Returns `None` for anything else, and where inodes are unknown.
fn inode_of(folder: &Path) -> Option<String> {
    let state = super::folder_entries::state(folder).ok()?;
    (state.is_folder && state.inode != 0).then(|| format!("folder {}", state.inode))
}

/// Hashes a file: its content, or where a link leads. Returns `None` if it does not exist.
fn hash_of(file: &Path) -> Option<String> {
    let meta = fs::symlink_metadata(file).ok()?;
    if meta.is_symlink() {
        let to = fs::read_link(file).ok()?;
        return Some(format!("link {}", fingerprint([to.to_string_lossy().as_bytes()]).short()));
    }
    if !meta.is_file() || meta.len() > MAX_BYTES {
        return Some(format!("{:?}", store::FileIdentity::of(&meta)));
    }
    // A file that cannot be read now cannot be read afterwards either.
    let content = fs::read(file).unwrap_or_default();
    let is_program = is_executable(&meta);
    Some(format!("{}{}", fingerprint([content.as_slice()]).short(), if is_program { "x" } else { "" }))
}

/// Hashes git's settings without the sections of branches.
///
/// WHY without: `git push -u`, `git switch` and `git branch` record there which branch follows which, and nothing in
/// these sections runs a program.
fn hash_of_settings(file: &Path) -> Option<String> {
    // Reading anything else, such as a pipe in its place, would wait for a writer.
    if !fs::symlink_metadata(file).ok()?.is_file() {
        return hash_of(file);
    }
    let text = fs::read(file).ok()?;
    let mut kept = Vec::new();
    let mut is_branch = false;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let begin = line.trim_ascii_start();
        if begin.starts_with(b"[") {
            is_branch = begin.to_ascii_lowercase().starts_with(b"[branch \"");
            // A setting may follow its section on the same line.
            is_branch &= line.trim_ascii_end().ends_with(b"]");
        }
        if !is_branch {
            kept.extend_from_slice(line);
        }
    }
    Some(fingerprint([kept.as_slice()]).short())
}

#[cfg(unix)]
fn is_executable(meta: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    meta.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_meta: &fs::Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Protected;
    use event::AbsPath;

    fn scope(dir: &Path) -> Scope {
        Scope::open(&AbsPath::new(dir).unwrap(), Protected::with([".claude/settings.json"]))
    }

    fn own(dir: &Path) -> OwnFiles {
        OwnFiles::of(&store::Workspace::at(AbsPath::new(dir).unwrap()))
    }

    #[test]
    fn a_watched_file_that_came_went_or_changed_is_known_by_its_path() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(".git/config", "[core]\n\tbare = false\n");
        write(".git/HEAD", "ref: refs/heads/main\n");
        write(".git/hooks/pre-push.sample", "");
        write(".claude/settings.json", "{}");
        write(".ai/hooks/config.json", "{}");
        write(".ai/tmp/x", "");
        let now = || Watched::now(&scope(dir.path()), None, &own(dir.path()));
        let before = now();
        assert_eq!(before.differences(&now()), BTreeSet::new());
        write(".ai/tmp/y", "");
        write(".git/hooks/commit-msg.sample", "");
        write(".git/config", "[core]\n\tbare = false\n[branch \"x\"]\n\tremote = origin\n");
        write(".claude/settings.local.json", "{}");
        assert_eq!(before.differences(&now()), BTreeSet::new(), "nothing of this governs");
        write(".git/hooks/pre-push", "evil");
        write(".git/config", "[core]\n\tbare = false\n\thooksPath = x\n");
        write(".git/info/exclude", "*\n");
        write(".claude/settings.json", "{ }");
        fs::remove_file(dir.path().join(".ai/hooks/config.json")).unwrap();
        write(".intentignore", "");
        let all = [
            ".ai/hooks/config.json",
            ".claude/settings.json",
            ".git/config",
            ".git/hooks/pre-push",
            ".git/info/exclude",
            ".intentignore",
        ];
        assert_eq!(before.differences(&now()), all.iter().map(|it| (*it).to_owned()).collect());
    }

    #[test]
    fn a_name_that_is_gone_from_the_top_is_known() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("notes"), "").unwrap();
        let before = Watched::now(&scope(dir.path()), None, &own(dir.path()));
        assert_eq!(before.removed_from("", dir.path()), Some(vec![]));
        fs::remove_file(dir.path().join("notes")).unwrap();
        assert_eq!(before.removed_from("", dir.path()), Some(vec!["notes".to_owned()]));
        assert_eq!(before.removed_from("lib", dir.path()), None);
    }
}
