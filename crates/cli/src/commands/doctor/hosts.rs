//! Which agent programs call us, and how often each would for one event.

use std::collections::BTreeMap;

use host::Host;
use host::install::{InUse, Plan, Root};
use serde::Serialize;

use super::entries::{EntryReport, entries_of};
use super::finding::{Finding, Mark, Section};
use super::last_event::{LastEvent, last_events};
use crate::commands::{Place, hosts};

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
            let entries = entries_of(*host, plan, place, &mut findings);
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
            Finding::new(Mark::Warning, text).hint(self.what_becomes_of_the_second())
        } else {
            Finding::new(Mark::Wrong, text).hint(format!("remove our entries from {}", spare.join(" and ")))
        })
    }

    /// Copilot gives its calls no id, so only what comes at once is known for the same.
    fn what_becomes_of_the_second(&self) -> &'static str {
        if self.host == Host::CopilotCli.name() {
            "a second call within a second gets the same answer and leaves no record; it only takes its time"
        } else {
            "the second call gets the same answer and leaves no record; it only takes its time"
        }
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
