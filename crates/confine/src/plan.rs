//! The mounts that confine a command, in the order in which the executor makes them.
//!
//! INVARIANT: everything is read-only unless a mount opens it. The deepest mount above a path decides; nothing
//! opens a path at or below a protected one.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::governing_names::IN_GIT;
use crate::path_bytes::{PathKey, compare, is_below, is_within};
use crate::scope_survey::survey;
use crate::{HiddenFiles, Kind, Network, Request, Tree};

/// A confinement as plain data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfinementPlan {
    /// The mounts, parents before children.
    pub mounts: Vec<Mount>,
    /// The folders with an overlay and their files in scope.
    pub overlays: Vec<Overlay>,
    /// Folders that are open because of a file in scope, so that it can be replaced; new entries are possible in them.
    pub opened_parents: Vec<PathBuf>,
    /// Folders to make before the mounts.
    pub folders: Vec<PathBuf>,
    /// The folders for temporary files among them.
    pub temporary: Vec<PathBuf>,
    /// Sockets, and folders of sockets, that the command may reach.
    pub sockets: Vec<PathBuf>,
    /// Whether the command reaches the network.
    pub network: Network,
    /// Whether the command sees no process but its own, and all of them end with it.
    pub alone: bool,
    /// Whether the command cannot signal processes outside, also with the network.
    pub own_signals: bool,
}

/// One mount.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mount {
    /// The path.
    pub path: PathBuf,
    /// The effect of the mount on it.
    pub kind: MountKind,
}

/// A folder whose changes go to another one, because it has too many entries to shut each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlay {
    /// The folder.
    pub folder: PathBuf,
    /// The names of its files in scope.
    pub names: Vec<OsString>,
    /// Where the changes go. The caller chooses; without, the files can only be written in place.
    pub layers: Option<Layers>,
}

/// The folders that take the changes of an overlay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layers {
    /// The folder of the changed files.
    pub upper: PathBuf,
    /// A folder for the kernel's own use, on the same disk.
    pub work: PathBuf,
}

/// The effect of a mount on its path. The order is that of strictness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MountKind {
    /// Keeps the access of the folder around it; only its name cannot change.
    Pinned,
    /// Read-only, and visible although the folder around it is hidden; a deeper mount may be writable.
    Shown,
    /// Writable, and visible although the folder around it is hidden.
    Writable,
    /// An overlay takes the changes; a deeper mount may be writable.
    Overlaid,
    /// Read-only; a deeper mount may be writable.
    ReadOnly,
    /// An empty, read-only folder in its place, in which deeper mounts are visible.
    Hidden,
    /// A new, empty and writable folder in its place, in which deeper mounts are visible.
    Private,
    /// Read-only, with everything below.
    Protected,
    /// An empty folder in its place.
    CoveredFolder,
    /// An empty file in its place.
    CoveredFile,
}

impl MountKind {
    const fn is_open(self) -> bool {
        matches!(self, Self::Writable | Self::Pinned)
    }

    /// Returns whether only what a deeper mount shows is visible below.
    pub(crate) const fn is_hiding(self) -> bool {
        matches!(self, Self::Hidden | Self::Private)
    }

    const fn is_cover(self) -> bool {
        matches!(self, Self::CoveredFolder | Self::CoveredFile)
    }

    /// Returns whether nothing below can be opened.
    const fn is_final(self) -> bool {
        matches!(self, Self::Protected) || self.is_cover()
    }
}

/// A file in scope gets a writable parent folder if it has at most this many siblings; each costs 24 µs.
const MAX_SIBLINGS: usize = 30;

impl ConfinementPlan {
    /// Makes the plan for a request.
    pub fn of(request: &Request, tree: &dyn Tree) -> Self {
        let mut rules = Rules::default();
        let mut folders = Vec::new();
        let mut plan = Self {
            network: request.network,
            own_signals: request.own_signals,
            temporary: request.temporary.clone(),
            alone: request.hidden.is_some(),
            ..Self::default()
        };
        if let Some(hidden) = &request.hidden {
            rules.hide(hidden, tree);
        }
        for path in &request.temporary {
            rules.add(path, MountKind::Writable);
        }
        for path in &request.tools {
            rules.add(path, MountKind::Writable);
        }
        for path in &request.git {
            rules.add(path, MountKind::Writable);
            for part in IN_GIT.map(|part| path.join(part)) {
                match tree.kind(&part) {
                    Some(Kind::Folder | Kind::File) => rules.add(&part, MountKind::Protected),
                    None if part.ends_with("hooks") || part.ends_with("info") => {
                        plan.folders.push(part.clone());
                        rules.add(&part, MountKind::Protected);
                    }
                    _ => {}
                }
            }
        }
        let mut files = Vec::new();
        for path in &request.scope {
            match tree.kind(path) {
                Some(Kind::Folder) => {
                    rules.add(path, MountKind::Writable);
                    folders.push(path.clone());
                }
                Some(Kind::File) => files.push(path.as_path()),
                None if path.parent().and_then(|parent| tree.kind(parent)) == Some(Kind::Folder) => {
                    files.push(path.as_path());
                }
                _ => {}
            }
        }
        let all = folders.clone();
        folders.retain(|path| !all.iter().any(|other| is_below(path, other)));
        files.retain(|file| !folders.iter().any(|folder| is_within(file, folder)));
        let opened = open_parents(&files, &mut rules, &mut plan.overlays, tree);
        let found = survey(&folders, tree);
        let of_parents = survey_of_parents(&opened, tree);
        for path in found.protected.iter().chain(&of_parents.protected) {
            if !request.git.contains(path) {
                rules.add(path, MountKind::Protected);
            }
        }
        let placeholders = found.placeholders.into_iter().chain(of_parents.placeholders);
        // Git removes empty folders and fails if it cannot; it does not write settings of its own accord.
        for path in placeholders.filter(|_| request.git.is_empty()) {
            rules.add(&path, MountKind::Protected);
            plan.folders.push(path);
        }
        for path in request.read_only.iter().filter(|path| is_mountable(tree, path)) {
            rules.add(path, MountKind::ReadOnly);
        }
        for path in request.floors.iter().filter(|path| is_mountable(tree, path)) {
            rules.0.entry(PathKey(path.clone())).or_insert(MountKind::ReadOnly);
        }
        for path in request.protected.iter().filter(|path| is_mountable(tree, path)) {
            rules.add(path, MountKind::Protected);
        }
        let is_wanted = |path: &&PathBuf| !request.open_sockets.iter().any(|open| is_within(path, open));
        for path in request.socket_folders.iter().filter(is_wanted) {
            let holds_a_wanted_one = request.open_sockets.iter().any(|open| is_within(open, path));
            if tree.kind(path) == Some(Kind::Folder) && !holds_a_wanted_one {
                rules.add(path, MountKind::CoveredFolder);
            }
        }
        for path in request.listeners.iter().filter(is_wanted) {
            let of_scope = request.scope.iter().chain(&request.tools).any(|scope| is_within(path, scope));
            if tree.kind(path) == Some(Kind::Other) && !of_scope {
                rules.add(path, MountKind::CoveredFile);
            }
        }
        plan.sockets =
            [&request.scope, &request.tools, &request.open_sockets].into_iter().flatten().cloned().collect();
        plan.mounts = rules.into_mounts();
        plan.overlays.retain(|overlay| {
            let is_overlaid =
                |mount: &Mount| mount.kind == MountKind::Overlaid && mount.path == overlay.folder;
            plan.mounts.iter().any(is_overlaid)
        });
        plan.opened_parents = opened;
        plan.folders.retain(|path| plan.mounts.iter().any(|mount| mount.path == *path));
        plan
    }

    /// Returns the paths that a mount opens, parents before children.
    pub fn writable(&self) -> impl Iterator<Item = &Path> {
        self.mounts.iter().filter(|mount| mount.kind == MountKind::Writable).map(|mount| mount.path.as_path())
    }

    /// Returns whether the command may write a path.
    pub fn permits(&self, path: &Path) -> bool {
        let deciding = self
            .mounts
            .iter()
            .rev()
            .find(|mount| path.starts_with(&mount.path) && mount.kind != MountKind::Pinned);
        deciding.is_some_and(|mount| mount.kind.is_open())
            || self.overlays.iter().any(|overlay| overlay.holds(path))
    }
}

/// Opens the parents of files in scope and shuts the other entries there, so that programs can replace the files
/// by a rename. Parents with too many entries, or with a link among them, get an overlay. Returns the opened parents.
fn open_parents(
    files: &[&Path],
    rules: &mut Rules,
    overlays: &mut Vec<Overlay>,
    tree: &dyn Tree,
) -> Vec<PathBuf> {
    let mut opened: Vec<PathBuf> = Vec::new();
    for file in files {
        let Some(parent) = file.parent() else { continue };
        if opened.iter().any(|folder| folder == parent) {
            continue;
        }
        let (siblings, is_all) = tree.list(parent, MAX_SIBLINGS + files.len() + 1);
        let of_scope = |path: &Path| files.contains(&path);
        let others: Vec<_> = siblings
            .iter()
            .map(|entry| (parent.join(&entry.name), entry.kind))
            .filter(|(path, _)| !of_scope(path))
            .collect();
        // A mount cannot hold a link in its place.
        let has_link = others.iter().any(|(_, kind)| *kind == Kind::Link);
        if rules.has(parent) && overlays.iter().all(|overlay| overlay.folder != parent) {
            rules.add(file, MountKind::Writable);
            continue;
        }
        if !is_all || others.len() > MAX_SIBLINGS || has_link {
            rules.add(parent, MountKind::Overlaid);
            let name = file.file_name().unwrap_or_default().to_os_string();
            match overlays.iter_mut().find(|overlay| overlay.folder == parent) {
                Some(overlay) => overlay.names.push(name),
                None => {
                    overlays.push(Overlay { folder: parent.to_path_buf(), names: vec![name], layers: None });
                }
            }
            continue;
        }
        rules.add(parent, MountKind::Writable);
        for (path, _) in others {
            rules.add(&path, MountKind::ReadOnly);
        }
        opened.push(parent.to_path_buf());
    }
    opened
}

impl Overlay {
    /// Returns its files in scope.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.names.iter().map(|name| self.folder.join(name))
    }

    /// Returns whether a path is one of its files in scope.
    pub fn holds(&self, path: &Path) -> bool {
        path.parent() == Some(&self.folder)
            && path.file_name().is_some_and(|name| self.names.iter().any(|it| it == name))
    }
}

/// Returns the placeholders in folders that were opened for a file; their other entries are shut already.
fn survey_of_parents(parents: &[PathBuf], tree: &dyn Tree) -> crate::scope_survey::Survey {
    let mut found = survey(parents, tree);
    found.protected.retain(|path| path.parent().is_some_and(|parent| parents.iter().any(|it| it == parent)));
    found
}

fn is_mountable(tree: &dyn Tree, path: &Path) -> bool {
    matches!(tree.kind(path), Some(Kind::Folder | Kind::File))
}

/// Rules by path, of which the strictest counts.
#[derive(Debug, Default)]
struct Rules(BTreeMap<PathKey, MountKind>);

impl Rules {
    /// Adds the rules for files that the command must not read.
    fn hide(&mut self, hidden: &HiddenFiles, tree: &dyn Tree) {
        for path in &hidden.folders {
            self.add(path, MountKind::Hidden);
        }
        for path in &hidden.emptied {
            self.add(path, MountKind::Private);
        }
        for path in hidden.shown.iter().filter(|path| is_mountable(tree, path)) {
            self.add(path, MountKind::Shown);
        }
        for path in &hidden.secrets {
            match tree.kind(path) {
                Some(Kind::Folder) => self.add(path, MountKind::CoveredFolder),
                Some(Kind::File) => self.add(path, MountKind::CoveredFile),
                // What a link leads to is hidden or not by its own path.
                Some(Kind::Link | Kind::Other) | None => {}
            }
        }
    }

    fn add(&mut self, path: &Path, kind: MountKind) {
        let rule = self.0.entry(PathKey(path.to_path_buf())).or_insert(kind);
        *rule = (*rule).max(kind);
    }

    fn has(&self, path: &Path) -> bool {
        self.0.contains_key(&PathKey(path.to_path_buf()))
    }

    /// Drops the rules without effect and pins the ancestors of shut paths.
    fn into_mounts(self) -> Vec<Mount> {
        let mut mounts: Vec<Mount> = Vec::with_capacity(self.0.len() + 8);
        let mut pins = Vec::new();
        let mut needless = Vec::new();
        // INVARIANT: what lies below a path follows it at once in this order: the rules above the present path are a stack.
        // WHY not a search in the map: comparing paths took longer than the mounts.
        let mut above: Vec<usize> = Vec::new();
        for (PathKey(path), kind) in self.0 {
            while above.last().is_some_and(|at| !is_within(&path, &mounts[*at].path)) {
                above.pop();
            }
            let root = above.last().map(|at| &mounts[*at]);
            let above_kind = root.map_or(MountKind::ReadOnly, |root| root.kind);
            if above_kind.is_final() && !kind.is_cover() || above_kind == MountKind::CoveredFolder {
                continue;
            }
            // WHY a protected path below a read-only one is kept out: nothing can open it, see above. But it must
            // still stop deeper rules, so those are dropped when they are made.
            let has_effect = kind.is_cover()
                || kind.is_hiding()
                || above_kind.is_hiding() && kind == MountKind::Shown
                || matches!(kind, MountKind::Protected | MountKind::Overlaid)
                || kind.is_open() != above_kind.is_open();
            if !has_effect {
                continue;
            }
            if let Some(root) = root.filter(|root| root.kind.is_open() && !kind.is_open()) {
                let between = path.ancestors().skip(1).take_while(|it| *it != root.path);
                pins.extend(between.map(|path| Mount { path: path.to_path_buf(), kind: MountKind::Pinned }));
            } else if kind == MountKind::Protected {
                needless.push(mounts.len());
            }
            above.push(mounts.len());
            mounts.push(Mount { path, kind });
        }
        for at in needless.into_iter().rev() {
            mounts.remove(at);
        }
        mounts.extend(pins);
        // The order of kinds is that of strictness, and a pin is the mildest.
        mounts.sort_by(|one, other| compare(&one.path, &other.path).then(other.kind.cmp(&one.kind)));
        mounts.dedup_by(|later, kept| later.path.as_os_str() == kept.path.as_os_str());
        mounts
    }
}

#[cfg(test)]
#[path = "plan/tests.rs"]
mod tests;
