//! Our entries in every file that an agent program reads hooks from.

use std::fs;
use std::path::{Path, PathBuf};

use config_file::nearest;
use event::{AbsPath, EventName};
use host::Host;
use host::install::{EditError, Plan, Registration, Root, SourceKind, When, also_reads, registrations};
use serde::Serialize;

use super::finding::{Finding, Mark};
use crate::change::Trouble;
use crate::commands::Place;
use crate::environment;

/// One entry of ours that the agent program reads.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EntryReport {
    /// The file, as people are shown it.
    pub(super) file: String,
    /// Its line, from 1.
    pub(super) line: usize,
    /// The agent program's name for the event.
    pub(super) event: String,
    /// The program that it starts.
    pub(super) program: String,
    /// The whole command.
    pub(super) command: String,
    /// The setting without which the file is not read.
    pub(super) only_with: Option<&'static str>,
}

/// Returns all entries that a host reads; a broken file is told of once.
pub(super) fn entries_of(
    host: Host,
    plan: &Plan,
    place: &Place,
    findings: &mut Vec<Finding>,
) -> Vec<EntryReport> {
    let sources = sources(host, plan, place);
    sources.iter().flat_map(|source| entries_in(source, findings)).collect()
}

/// A file that an agent program reads hooks from.
struct Source {
    path: PathBuf,
    shown: String,
    only_with: Option<&'static str>,
}

fn sources(host: Host, plan: &Plan, place: &Place) -> Vec<Source> {
    let root = place.workspace.root();
    let home = environment::home();
    let mut sources = vec![Source {
        path: root.join(plan.file).as_path().to_path_buf(),
        shown: plan.file.to_owned(),
        only_with: None,
    }];
    for also in also_reads(host) {
        let base: Option<(&AbsPath, &str)> = match also.root {
            Root::Workspace => Some((root, "")),
            Root::Home => home.as_ref().map(|home| (home, "~/")),
            Root::Path => None,
        };
        let Some((base, prefix)) = base else { continue };
        let only_with = match also.when {
            When::Always => None,
            When::With(setting) => Some(setting),
        };
        let names = match also.kind {
            SourceKind::File => vec![also.path.to_owned()],
            SourceKind::FolderOfJson => json_files(base, also.path),
        };
        for name in names {
            let path = base.join(&name).as_path().to_path_buf();
            if sources.iter().all(|source| source.path != path) {
                sources.push(Source { path, shown: format!("{prefix}{name}"), only_with });
            }
        }
    }
    sources
}

fn json_files(base: &AbsPath, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(base.join(folder).as_path()).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let is_json = |name: &String| Path::new(name).extension().is_some_and(|ending| ending == "json");
    let mut files: Vec<String> = names.filter(is_json).map(|name| format!("{folder}/{name}")).collect();
    files.sort();
    files
}

/// Returns our entries in a file; a broken one is told of once.
fn entries_in(source: &Source, findings: &mut Vec<Finding>) -> Vec<EntryReport> {
    let Ok(text) = fs::read_to_string(&source.path) else { return Vec::new() };
    let found = registrations(&text).unwrap_or_else(|error| {
        let finding = broken(&source.shown, &text, error);
        if !findings.contains(&finding) {
            findings.push(finding);
        }
        Vec::new()
    });
    for finding in found.iter().flat_map(|entry| unknown_words(&source.shown, entry)) {
        // A file that several programs read is told of once.
        if !findings.contains(&finding) {
            findings.push(finding);
        }
    }
    let report = |found: Registration| EntryReport {
        file: source.shown.clone(),
        line: found.line,
        event: found.key,
        program: found.program,
        command: found.command,
        only_with: source.only_with,
    };
    found.into_iter().map(report).collect()
}

/// Tells of words in a command of ours that `dispatch` cannot make sense of.
fn unknown_words(file: &str, entry: &Registration) -> Vec<Finding> {
    let place = format!("{file}:{}", entry.line);
    let unknown = |word: &Option<String>, what: &str, known: Vec<&'static str>| {
        let word = word.as_deref()?;
        let hint = match nearest(word, known.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("valid: {}", known.join(", ")),
        };
        Some(Finding::new(Mark::Wrong, format!("{place}: there is no {what} `{word}`")).hint(hint))
    };
    let hosts = Host::ALL.into_iter().map(Host::name).collect();
    let events = EventName::ALL.into_iter().map(EventName::as_str).collect();
    unknown(&entry.unknown_event, "event", events)
        .into_iter()
        .chain(unknown(&entry.unknown_host, "agent program", hosts))
        .collect()
}

/// Tells of a settings file that cannot be read.
pub(super) fn broken(file: &str, text: &str, error: EditError) -> Finding {
    match Trouble::edit(file, text, error) {
        Trouble::Content { what, place, .. } => {
            let finding = Finding::new(Mark::Wrong, what.replace("cannot be edited", "is broken"));
            Finding { place, ..finding.hint("the agent program may ignore all of it") }
        }
        Trouble::World(error) => Finding::new(Mark::Wrong, error.to_string()),
    }
}
