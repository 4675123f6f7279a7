//! Finds the one agent that governs a session, without reading all the others.

use std::path::Path;

use super::file::{agent_files, source};
use crate::definition::Definition;
use crate::limits::MAX_AGENTS_PER_SOURCE;
use crate::load::load;
use crate::problem::Problem;
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
    let id = slug(name.strip_prefix("local:").unwrap_or(name));
    let mut broken = Vec::new();
    let files = agent_files(workspace, directory, &|| false);
    for file in files.iter().take(MAX_AGENTS_PER_SOURCE) {
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
                    return Governing::Found(Box::new(definition));
                }
            }
            None if has_stem || names_itself(source.text(), name) => broken.extend(loaded.problems),
            None => {}
        }
    }
    if broken.is_empty() { Governing::Undefined } else { Governing::Broken(broken) }
}

/// Returns whether a file that cannot be understood says that this is its name.
fn names_itself(text: &str, name: &str) -> bool {
    text.lines().any(|line| {
        let value = line.strip_prefix("name:").or_else(|| line.strip_prefix("id:"));
        value.is_some_and(|it| it.trim().trim_matches(['"', '\'']) == name)
    })
}
