//! The registry after something has changed: what is new, what is gone, what is different.
//!
//! A watcher calls [`refresh`] with the paths that changed, once they have come to rest
//! ([`FILE_WATCHER_DEBOUNCE`](crate::limits::FILE_WATCHER_DEBOUNCE)); a command calls [`merge`]
//! with what it has just found.

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

/// How long an agent that is gone is still listed as such.
const GONE_IS_LISTED: Duration = Duration::from_hours(7 * 24);

/// What the look needs to know of the world.
#[derive(Clone, Copy)]
pub struct World<'a> {
    /// The names lists of tools may have.
    pub names: &'a ToolNames,
    /// Whether a program that runs agents is installed.
    pub is_installed: &'a dyn Fn(ProviderName) -> bool,
    /// The time.
    pub now: Timestamp,
    /// Ends the search, as in [`discover`].
    pub stop: &'a dyn Fn() -> bool,
}

/// The registry and what is different in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Refreshed {
    /// The agents with their states.
    pub registry: Registry,
    /// What is different from before, in order of ids.
    pub changes: Vec<Change>,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The agent's id.
    pub id: String,
    /// What became of it.
    pub kind: ChangeKind,
}

/// What became of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// It was not there before.
    Found,
    /// It went from one state to another.
    Became {
        /// Its state before.
        from: State,
        /// Its state now.
        to: State,
    },
    /// It says something else of itself.
    Edited,
    /// It is not listed any more.
    Forgotten,
}

impl Folders {
    /// Returns the folders in which a change of agents can be seen, those that are there.
    ///
    /// The folders above are among them: one that is not there yet is seen when it appears.
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

    /// Returns whether a change of this path can matter to the registry.
    pub fn concerns(&self, path: &Path) -> bool {
        let own = [".rawko", ".github/agents", ".claude/agents"].map(|it| self.workspace.join(it));
        // A folder above is moved or removed with all that is in it.
        let near = |folder: &PathBuf| path.starts_with(folder) || folder.starts_with(path);
        let in_extension = |folder: &PathBuf| {
            let Ok(rest) = path.strip_prefix(folder) else { return folder.starts_with(path) };
            let depth = rest.components().count();
            depth <= 1 || (depth == 2 && path.ends_with("package.json"))
        };
        own.iter().any(near) || self.extensions.iter().any(in_extension)
    }
}

/// Looks again after paths have changed; `None` when none of them concerns agents.
///
/// WHY everything and not only what changed: agents name each other, so one file can make
/// another right or wrong; and a hundred files are read in a few milliseconds.
pub fn refresh(
    before: &Registry,
    folders: &Folders,
    changed: &[PathBuf],
    world: &World<'_>,
) -> Option<(Refreshed, Discovery)> {
    if !changed.iter().any(|path| folders.concerns(path)) {
        return None;
    }
    let found = discover(folders, world.names, world.now, world.stop);
    Some((merge(before, found.registry.clone(), world.is_installed, world.now), found))
}

/// Holds what was found against what was there before: states go their ways, what is gone
/// stays listed for a week, and what is known since long ago keeps its date.
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
        // What was found has ids of its own.
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

/// Returns the entry of an agent that is not there any more, as long as it is listed.
fn gone(mut entry: Entry, now: Timestamp) -> Option<Entry> {
    let seen = entry.last_validated.unwrap_or(entry.discovered_at);
    let is_old = u128::from(now.millis_since(seen)) > GONE_IS_LISTED.as_millis();
    // An agent that never worked is nothing to be missed.
    if is_old || entry.state == State::Error {
        return None;
    }
    let reason = match entry.source {
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
