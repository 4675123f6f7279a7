//! Agents that editor extensions contribute, read from the extensions on disk.

use config_file::Problem;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::file::source;
use crate::code;
use crate::slug::slug;

/// An extension and its agents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extension {
    /// `publisher.name`, in lower case.
    pub id: String,
    /// Its version.
    pub version: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Its agents.
    pub participants: Vec<Participant>,
}

/// An agent of an extension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participant {
    /// The part of its id after the colon.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub description: Option<String>,
}

/// The relevant part of a `package.json`.
#[derive(Deserialize)]
struct PackageWire {
    #[serde(default)]
    publisher: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    version: String,
    #[serde(default)]
    contributes: Value,
}

/// Reads the extensions with agents in the editors' folders, sorted by id.
///
/// Only the newest of several versions counts. Ignores extensions that the editor has marked for
/// removal.
pub fn extensions(
    folders: &[PathBuf],
    stop: &dyn Fn() -> bool,
    problems: &mut Vec<Problem>,
) -> Vec<Extension> {
    let mut found: BTreeMap<String, Extension> = BTreeMap::new();
    for folder in folders {
        for package in packages(folder) {
            if stop() {
                return found.into_values().collect();
            }
            match read(&package) {
                Ok(Some(extension)) => {
                    let older = found
                        .get(&extension.id)
                        .is_none_or(|it| numbers(&it.version) < numbers(&extension.version));
                    if older {
                        found.insert(extension.id.clone(), extension);
                    }
                }
                Ok(None) => {}
                Err(problem) => problems.push(*problem),
            }
        }
    }
    found.into_values().collect()
}

/// Returns whether an extension is in one of the folders.
pub(super) fn is_installed(folders: &[PathBuf], id: &str) -> bool {
    let begins = format!("{}-", id.to_ascii_lowercase());
    folders.iter().flat_map(|it| packages(it)).any(|package| {
        let folder =
            package.parent().and_then(Path::file_name).map(|it| it.to_string_lossy().to_ascii_lowercase());
        folder.is_some_and(|it| it == id.to_ascii_lowercase() || it.starts_with(&begins))
    })
}

/// Returns the `package.json` of every extension in a folder.
fn packages(folder: &Path) -> Vec<PathBuf> {
    let obsolete = fs::read(folder.join(".obsolete")).unwrap_or_default();
    let obsolete: Value = serde_json::from_slice(&obsolete).unwrap_or_default();
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let kept = entries.flatten().filter(|it| {
        obsolete.get(it.file_name().to_string_lossy().as_ref()).and_then(Value::as_bool) != Some(true)
    });
    let mut packages: Vec<PathBuf> =
        kept.map(|it| it.path().join("package.json")).filter(|it| it.is_file()).collect();
    packages.sort();
    packages
}

fn read(package: &Path) -> Result<Option<Extension>, Box<Problem>> {
    let shown = package.to_string_lossy().into_owned();
    let source = source(package, &shown)?;
    // Most extensions have no agents: a search for the keys is cheaper than parsing the file.
    if !source.text().contains("\"chatParticipants\"") && !source.text().contains("\"chatAgents\"") {
        return Ok(None);
    }
    let wire: PackageWire = serde_json::from_str(source.text()).map_err(|error| {
        let message = format!("cannot parse the extension's `package.json`: {error}");
        Box::new(Problem::error(shown.as_str(), code::EXTENSION_ERROR, message))
    })?;
    if wire.publisher.is_empty() || wire.name.is_empty() {
        let message = "the extension has no `publisher` or no `name`";
        return Err(Box::new(Problem::error(shown, code::EXTENSION_ERROR, message)));
    }
    let id = format!("{}.{}", wire.publisher, wire.name).to_ascii_lowercase();
    let lists =
        ["chatParticipants", "chatAgents"].map(|key| wire.contributes.get(key).and_then(Value::as_array));
    let participants = lists.into_iter().flatten().flatten().filter_map(|it| participant(&id, it)).collect();
    let folder = package.parent().unwrap_or(package).to_path_buf();
    Ok(Some(Extension { id, version: wire.version, folder, participants }))
}

fn participant(extension: &str, value: &Value) -> Option<Participant> {
    let text = |key: &str| value.get(key).and_then(Value::as_str).filter(|it| !it.trim().is_empty());
    // An agent that is given as a file has the file's name.
    let file = text("path").map(|it| crate::slug::stem(it).to_owned());
    let called = text("name").map(str::to_owned).or(file).or_else(|| text("id").map(str::to_owned))?;
    Some(Participant {
        slug: slug(&format!("{extension}-{called}")),
        name: text("fullName").map_or(called, str::to_owned),
        description: text("description").map(str::to_owned),
    })
}

fn numbers(version: &str) -> Vec<u64> {
    version.split(['.', '-', '+']).map(|it| it.parse().unwrap_or(0)).collect()
}
