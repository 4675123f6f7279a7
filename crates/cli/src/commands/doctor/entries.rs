//! Steersman's entries in every file from which an agent program reads hooks.

use std::fs;
use std::path::{Path, PathBuf};

use config_file::nearest;
use event::{AbsPath, EventName};
use host::Host;
use host::install::{
    EditError, Form, HookPlan, Registration, Root, SourceKind, When, finds_project_from_subfolder,
    other_hook_sources, registrations_in,
};
use serde::Serialize;

use super::finding::{Finding, Mark};
use crate::change::ChangeError;
use crate::commands::Place;
use crate::environment::{self, UserFile};

/// The user's own settings of Claude Code in a project.
const LOCAL_SETTINGS: &str = ".claude/settings.local.json";

/// An entry of steersman in a file that the agent program reads.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EntryReport {
    /// The file's name in messages.
    pub(super) file: String,
    /// The line, from 1.
    pub(super) line: usize,
    /// The agent program's name for the event.
    pub(super) event: String,
    /// The program that the entry starts.
    pub(super) program: String,
    /// The whole command.
    pub(super) command: String,
    /// The timeout that the command names, in seconds, by which the hook knows how long it may wait for a person.
    #[serde(skip)]
    pub(super) waits: Option<u64>,
    /// The timeout of the entry, in the program's unit.
    #[serde(skip)]
    pub(super) timeout: Option<u64>,
    /// The setting that makes the agent program read the file.
    pub(super) only_with: Option<&'static str>,
}

/// Returns all entries that a host reads; reports a broken file once.
pub(super) fn entries_of(
    host: Host,
    plan: &HookPlan,
    place: &Place,
    findings: &mut Vec<Finding>,
) -> Vec<EntryReport> {
    let sources = sources(host, plan, place);
    sources.iter().flat_map(|source| entries_in(source, findings)).collect()
}

/// A file from which an agent program reads hooks.
struct Source {
    path: PathBuf,
    shown: String,
    form: Form,
    only_with: Option<&'static str>,
}

/// Returns the folder from which a host that is started here reads project settings.
pub(super) fn project_folder(host: Host, place: &Place) -> &AbsPath {
    if place.is_named || finds_project_from_subfolder(host) { place.workspace.root() } else { &place.folder }
}

/// Returns the name of a file in a folder of the workspace for messages.
pub(super) fn shown_in(place: &Place, folder: &AbsPath, file: &str) -> String {
    match folder.below(place.workspace.root()).map(|inner| inner.to_string()) {
        Ok(inner) if !inner.is_empty() && inner != "." => format!("{inner}/{file}"),
        _ => file.to_owned(),
    }
}

/// Returns our entries in the settings of the project that the host does not read here.
pub(super) fn unread_entries(host: Host, plan: &HookPlan, place: &Place) -> Vec<EntryReport> {
    let root = place.workspace.root();
    if project_folder(host, place) == root {
        return Vec::new();
    }
    let path = root.join(plan.file).as_path().to_path_buf();
    entries_in(
        &Source { path, shown: plan.file.to_owned(), form: plan.form, only_with: None },
        &mut Vec::new(),
    )
}

fn sources(host: Host, plan: &HookPlan, place: &Place) -> Vec<Source> {
    let root = project_folder(host, place);
    let mut sources = vec![Source {
        path: root.join(plan.file).as_path().to_path_buf(),
        shown: shown_in(place, root, plan.file),
        form: plan.form,
        only_with: None,
    }];
    for plan in HookPlan::MANAGED.into_iter().filter(|plan| plan.hosts.contains(&host)) {
        let (path, shown) = environment::managed_file(plan.file);
        sources.push(Source { path: path.as_path().to_path_buf(), shown, form: plan.form, only_with: None });
    }
    for also in other_hook_sources(host) {
        let in_project = |base: &AbsPath| Some((base.clone(), also.path, None));
        let found = match also.root {
            // Claude Code reads it from the project, wherever in it the program is started.
            Root::Workspace if also.path == LOCAL_SETTINGS && host == Host::ClaudeCode => {
                in_project(place.workspace.root())
            }
            Root::Workspace => in_project(root),
            Root::Home => UserFile::of(also.path).map(|own| (own.root, own.file, Some(own.prefix))),
            Root::Path => None,
        };
        let Some((base, path, prefix)) = found else { continue };
        let only_with = match also.when {
            When::Always => None,
            When::With(setting) => Some(setting),
        };
        let names = match also.kind {
            SourceKind::File => vec![path.to_owned()],
            SourceKind::FolderOfJson => json_files(&base, path),
        };
        for name in names {
            let path = base.join(&name).as_path().to_path_buf();
            if sources.iter().all(|source| source.path != path) {
                let shown = match prefix {
                    Some(prefix) => format!("{prefix}{name}"),
                    None => shown_in(place, &base, &name),
                };
                sources.push(Source { path, shown, form: Form::Json, only_with });
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

/// Returns steersman's entries in a file; reports a broken file once.
fn entries_in(source: &Source, findings: &mut Vec<Finding>) -> Vec<EntryReport> {
    let Ok(text) = fs::read_to_string(&source.path) else { return Vec::new() };
    let found = registrations_in(source.form, &text).unwrap_or_else(|error| {
        let finding = broken(&source.shown, &text, error);
        if !findings.contains(&finding) {
            findings.push(finding);
        }
        Vec::new()
    });
    for finding in found.iter().flat_map(|entry| unknown_words(&source.shown, entry)) {
        // Several programs may read this file; report it once.
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
        waits: found.waits,
        timeout: found.timeout,
        only_with: source.only_with,
    };
    found.into_iter().map(report).collect()
}

/// Reports words of an entry's command that `dispatch` does not know.
fn unknown_words(file: &str, entry: &Registration) -> Vec<Finding> {
    let place = format!("{file}:{}", entry.line);
    let unknown = |word: &Option<String>, what: &str, known: Vec<&'static str>| {
        let word = word.as_deref()?;
        let hint = match nearest(word, known.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("valid: {}", known.join(", ")),
        };
        Some(Finding::new(Mark::Wrong, format!("{place}: unknown {what} `{word}`")).hint(hint))
    };
    let hosts = Host::ALL.into_iter().map(Host::name).collect();
    let events = EventName::ALL.into_iter().map(EventName::as_str).collect();
    unknown(&entry.unknown_event, "event", events)
        .into_iter()
        .chain(unknown(&entry.unknown_host, "agent program", hosts))
        .collect()
}

/// Reports a settings file that cannot be parsed.
pub(super) fn broken(file: &str, text: &str, error: EditError) -> Finding {
    match ChangeError::edit(file, text, error) {
        ChangeError::Content { what, place, .. } => {
            let finding = Finding::new(Mark::Wrong, what.replace("cannot edit", "cannot parse"));
            Finding { place, ..finding.hint("the agent program may ignore all of it") }
        }
        ChangeError::World(error) => Finding::new(Mark::Wrong, error.to_string()),
    }
}
