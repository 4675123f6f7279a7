//! Checks whether an agent is available.

use std::io;
use std::path::PathBuf;

use store::Timestamp;

use super::availability::{Availability, Unavailable};
use super::entry::{Entry, EntrySource};
use super::extension::is_installed;
use super::file::{AgentFile, load_file};
use crate::definition::{Format, ProviderName};
use crate::tool_name::ToolNames;

/// The inputs of an availability check.
pub struct AvailabilityContext<'a> {
    /// The names that tool lists may contain.
    pub names: &'a ToolNames,
    /// The editors' extension folders.
    pub extension_folders: &'a [PathBuf],
    /// Returns whether a program that runs agents is installed.
    pub is_installed: &'a dyn Fn(ProviderName) -> bool,
    /// The time.
    pub now: Timestamp,
}

/// Checks whether an agent is available, and updates the state of its entry.
pub fn availability(entry: &mut Entry, around: &AvailabilityContext<'_>) -> Availability {
    let reason = reason(entry, around);
    entry.last_validated = Some(around.now);
    entry.settle(reason);
    Availability { agent_id: entry.id.clone(), reason, checked_at: around.now }
}

fn reason(entry: &mut Entry, around: &AvailabilityContext<'_>) -> Option<Unavailable> {
    match &entry.source {
        EntrySource::File { path } => {
            match std::fs::metadata(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Some(Unavailable::FileDeleted);
                }
                Err(_) => return Some(Unavailable::Unknown),
                Ok(meta) if !meta.is_file() => return Some(Unavailable::FileDeleted),
                Ok(_) => {}
            }
            let shown = path.to_string_lossy().into_owned();
            let Some(format) = Format::of(&shown) else { return Some(Unavailable::Unknown) };
            let loaded = load_file(&AgentFile { path: path.clone(), shown, format }, around.names);
            entry.problems = loaded.problems;
            if loaded.document.is_none() {
                return Some(Unavailable::InvalidSchema);
            }
        }
        EntrySource::Extension { id } => {
            if !is_installed(around.extension_folders, id) {
                return Some(Unavailable::ExtensionUninstalled);
            }
        }
    }
    let program = entry.provider.filter(|it| !(around.is_installed)(*it));
    program.map(|_| Unavailable::CliNotInstalled)
}
