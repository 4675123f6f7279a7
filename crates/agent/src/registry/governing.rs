//! Finds the agent that governs a session, without parsing all others.

use config_file::Problem;
use std::path::{Path, PathBuf};

use super::file::{look_for, source};
use crate::definition::Definition;
use crate::load::load;
use crate::slug::{slug, stem};
use crate::tool_name::ToolNames;

/// The governing agent.
#[derive(Debug, Clone, PartialEq)]
pub enum Governing {
    /// The definition.
    Found(Box<Definition>),
    /// Its file has errors, so its rules are unknown.
    Broken(Vec<Problem>),
    /// No file defines it, as for the host's own agents.
    Undefined,
}

/// Finds an agent by the name that a host uses, or by its id.
///
/// WHY not the whole registry: this runs on every tool call. It parses only files that contain the
/// name or have it as file name.
pub fn governing(workspace: &Path, directory: &str, name: &str, names: &ToolNames) -> Governing {
    search(workspace, directory, name, names).governing
}

/// The agent found, and every file and folder on which the result depends.
pub(super) struct AgentSearch {
    pub(super) governing: Governing,
    pub(super) depends_on: Vec<PathBuf>,
}

/// Finds an agent, and the files and folders on which the result depends.
///
/// WHY without the registry's limits: lists omit a file beyond them, but an agent that runs must not
/// be without rules for that reason.
pub(super) fn search(workspace: &Path, directory: &str, name: &str, names: &ToolNames) -> AgentSearch {
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
                    return AgentSearch { governing: Governing::Found(Box::new(definition)), depends_on };
                }
            }
            None if has_stem || names_itself(source.text(), name) => broken.extend(loaded.problems),
            None => {}
        }
    }
    depends_on.extend(found.files.into_iter().map(|it| it.path));
    let governing = if broken.is_empty() { Governing::Undefined } else { Governing::Broken(broken) };
    AgentSearch { governing, depends_on }
}

/// Returns whether a file that cannot be parsed claims this name.
fn names_itself(text: &str, name: &str) -> bool {
    text.lines().any(|line| {
        let value = line.strip_prefix("name:").or_else(|| line.strip_prefix("id:"));
        value.is_some_and(|it| it.trim().trim_matches(['"', '\'']) == name)
    })
}
