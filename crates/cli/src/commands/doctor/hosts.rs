//! Which agent programs call us, and how often each would for one event.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use event::AbsPath;
use host::Host;
use host::install::{
    EditError, InUse, Plan, Registration, Root, SourceKind, When, also_reads, registrations,
};
use serde::Serialize;

use super::finding::{Finding, Mark, Section};
use super::last_event::{LastEvent, last_events};
use crate::change::Trouble;
use crate::commands::{Place, hosts};
use crate::environment;

/// What is known about one agent program; the keys of `doctor --json`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct HostReport {
    /// Its name on the command line.
    pub(super) host: &'static str,
    title: &'static str,
    in_use: bool,
    traces: Vec<String>,
    /// Whether it would call us because we registered with it, and not by way of a file that
    /// belongs to another.
    pub(super) registered: bool,
    /// How often it would call us for one event.
    times: usize,
    /// Where.
    pub(super) entries: Vec<EntryReport>,
    last_event: Option<LastEvent>,
}

/// One entry of ours that the agent program reads.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EntryReport {
    file: String,
    line: usize,
    event: String,
    /// The program that it starts.
    pub(super) program: String,
    command: String,
    /// The setting without which the file is not read.
    only_with: Option<&'static str>,
}

/// What was found out about all of them.
pub(super) struct Hosts {
    pub(super) reports: Vec<HostReport>,
    pub(super) section: Section,
}

/// Looks at every agent program.
pub(super) fn examine(place: &Place) -> Hosts {
    let in_use = hosts::in_use(place);
    let mut last = last_events(&place.workspace);
    let mut findings = Vec::new();
    let mut reports = Vec::new();
    for plan in Plan::ALL {
        for host in plan.hosts {
            let mut entries = Vec::new();
            for source in sources(*host, plan, place) {
                entries.extend(entries_in(&source, &mut findings));
            }
            let traces = in_use.iter().find(|found| found.host == *host).map(traces).unwrap_or_default();
            let report = HostReport {
                host: host.name(),
                title: host.title(),
                in_use: !traces.is_empty(),
                traces,
                registered: entries.iter().any(|entry| is_own(entry, plan)),
                times: times(*host, &entries),
                last_event: last.remove(host.name()),
                entries,
            };
            findings.extend(report.findings(plan));
            reports.push(report);
        }
    }
    if reports.iter().all(|report| !report.registered) {
        let finding = Finding::new(Mark::Wrong, "no agent program calls steersman here");
        findings.push(finding.hint("run `steersman init`"));
    }
    Hosts { reports, section: Section { name: "hosts", title: "Agent programs", findings } }
}

impl HostReport {
    fn findings(&self, plan: &Plan) -> Vec<Finding> {
        let title = self.title;
        if !self.registered {
            let Some(trace) = self.traces.first() else {
                return vec![Finding::new(Mark::Aside, format!("{title}: not in use here"))];
            };
            let finding = Finding::new(Mark::Warning, format!("{title}: in use ({trace}), not registered"));
            return vec![finding.hint(format!("run `steersman init --host {}`", self.host))];
        }
        let seen = match &self.last_event {
            Some(last) => format!("last event {last}"),
            None => "no event seen yet".to_owned(),
        };
        let own = self.entries.iter().filter(|entry| is_own(entry, plan));
        let mut files: Vec<&str> = own.map(|entry| entry.file.as_str()).collect();
        files.dedup();
        let text = format!("{title}: registered in {}; {seen}", files.join(" and "));
        let mut findings = vec![Finding::new(Mark::Fine, text)];
        findings.extend(self.doubled());
        findings.extend(self.doubled_with_a_setting());
        findings.extend(self.missing(plan));
        findings
    }

    fn always(&self) -> impl Iterator<Item = &EntryReport> {
        self.entries.iter().filter(|entry| entry.only_with.is_none())
    }

    /// Tells of a second registration. One that another agent program needs cannot be
    /// avoided and does no harm; any other is a mistake.
    fn doubled(&self) -> Option<Finding> {
        if self.times < 2 {
            return None;
        }
        let mut spare: Vec<&str> = self.always().map(|entry| entry.file.as_str()).collect();
        spare.retain(|file| Plan::ALL.iter().all(|plan| plan.file != *file));
        spare.dedup();
        let text = format!("{}: called {} for one event", self.title, times_in_words(self.times));
        let text = format!("{text} ({})", self.example());
        Some(if self.twice_in_one_file() {
            Finding::new(Mark::Wrong, text)
                .hint(format!("`steersman init --host {}` removes what is there twice", self.host))
        } else if spare.is_empty() {
            Finding::new(Mark::Warning, text)
                .hint("the second call gets the same answer and leaves no record; it only takes its time")
        } else {
            Finding::new(Mark::Wrong, text).hint(format!("remove our entries from {}", spare.join(" and ")))
        })
    }

    fn twice_in_one_file(&self) -> bool {
        let key = |entry: &EntryReport| (entry.file.clone(), entry.event.to_lowercase());
        let mut keys: Vec<_> = self.always().map(key).collect();
        let n_entries = keys.len();
        keys.sort();
        keys.dedup();
        keys.len() < n_entries
    }

    /// Returns where one event that is told more than once stands.
    fn example(&self) -> String {
        let same = |one: &EntryReport, other: &EntryReport| one.event.eq_ignore_ascii_case(&other.event);
        let n_times = |entry: &EntryReport| self.always().filter(|other| same(entry, other)).count();
        let Some(event) = self.always().find(|entry| n_times(entry) >= self.times) else {
            return String::new();
        };
        let places = self.always().filter(|other| same(event, other));
        let places: Vec<String> = places.map(|entry| format!("{}:{}", entry.file, entry.line)).collect();
        format!("{} in {}", event.event, places.join(", "))
    }

    fn doubled_with_a_setting(&self) -> Option<Finding> {
        let entry = self.entries.iter().find(|entry| entry.only_with.is_some())?;
        let setting = entry.only_with?;
        let text = format!("{}: with `{setting}` on it would also read {}", self.title, entry.file);
        Some(Finding::new(Mark::Aside, text))
    }

    fn missing(&self, plan: &Plan) -> Option<Finding> {
        let has = |key: &str| self.always().any(|entry| entry.event.eq_ignore_ascii_case(key));
        let missing: Vec<&str> = plan.rows.iter().map(|row| row.key).filter(|key| !has(key)).collect();
        (!missing.is_empty()).then(|| {
            Finding::new(Mark::Warning, format!("{}: not told of {}", self.title, missing.join(", ")))
                .hint(format!("run `steersman init --host {}`", self.host))
        })
    }
}

/// Returns whether an entry is there for this plan's hosts: in their file, or in one that
/// only a person can have put it into.
fn is_own(entry: &EntryReport, plan: &Plan) -> bool {
    let of_another = Plan::ALL.iter().any(|other| other.file != plan.file && other.file == entry.file);
    entry.only_with.is_none() && !of_another
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

fn broken(file: &str, text: &str, error: EditError) -> Finding {
    match Trouble::edit(file, text, error) {
        Trouble::Content { what, place, .. } => {
            let finding = Finding::new(Mark::Wrong, what.replace("cannot be edited", "is broken"));
            Finding { place, ..finding.hint("the agent program may ignore all of it") }
        }
        Trouble::World(error) => Finding::new(Mark::Wrong, error.to_string()),
    }
}

/// Counts how often one event is dispatched at most. The hosts' spellings of one event
/// differ only in case between the files that a host reads.
fn times(host: Host, entries: &[EntryReport]) -> usize {
    let mut commands: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| entry.only_with.is_none()) {
        let commands = commands.entry(entry.event.to_lowercase()).or_default();
        // Claude Code runs the same command of several files once.
        if host != Host::ClaudeCode || !commands.contains(&entry.command.as_str()) {
            commands.push(&entry.command);
        }
    }
    commands.values().map(Vec::len).max().unwrap_or(0)
}

fn times_in_words(times: usize) -> String {
    match times {
        2 => "twice".to_owned(),
        more => format!("{more} times"),
    }
}

fn traces(found: &InUse) -> Vec<String> {
    let shown = found.traces.iter().map(|trace| match trace.root {
        Root::Workspace => trace.name.to_owned(),
        Root::Home => format!("~/{}", trace.name),
        Root::Path => format!("`{}` on the PATH", trace.name),
    });
    shown.collect()
}
