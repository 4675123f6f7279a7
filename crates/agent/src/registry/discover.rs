//! Discovers all agents within the time and number limits of the specification.

use config_file::{Code, Problem};
use std::collections::BTreeMap;
use std::path::PathBuf;

use store::Timestamp;

use super::availability::Unavailable;
use super::entry::{AgentType, Entry, EntrySource};
use super::extension::{Extension, extensions};
use super::file::{AgentFile, agent_files, load_files};
use super::list::Registry;
use super::state::State;
use crate::agent_set::AgentSet;
use crate::code;
use crate::definition::Definition;
use crate::limits::{MAX_AGENT_DESCRIPTION_LENGTH, MAX_AGENTS_PER_SOURCE, MAX_TOTAL_AGENTS};
use crate::load::Loaded;
use crate::slug::{slug, stem, title};
use crate::tool_name::ToolNames;

/// The folders in which agents are searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// The workspace.
    pub workspace: PathBuf,
    /// The folder of the project's own agents below `.rawko/`.
    pub directory: String,
    /// The editors' extension folders.
    pub extensions: Vec<PathBuf>,
}

/// The result of discovery.
#[derive(Debug, Clone, PartialEq)]
pub struct Discovery {
    /// The agents with their states.
    pub registry: Registry,
    /// The agents by name, checked against each other.
    pub agents: BTreeMap<String, Definition>,
    /// The problems, file by file.
    pub problems: Vec<Problem>,
}

/// Discovers agents. `stop` ends the search, which then returns the agents found so far with an
/// error.
pub fn discover(folders: &Folders, names: &ToolNames, now: Timestamp, stop: &dyn Fn() -> bool) -> Discovery {
    let mut problems = Vec::new();
    let mut files = agent_files(&folders.workspace, &folders.directory, stop);
    if files.len() > MAX_AGENTS_PER_SOURCE {
        problems.push(too_many(
            "files",
            files.len(),
            MAX_AGENTS_PER_SOURCE,
            "MAX_AGENTS_PER_SOURCE",
            folders,
        ));
        files.truncate(MAX_AGENTS_PER_SOURCE);
    }
    let loaded = load_files(&files, names);
    let mut registry = Registry::default();
    let mut documents = Vec::new();
    for (file, Loaded { document, problems: found, .. }) in files.iter().zip(loaded) {
        add_file(&mut registry, file, document.as_ref().map(|it| &it.definition), &found, now, &mut problems);
        problems.extend(found);
        documents.extend(document);
    }
    let set = AgentSet::new(documents);
    mark_broken(&mut registry, folders, &set);
    problems.extend(set.problems);
    for extension in extensions(&folders.extensions, stop, &mut problems) {
        add_extension(&mut registry, &extension, now, &mut problems);
    }
    limit(&mut registry, folders, &mut problems);
    if stop() {
        let message = "discovering agents took longer than AGENT_DISCOVERY_TIMEOUT_MS; some may be missing";
        problems.push(Problem::error(shown(folders), code::FILE_NOT_FOUND, message));
    }
    registry.tell_apart();
    Discovery { registry, agents: set.agents, problems }
}

fn add_file(
    registry: &mut Registry,
    file: &AgentFile,
    definition: Option<&Definition>,
    found: &[Problem],
    now: Timestamp,
    problems: &mut Vec<Problem>,
) {
    let mut entry = match definition {
        Some(definition) => Entry::of_file(definition, file.path.clone(), now),
        None => unreadable(file, now),
    };
    entry.problems = found.to_vec();
    let state = if definition.is_some() { State::Available } else { State::Error };
    entry.state = entry.state.to(state).unwrap_or(State::Error);
    entry.reason = definition.is_none().then_some(Unavailable::InvalidSchema);
    let listed = entry.clone();
    if let Err(taken) = registry.add(entry) {
        let problem = Problem::error(&file.shown, code::DUPLICATE_ID, format!("duplicate id `{taken}`"))
            .hint("give it a different `id`");
        registry.add_broken(listed, problem.clone());
        // Checking the agents against each other reports duplicate names.
        if definition.is_some() && file.format == crate::definition::Format::AgentMd {
            problems.push(problem);
        }
    }
}

/// Returns why an agent that is not in the registry is unavailable: its file exists but is invalid or beyond the
/// limit, or neither file nor extension exist.
pub fn why_absent(folders: &Folders, id: &str) -> Unavailable {
    if id.starts_with("extension:") {
        return Unavailable::ExtensionUninstalled;
    }
    let bare = id.strip_prefix("local:").unwrap_or(id);
    let files = agent_files(&folders.workspace, &folders.directory, &|| false);
    let is_meant = |file: &AgentFile| {
        let declares = |line: &str| {
            line.trim().strip_prefix("id:").is_some_and(|it| it.trim().trim_matches(['"', '\'']) == bare)
        };
        slug(stem(&file.shown)) == bare
            || std::fs::read_to_string(&file.path)
                .is_ok_and(|text| text.lines().take(MAX_HEAD_LINES).any(declares))
    };
    match files.iter().position(is_meant) {
        None => Unavailable::FileDeleted,
        Some(at) if at >= MAX_AGENTS_PER_SOURCE => Unavailable::Unknown,
        Some(_) => Unavailable::InvalidSchema,
    }
}

/// How many lines of a file are searched for its id.
const MAX_HEAD_LINES: usize = 50;

/// Creates an entry for a file that cannot be loaded, so that it is listed with its error.
fn unreadable(file: &AgentFile, now: Timestamp) -> Entry {
    let stem = stem(&file.shown);
    Entry {
        id: format!("local:{}", slug(stem)),
        name: title(stem),
        display_name: title(stem),
        description: None,
        kind: AgentType::Local,
        source: EntrySource::File { path: file.path.clone() },
        profile: None,
        content: None,
        provider: None,
        discovered_at: now,
        last_validated: Some(now),
        state: State::Discovering,
        reason: None,
        problems: Vec::new(),
    }
}

/// Marks agents that refer to invalid agents as invalid too.
fn mark_broken(registry: &mut Registry, folders: &Folders, set: &AgentSet) {
    for problem in set.problems.iter().filter(|it| it.is_error() && it.code == Code::INVALID_SCHEMA) {
        let path = folders.workspace.join(&problem.file);
        if let Some(entry) = registry.of_path_mut(&path) {
            entry.problems.push(problem.clone());
            entry.settle(Some(Unavailable::InvalidSchema));
        }
    }
}

fn add_extension(
    registry: &mut Registry,
    extension: &Extension,
    now: Timestamp,
    problems: &mut Vec<Problem>,
) {
    for participant in &extension.participants {
        let short = |text: &String| text.chars().take(MAX_AGENT_DESCRIPTION_LENGTH).collect::<String>();
        let entry = Entry {
            id: format!("extension:{}", participant.slug),
            name: participant.name.clone(),
            display_name: participant.name.clone(),
            description: participant.description.as_ref().map(short),
            kind: AgentType::Background,
            source: EntrySource::Extension { id: extension.id.clone() },
            profile: None,
            content: None,
            provider: None,
            discovered_at: now,
            last_validated: Some(now),
            state: State::Available,
            reason: None,
            problems: Vec::new(),
        };
        if let Err(id) = registry.add(entry) {
            let file = extension.folder.join("package.json").to_string_lossy().into_owned();
            let message = format!("duplicate id `{id}`");
            problems.push(Problem::error(file, code::DUPLICATE_ID, message));
        }
    }
}

fn limit(registry: &mut Registry, folders: &Folders, problems: &mut Vec<Problem>) {
    let n_extensions = registry.count(|it| matches!(it.source, EntrySource::Extension { .. }));
    if n_extensions > MAX_AGENTS_PER_SOURCE {
        let name = "MAX_AGENTS_PER_SOURCE";
        problems.push(too_many("extensions", n_extensions, MAX_AGENTS_PER_SOURCE, name, folders));
        registry.keep_first(MAX_AGENTS_PER_SOURCE, |it| matches!(it.source, EntrySource::Extension { .. }));
    }
    let n_all = registry.count(|_| true);
    if n_all > MAX_TOTAL_AGENTS {
        problems.push(too_many("all sources", n_all, MAX_TOTAL_AGENTS, "MAX_TOTAL_AGENTS", folders));
        registry.keep_first(MAX_TOTAL_AGENTS, |_| true);
    }
}

fn too_many(from: &str, n_found: usize, limit: usize, name: &str, folders: &Folders) -> Problem {
    let message =
        format!("{n_found} agents from {from}, more than the {limit} of {name}; the rest is ignored");
    Problem::error(shown(folders), Code::INVALID_SCHEMA, message)
}

fn shown(folders: &Folders) -> String {
    folders.workspace.to_string_lossy().into_owned()
}
