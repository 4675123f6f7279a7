//! Updates the registry after a change, and lists the differences.
//!
//! A watcher calls [`refresh`] with the changed paths, after a debounce
//! ([`FILE_WATCHER_DEBOUNCE`](crate::limits::FILE_WATCHER_DEBOUNCE)); a command calls [`merge`] with
//! the agents it has just discovered.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use store::Timestamp;

use super::availability::Unavailable;
use super::discover::{Discovery, Folders, discover};
use super::entry::{Entry, EntrySource};
use super::file::look_for;
use super::list::Registry;
use super::state::State;
use crate::definition::ProviderName;
use crate::limits::MAX_TOTAL_AGENTS;
use crate::tool_name::ToolNames;

/// How long a removed agent remains listed as unavailable.
const GONE_IS_LISTED: Duration = Duration::from_hours(7 * 24);

/// The inputs of an update.
#[derive(Clone, Copy)]
pub struct RefreshContext<'a> {
    /// The names that tool lists may contain.
    pub names: &'a ToolNames,
    /// Returns whether a program that runs agents is installed.
    pub is_installed: &'a dyn Fn(ProviderName) -> bool,
    /// The current time.
    pub now: Timestamp,
    /// Ends the search, as in [`discover`].
    pub stop: &'a dyn Fn() -> bool,
}

/// The updated registry and the differences.
#[derive(Debug, Clone, PartialEq)]
pub struct Refreshed {
    /// The agents with their states.
    pub registry: Registry,
    /// The differences, sorted by id.
    pub changes: Vec<Change>,
}

/// A difference between two registries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The agent's id.
    pub id: String,
    /// The kind of difference.
    pub kind: ChangeKind,
}

/// The kind of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// The agent is new.
    Found,
    /// The state changed.
    Became {
        /// Its state before.
        from: State,
        /// Its state now.
        to: State,
    },
    /// The definition changed.
    Edited,
    /// The agent is not listed any more.
    Forgotten,
}

impl Folders {
    /// Returns the existing folders in which agents can change.
    ///
    /// Includes parent folders: a watcher of the parent sees a missing folder appear.
    pub fn watched(&self) -> Vec<PathBuf> {
        let above = ["", ".rawko", ".github", ".claude"].map(|it| self.workspace.join(it));
        let mut watched = above.to_vec();
        watched.extend(look_for(&self.workspace, &self.directory, &|| false).folders);
        for folder in &self.extensions {
            watched.extend(folder.parent().map(Path::to_path_buf));
            watched.push(folder.clone());
            let below = fs::read_dir(folder).into_iter().flatten().flatten();
            let is_folder = |it: &fs::DirEntry| it.file_type().is_ok_and(|kind| kind.is_dir());
            watched.extend(below.filter(is_folder).map(|it| it.path()));
        }
        watched.retain(|it| it.is_dir());
        watched
    }

    /// Returns whether a change of this path can affect the registry.
    pub fn concerns(&self, path: &Path) -> bool {
        let own = [".rawko", ".github/agents", ".claude/agents"].map(|it| self.workspace.join(it));
        // Moving or removing a parent folder affects everything in it.
        let near = |folder: &PathBuf| path.starts_with(folder) || folder.starts_with(path);
        let in_extension = |folder: &PathBuf| {
            let Ok(rest) = path.strip_prefix(folder) else { return folder.starts_with(path) };
            let depth = rest.components().count();
            depth <= 1 || (depth == 2 && path.ends_with("package.json"))
        };
        own.iter().any(near) || self.extensions.iter().any(in_extension)
    }
}

/// Updates the registry after paths have changed. Returns `None` if no path affects agents.
///
/// WHY everything and not only the changed files: agents refer to each other, so one file can make
/// another valid or invalid; and a hundred files take a few milliseconds.
pub fn refresh(
    before: &Registry,
    folders: &Folders,
    changed: &[PathBuf],
    world: &RefreshContext<'_>,
) -> Option<(Refreshed, Discovery)> {
    if !changed.iter().any(|path| folders.concerns(path)) {
        return None;
    }
    let found = discover(folders, world.names, world.now, world.stop);
    Some((merge(before, found.registry.clone(), world.is_installed, world.now), found))
}

/// Compares discovered agents with the previous registry: applies state transitions, keeps removed
/// agents listed for a week, and keeps the discovery date of known agents.
pub fn merge(
    before: &Registry,
    found: Registry,
    is_installed: &dyn Fn(ProviderName) -> bool,
    now: Timestamp,
) -> Refreshed {
    let mut registry = Registry::default();
    let mut changes = Vec::new();
    for mut entry in found.into_entries() {
        if entry.state == State::Available && entry.provider.is_some_and(|it| !is_installed(it)) {
            entry.settle(Some(Unavailable::CliNotInstalled));
        }
        match before.get(&entry.id) {
            None => changes.push(Change { id: entry.id.clone(), kind: ChangeKind::Found }),
            Some(known) => {
                entry.discovered_at = known.discovered_at;
                changes.extend(difference(known, &entry));
            }
        }
        // The ids of discovered agents are unique.
        let _taken = registry.add(entry);
    }
    for known in before.iter().filter(|it| registry.get(&it.id).is_none()).cloned().collect::<Vec<_>>() {
        match gone(known.clone(), now).filter(|_| registry.iter().count() < MAX_TOTAL_AGENTS) {
            None => changes.push(Change { id: known.id.clone(), kind: ChangeKind::Forgotten }),
            Some(entry) => {
                changes.extend(difference(&known, &entry));
                let _taken = registry.add(entry);
            }
        }
    }
    registry.tell_apart();
    changes.sort_by(|one, other| one.id.cmp(&other.id));
    Refreshed { registry, changes }
}

/// Returns the entry of a removed agent. Returns `None` if it is no longer listed.
fn gone(mut entry: Entry, now: Timestamp) -> Option<Entry> {
    let seen = entry.last_validated.unwrap_or(entry.discovered_at);
    let is_old = u128::from(now.millis_since(seen)) > GONE_IS_LISTED.as_millis();
    // An agent that was never valid is dropped at once.
    if is_old || entry.state == State::Error {
        return None;
    }
    let reason = match &entry.source {
        // Its file lost this id, or the id became invalid.
        EntrySource::File { path } if path.is_file() => Unavailable::InvalidSchema,
        EntrySource::File { .. } => Unavailable::FileDeleted,
        EntrySource::Extension { .. } => Unavailable::ExtensionUninstalled,
    };
    entry.settle(Some(reason));
    Some(entry)
}

fn difference(known: &Entry, entry: &Entry) -> Option<Change> {
    let change = |kind| Some(Change { id: entry.id.clone(), kind });
    if known.state != entry.state {
        return change(ChangeKind::Became { from: known.state, to: entry.state });
    }
    let same =
        known.name == entry.name && known.description == entry.description && known.source == entry.source;
    if same { None } else { change(ChangeKind::Edited) }
}
