//! Checks the agents of a project against each other.

use config_file::{Code, Problem};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::code;
use crate::definition::{COMPLETE, Definition};
use crate::load::{Document, Loaded, Reference};

/// The agents of a project by name, and the problems between them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AgentSet {
    /// The valid agents.
    pub agents: BTreeMap<String, Definition>,
    /// The problems, file by file.
    pub problems: Vec<Problem>,
}

impl AgentSet {
    /// Combines the agents of a project.
    ///
    /// Keeps the first of two agents with the same name. Drops agents that refer to a missing agent,
    /// and agents that refer to those: the remaining ones can run to an end.
    pub fn new(documents: impl IntoIterator<Item = Document>) -> Self {
        Self::beside_invalid(documents, &BTreeSet::new())
    }

    /// Combines the agents of a project in which agents of these names have files with errors.
    pub fn beside_invalid(documents: impl IntoIterator<Item = Document>, invalid: &BTreeSet<String>) -> Self {
        let mut problems = Vec::new();
        let mut kept = distinct(documents, &mut problems);
        let known: BTreeSet<String> = kept.keys().chain(invalid).cloned().collect();
        loop {
            let missing = |name: &str| name != COMPLETE && !kept.contains_key(name);
            let broken: Vec<String> = kept
                .iter()
                .filter(|(_, it)| it.references.iter().any(|reference| missing(&reference.name)))
                .map(|(name, _)| name.clone())
                .collect();
            if broken.is_empty() {
                break;
            }
            let all: Vec<String> = kept.keys().cloned().collect();
            for name in &broken {
                if let Some(document) = kept.get(name) {
                    problems.extend(missing_targets(document, &all, &known));
                }
            }
            for name in broken {
                kept.remove(&name);
            }
        }
        for document in kept.values() {
            match loops_on_success(document, &kept) {
                Some(problem) => problems.push(problem),
                None => problems.extend(loops_otherwise(document, &kept)),
            }
        }
        let agents = kept.into_iter().map(|(name, it)| (name, it.definition)).collect();
        Self { agents, problems }
    }

    /// Adds the unknown targets of agents whose files have other errors. `names` are the names of all agents, valid or
    /// not.
    pub fn add_targets_of_invalid<'a>(
        &mut self,
        invalid: impl IntoIterator<Item = &'a Loaded>,
        names: &BTreeSet<String>,
    ) {
        let all: Vec<String> = names.iter().cloned().collect();
        for loaded in invalid.into_iter().filter(|loaded| loaded.document.is_none()) {
            let name = loaded.name.as_deref().unwrap_or_default();
            self.problems.extend(unknown_targets(&loaded.file, name, &loaded.references, &all, names));
        }
    }

    /// Returns whether there are only warnings.
    pub fn is_valid(&self) -> bool {
        !self.problems.iter().any(Problem::is_error)
    }
}

fn distinct(
    documents: impl IntoIterator<Item = Document>,
    problems: &mut Vec<Problem>,
) -> BTreeMap<String, Document> {
    let mut kept: BTreeMap<String, Document> = BTreeMap::new();
    for document in documents {
        let name = document.definition.name.clone();
        let Some(first) = kept.get(&name) else {
            kept.insert(name, document);
            continue;
        };
        let (origin, other) = (&document.definition.origin, &first.definition.origin);
        let message = format!("the agent `{name}` is also defined in `{}`", other.file);
        // One role may have a file for each host; only a duplicate within a format is a mistake.
        let same_kind =
            origin.format == other.format || (origin.format.is_workflow() && other.format.is_workflow());
        let mut problem = if same_kind {
            Problem::error(&origin.file, code::DUPLICATE_ID, message).hint("give one of them another name")
        } else {
            Problem::warning(&origin.file, code::DUPLICATE_ID, message)
                .hint("remove one of them; the other one is used")
        };
        problem.excerpt = document.name_excerpt;
        problems.push(problem);
    }
    kept
}

fn missing_targets(document: &Document, kept: &[String], known: &BTreeSet<String>) -> Vec<Problem> {
    let definition = &document.definition;
    unknown_targets(&definition.origin.file, &definition.name, &document.references, kept, known)
}

fn unknown_targets(
    file: &str,
    name: &str,
    references: &[Reference],
    kept: &[String],
    known: &BTreeSet<String>,
) -> Vec<Problem> {
    let missing = references.iter().filter(|it| it.name != COMPLETE && !kept.contains(&it.name));
    let problems = missing.map(|reference| {
        let message =
            format!("agent `{name}` references unknown agent `{}` in `{}`", reference.name, reference.field);
        let problem = Problem::error(file, Code::INVALID_SCHEMA, message)
            .at(reference.excerpt.clone())
            .expected(format!("the name of an agent, or `{COMPLETE}`"));
        if known.contains(&reference.name) {
            return problem.hint(format!("correct the errors of `{}`", reference.name));
        }
        let words = kept.iter().map(String::as_str).chain([COMPLETE]);
        match config_file::nearest(&reference.name, words) {
            Some(meant) => problem.hint(format!("did you mean `{meant}`?")),
            None => problem.hint(format!("use {}", listed(kept))),
        }
    });
    problems.collect()
}

fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(8).map(|it| format!("`{it}`")).collect();
    let more = if names.len() > 8 { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// Warns about an agent that returns to itself through success alone.
fn loops_on_success(document: &Document, kept: &BTreeMap<String, Document>) -> Option<Problem> {
    let definition = &document.definition;
    let warn = |message: String| {
        let mut problem = Problem::warning(&definition.origin.file, Code::INVALID_SCHEMA, message)
            .hint("let one of them transition to `complete`; now only the limits end the workflow");
        problem.excerpt = document
            .references
            .iter()
            .find(|it| it.field == "transitions.onSuccess")
            .map(|it| it.excerpt.clone());
        problem
    };
    if definition.transitions.on_success == definition.name {
        let message =
            format!("agent `{}` transitions to itself on success (potential infinite loop)", definition.name);
        return Some(warn(message));
    }
    let mut way = vec![definition.name.as_str()];
    let mut at = definition.transitions.on_success.as_str();
    while let Some(next) = kept.get(at) {
        if at == definition.name {
            // Reported once, for the first agent of the cycle by name.
            let is_first = way.iter().all(|it| *it >= definition.name.as_str());
            way.push(at);
            return is_first
                .then(|| warn(format!("the success transitions form a cycle: {}", way.join(" → "))));
        }
        if way.contains(&at) {
            return None;
        }
        way.push(at);
        at = next.definition.transitions.on_success.as_str();
    }
    None
}

/// Warns about agents that lead to each other in a circle, by any of their transitions: one warning for each agent that
/// comes directly after this one.
///
/// Each circle is reported for its first agent by name, so the ways lead only through later ones. A circle whose agents say
/// how it ends, by an `onMaxIterations` that leaves it, is how a workflow tries again, and no mistake.
fn loops_otherwise(document: &Document, kept: &BTreeMap<String, Document>) -> Vec<Problem> {
    let start = &document.definition;
    let next: BTreeSet<&str> = targets(start).filter(|target| *target > start.name.as_str()).collect();
    let ways = next.into_iter().filter_map(|next| shortest_way(next, &start.name, kept));
    let is_open = |way: &Vec<&str>| {
        let definitions = way.iter().filter_map(|name| kept.get(*name)).map(|it| &it.definition);
        let mut ends = definitions.filter_map(|it| it.transitions.on_max_iterations.as_deref());
        !ends.any(|end| end != start.name && !way.contains(&end))
    };
    let warning = |way: Vec<&str>| {
        let name = start.name.as_str();
        let message = format!("the transitions form a cycle: {name} → {}", way.join(" → "));
        let mut problem = Problem::warning(&start.origin.file, Code::INVALID_SCHEMA, message).hint(
            "give one of them an `onMaxIterations` that leaves the cycle; now only the limits end the workflow",
        );
        let leads_there = |it: &&Reference| Some(it.name.as_str()) == way.first().copied();
        problem.excerpt = document.references.iter().find(leads_there).map(|it| it.excerpt.clone());
        problem
    };
    ways.filter(is_open).map(warning).collect()
}

/// Returns the shortest way from one agent to another, both included, through agents whose names come after the latter's.
fn shortest_way<'a>(
    from: &'a str,
    to: &'a str,
    kept: &'a BTreeMap<String, Document>,
) -> Option<Vec<&'a str>> {
    let mut before: BTreeMap<&str, &str> = BTreeMap::new();
    let mut waiting = VecDeque::from([from]);
    while let Some(name) = waiting.pop_front() {
        let Some(document) = kept.get(name) else { continue };
        for target in targets(&document.definition) {
            if target == to {
                let mut way = vec![to, name];
                while let Some(above) = before.get(way[way.len() - 1]) {
                    way.push(above);
                }
                way.reverse();
                return Some(way);
            }
            if target > to && target != from && !before.contains_key(target) {
                before.insert(target, name);
                waiting.push_back(target);
            }
        }
    }
    None
}

/// Returns the targets of all transitions of an agent.
fn targets(definition: &Definition) -> impl Iterator<Item = &str> {
    let transitions = &definition.transitions;
    let custom = transitions.custom.iter().map(|it| it.target.as_str());
    let others = [transitions.on_failure.as_deref(), transitions.on_max_iterations.as_deref()];
    [transitions.on_success.as_str()].into_iter().chain(custom).chain(others.into_iter().flatten())
}
