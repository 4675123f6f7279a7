//! The registry's entries, and queries over them.

use std::collections::BTreeMap;
use std::path::Path;

use config_file::Problem;

use super::availability::Unavailable;
use super::entry::{AgentType, Entry, EntrySource};
use super::state::State;
use crate::limits::MAX_AGENT_ID_LENGTH;

/// All agents, by id.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Registry {
    entries: BTreeMap<String, Entry>,
}

/// A filter of agents.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// Only agents of this type.
    pub kind: Option<AgentType>,
    /// Only agents in this state.
    pub state: Option<State>,
    /// Only agents whose id, name or description contains this string, ignoring case.
    pub search: Option<String>,
}

impl Registry {
    /// Adds an entry. Returns the id as error if it is a duplicate.
    pub fn add(&mut self, entry: Entry) -> Result<(), String> {
        if self.entries.contains_key(&entry.id) {
            return Err(entry.id);
        }
        self.entries.insert(entry.id.clone(), entry);
        Ok(())
    }

    /// Adds an agent whose id is taken: listed in the state `ERROR`, under an id made of its file's path.
    pub(super) fn add_broken(&mut self, mut entry: Entry, problem: Problem) {
        let EntrySource::File { path } = &entry.source else { return };
        let hash: u32 = path
            .to_string_lossy()
            .bytes()
            .fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        let room = MAX_AGENT_ID_LENGTH + "local:".len() - 7;
        let stem: String = entry.id.chars().take(room).collect();
        entry.id = format!("{stem}-{:06x}", hash & 0x00ff_ffff);
        entry.problems.push(problem);
        entry.settle(Some(Unavailable::InvalidSchema));
        // The hash of another path differs.
        let _taken = self.add(entry);
    }

    /// Returns the entry of an id.
    pub fn get(&self, id: &str) -> Option<&Entry> {
        self.entries.get(id)
    }

    /// Returns the entry of an id for an update.
    pub fn get_mut(&mut self, id: &str) -> Option<&mut Entry> {
        self.entries.get_mut(id)
    }

    /// Returns all entries, sorted by id.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    /// Consumes the registry and returns all entries, sorted by id.
    pub(super) fn into_entries(self) -> impl Iterator<Item = Entry> {
        self.entries.into_values()
    }

    /// Returns the selected entries: local agents first, each group sorted by name.
    pub fn list(&self, selection: &Selection) -> Vec<&Entry> {
        let search = selection.search.as_ref().map(|it| it.to_lowercase());
        let has = |entry: &Entry, text: &str| {
            let description = entry.description.as_deref().unwrap_or_default();
            [&entry.id, &entry.display_name, description].iter().any(|it| it.to_lowercase().contains(text))
        };
        let mut found: Vec<&Entry> = self
            .entries
            .values()
            .filter(|it| selection.kind.is_none_or(|kind| it.kind == kind))
            .filter(|it| selection.state.is_none_or(|state| it.state == state))
            .filter(|it| search.as_ref().is_none_or(|text| has(it, text)))
            .collect();
        found.sort_by_cached_key(|it| (it.kind, it.display_name.to_lowercase(), it.id.clone()));
        found
    }

    /// Adds its source to the name of every agent whose name is not unique.
    pub fn tell_apart(&mut self) {
        let mut n_by_name: BTreeMap<String, usize> = BTreeMap::new();
        for entry in self.entries.values() {
            *n_by_name.entry(entry.name.to_lowercase()).or_default() += 1;
        }
        for entry in self.entries.values_mut() {
            let is_shared = n_by_name.get(&entry.name.to_lowercase()).is_some_and(|it| *it > 1);
            let suffix = if is_shared { entry.source.suffix() } else { "" };
            entry.display_name = format!("{}{suffix}", entry.name);
        }
    }

    /// Returns the entry of a file.
    pub(super) fn of_path_mut(&mut self, path: &Path) -> Option<&mut Entry> {
        let is_it = |it: &&mut Entry| matches!(&it.source, EntrySource::File { path: own } if own == path);
        self.entries.values_mut().find(is_it)
    }

    pub(super) fn count(&self, is_counted: impl Fn(&Entry) -> bool) -> usize {
        self.entries.values().filter(|it| is_counted(it)).count()
    }

    pub(super) fn keep_first(&mut self, limit: usize, is_counted: impl Fn(&Entry) -> bool) {
        let mut n_kept = 0;
        // Files take precedence over extensions: they belong to the project.
        let mut ids: Vec<(bool, String)> = self
            .entries
            .values()
            .filter(|it| is_counted(it))
            .map(|it| (matches!(it.source, EntrySource::Extension { .. }), it.id.clone()))
            .collect();
        ids.sort();
        for (_, id) in ids {
            n_kept += 1;
            if n_kept > limit {
                self.entries.remove(&id);
            }
        }
    }
}
