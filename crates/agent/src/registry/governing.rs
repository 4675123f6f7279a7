//! Finds the one agent that governs a session, without reading all the others.

use config_file::Problem;
use std::path::{Path, PathBuf};

use super::file::{look_for, source};
use crate::definition::Definition;
use crate::load::load;
use crate::slug::{slug, stem};
use crate::tool_name::ToolNames;

/// What is known of the agent that governs.
#[derive(Debug, Clone, PartialEq)]
pub enum Governing {
    /// This is what it may do.
    Found(Box<Definition>),
    /// Its file has errors: what it may do is not known.
    Broken(Vec<Problem>),
    /// No file defines it: the host's own agents are like that.
    Undefined,
}

/// Finds an agent by the name a host calls it, or by its id.
///
/// WHY not the whole registry: this runs on every tool call. A file that does not have the name in
/// it, nor in its own name, is read but not understood.
pub fn governing(workspace: &Path, directory: &str, name: &str, names: &ToolNames) -> Governing {
    search(workspace, directory, name, names).governing
}

/// What was found, and every file and folder that could make it something else.
pub(super) struct Searched {
    pub(super) governing: Governing,
    pub(super) depends_on: Vec<PathBuf>,
}

/// Finds an agent, and what the finding depends on.
///
/// WHY without the registry's limits: a file beyond them is left out of lists, but an agent
/// that runs must not be without rules for it.
pub(super) fn search(workspace: &Path, directory: &str, name: &str, names: &ToolNames) -> Searched {
    let id = slug(name.strip_prefix("local:").unwrap_or(name));
    let mut broken = Vec::new();
    let found = look_for(workspace, directory, &|| false);
    let mut depends_on = found.folders;
    for file in &found.files {
        let has_stem = slug(stem(&file.shown)) == id;
        let source = match source(&file.path, &file.shown) {
            Ok(source) => source,
            Err(problem) if has_stem => {
                broken.push(*problem);
                continue;
            }
            Err(_) => continue,
        };
        if !has_stem && !source.text().contains(name) && !source.text().contains(&id) {
            continue;
        }
        let loaded = load(&source, file.format, names);
        match loaded.document {
            Some(document) => {
                let definition = document.definition;
                if definition.name == name || definition.profile.id == id {
                    depends_on.push(file.path.clone());
                    return Searched { governing: Governing::Found(Box::new(definition)), depends_on };
                }
            }
            None if has_stem || names_itself(source.text(), name) => broken.extend(loaded.problems),
            None => {}
        }
    }
    depends_on.extend(found.files.into_iter().map(|it| it.path));
    let governing = if broken.is_empty() { Governing::Undefined } else { Governing::Broken(broken) };
    Searched { governing, depends_on }
}

/// Returns whether a file that cannot be understood says that this is its name.
fn names_itself(text: &str, name: &str) -> bool {
    text.lines().any(|line| {
        let value = line.strip_prefix("name:").or_else(|| line.strip_prefix("id:"));
        value.is_some_and(|it| it.trim().trim_matches(['"', '\'']) == name)
    })
}
