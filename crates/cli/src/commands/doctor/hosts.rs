//! Which agent programs call steersman, and how often each does for one event.

use std::collections::BTreeMap;

use host::Host;
use host::install::{HookPlan, HostInUse, Root, runs_equal_commands_once};
use serde::Serialize;

use super::entries::{EntryReport, entries_of, unread_entries};
use super::finding::{Finding, Mark, Section};
use super::last_event::{LastEvent, last_events};
use super::trust::{self, Obstacle};
use crate::commands::{Place, hosts};
use crate::environment::UserFile;

/// The state of one agent program; the keys of `doctor --json`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct HostReport {
    /// Its name on the command line.
    pub(super) host: &'static str,
    /// Its name for people.
    pub(super) title: &'static str,
    in_use: bool,
    traces: Vec<String>,
    /// Whether `init` registered steersman with this program, as opposed to a file of another program.
    pub(super) registered: bool,
    /// The number of calls for one event.
    times: usize,
    /// The entries that call steersman.
    pub(super) entries: Vec<EntryReport>,
    last_event: Option<LastEvent>,
    /// Why the program runs none of its entries, as far as its own files tell.
    pub(super) obstacle: Option<Obstacle>,
}

/// The state of all agent programs.
pub(super) struct Hosts {
    pub(super) reports: Vec<HostReport>,
    pub(super) section: Section,
}

/// Examines every agent program.
pub(super) fn examine(place: &Place) -> Hosts {
    let in_use = hosts::in_use(place);
    let mut last = last_events(&place.workspace);
    let mut findings = Vec::new();
    let mut reports = Vec::new();
    for plan in HookPlan::ALL {
        for host in plan.hosts {
            let entries = entries_of(*host, plan, place, &mut findings);
            let traces = in_use.iter().find(|found| found.host == *host).map(traces).unwrap_or_default();
            let registered = entries.iter().any(|entry| is_own(entry, plan));
            let obstacle = if registered { trust::obstacle(*host, &entries, place) } else { None };
            let report = HostReport {
                host: host.name(),
                title: host.title(),
                in_use: !traces.is_empty(),
                traces,
                registered,
                times: times(*host, &entries),
                last_event: last.remove(host.name()),
                obstacle,
                entries,
            };
            findings.extend(report.findings(*host, plan, place));
            reports.push(report);
        }
    }
    if reports.iter().all(|report| !report.registered) {
        let finding = Finding::new(Mark::Wrong, "no agent program calls steersman here");
        findings.push(finding.hint("run `steersman init`, or `steersman init --user` for all your folders"));
    }
    Hosts { reports, section: Section { name: "hosts", title: "Agent programs", findings } }
}

impl HostReport {
    fn findings(&self, host: Host, plan: &HookPlan, place: &Place) -> Vec<Finding> {
        let title = self.title;
        if !self.registered {
            if let Some(unread) = unread_entries(host, plan, place).first() {
                let root = place.workspace.root();
                let text = format!(
                    "{title}: not governed in this folder: it reads {} only if you start it in {root}",
                    unread.file
                );
                let hint = format!(
                    "start it in {root}, or run `steersman init --user` to register for every folder"
                );
                return vec![Finding::new(Mark::Warning, text).hint(hint)];
            }
            let Some(trace) = self.traces.first() else {
                return vec![Finding::new(Mark::Info, format!("{title}: not in use here"))];
            };
            let finding = Finding::new(Mark::Warning, format!("{title}: in use ({trace}), not registered"));
            return vec![finding.hint(format!("run `steersman init --host {}`", self.host))];
        }
        let seen = match &self.last_event {
            Some(last) => format!("last event {last}"),
            None => "no event seen yet".to_owned(),
        };
        let seen = match &self.obstacle {
            Some(obstacle) => format!("{seen}: {}", obstacle.why),
            None => seen,
        };
        let own = self.entries.iter().filter(|entry| is_own(entry, plan));
        let mut files: Vec<&str> = own.map(|entry| entry.file.as_str()).collect();
        files.dedup();
        let text = format!("{title}: registered in {}; {seen}", files.join(" and "));
        let mut findings = vec![self.governance(text)];
        findings.extend(self.duplicate());
        findings.extend(self.duplicate_with_a_setting());
        findings.extend(self.missing(plan));
        findings
    }

    /// A program that is in use and never called, or does not run its entries, is worth a warning.
    fn governance(&self, text: String) -> Finding {
        match (&self.obstacle, &self.last_event) {
            _ if !self.in_use => Finding::new(Mark::Info, text),
            (Some(obstacle), _) => Finding::new(Mark::Warning, text).hint(obstacle.hint.clone()),
            (None, None) => Finding::new(Mark::Warning, text)
                .hint(format!("start {} here, restart it if it was running, and give it a task", self.title)),
            (None, Some(_)) => Finding::new(Mark::Fine, text),
        }
    }

    fn always(&self) -> impl Iterator<Item = &EntryReport> {
        self.entries.iter().filter(|entry| entry.only_with.is_none())
    }

    /// Reports a duplicate registration. One that another agent program needs is unavoidable and harmless;
    /// any other is a mistake.
    fn duplicate(&self) -> Option<Finding> {
        if self.times < 2 {
            return None;
        }
        let mut spare: Vec<&str> = self.always().map(|entry| entry.file.as_str()).collect();
        let for_all_folders = spare.iter().any(|file| is_for_all_folders(file));
        spare.retain(|file| !is_for_all_folders(file) && HookPlan::ALL.iter().all(|plan| plan.file != *file));
        spare.dedup();
        let text = format!("{}: called {} for one event", self.title, times_in_words(self.times));
        let text = format!("{text} ({})", self.example());
        Some(if self.twice_in_one_file() {
            Finding::new(Mark::Wrong, text)
                .hint(format!("run `steersman init --host {}` to remove the duplicate", self.host))
        } else if spare.is_empty() {
            let mark = if for_all_folders { Mark::Info } else { Mark::Warning };
            Finding::new(mark, text)
                .hint("the second call gets the same answer and no record; it only costs time")
        } else {
            Finding::new(Mark::Wrong, text)
                .hint(format!("remove steersman's entries from {}", spare.join(" and ")))
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

    /// Returns the places of one event that is registered more than once.
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

    fn duplicate_with_a_setting(&self) -> Option<Finding> {
        let entry = self.entries.iter().find(|entry| entry.only_with.is_some())?;
        let setting = entry.only_with?;
        let text = format!("{}: with `{setting}` on it would also read {}", self.title, entry.file);
        Some(Finding::new(Mark::Info, text))
    }

    fn missing(&self, plan: &HookPlan) -> Option<Finding> {
        let has = |key: &str| self.always().any(|entry| entry.event.eq_ignore_ascii_case(key));
        let missing: Vec<&str> = plan.rows.iter().map(|row| row.key).filter(|key| !has(key)).collect();
        (!missing.is_empty()).then(|| {
            Finding::new(Mark::Warning, format!("{}: not registered for {}", self.title, missing.join(", ")))
                .hint(format!("run `steersman init --host {}`", self.host))
        })
    }
}

/// Returns whether `init --user` or `init --managed` registers in this file.
fn is_for_all_folders(file: &str) -> bool {
    let is_of = |plans: [&HookPlan; 6], file: &str| plans.iter().any(|plan| plan.file == file);
    let is_of_user = |plan: &HookPlan| UserFile::of(plan.file).is_some_and(|own| own.shown() == file);
    HookPlan::USER.iter().any(|plan| is_of_user(plan))
        || file.strip_prefix('/').is_some_and(|file| is_of(HookPlan::MANAGED, file))
}

/// Returns whether an entry belongs to this plan's hosts: it is in their file, or in one that only a user can
/// have edited.
fn is_own(entry: &EntryReport, plan: &HookPlan) -> bool {
    let of_another = HookPlan::ALL.iter().any(|other| other.file != plan.file && other.file == entry.file);
    entry.only_with.is_none() && !of_another
}

/// Returns the maximum number of dispatches for one event. The hosts' spellings of an event differ only in
/// case between the files that a host reads.
fn times(host: Host, entries: &[EntryReport]) -> usize {
    let mut commands: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| entry.only_with.is_none()) {
        let commands = commands.entry(entry.event.to_lowercase()).or_default();
        // A command with another path to the binary is not the same.
        if !runs_equal_commands_once(host) || !commands.contains(&entry.command.as_str()) {
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

fn traces(found: &HostInUse) -> Vec<String> {
    let shown = found.evidence.iter().map(|trace| match trace.root {
        Root::Workspace => trace.name.to_owned(),
        Root::Home => UserFile::of(trace.name).map(|own| own.shown()).unwrap_or_default(),
        Root::Path => format!("`{}` on the PATH", trace.name),
    });
    shown.collect()
}
