//! Whether hooks can wait for a person and approve calls as the settings say.

use event::EventName;
use host::install::{HookPlan, TimeoutUnit};
use host::{Host, attendance};
use project_config::{ApproveMode, AskSettings, Config, DoneGate};

use super::entries::EntryReport;
use super::finding::{Finding, Mark, Section};
use super::hosts::HostReport;
use crate::commands::Place;

/// The event with which agent programs announce their own question.
const ANNOUNCEMENT: &str = "PermissionRequest";

/// Compares the settings with the registrations.
pub(super) fn section(place: &Place, reports: &[HostReport]) -> Section {
    let config = Config::load(&place.workspace).unwrap_or_default();
    let asks: AskSettings = config.typed(AskSettings::SECTION).unwrap_or_default();
    let gate: DoneGate = config.typed(DoneGate::SECTION).unwrap_or_default();
    let approve = config.section(ApproveMode::SECTION).as_str().and_then(ApproveMode::parse);
    let mut findings = Vec::new();
    for report in reports.iter().filter(|report| report.registered) {
        let Some(host) = Host::from_name(report.host) else { continue };
        if asks.wait > 0 {
            findings.extend(of_waiting(host, report, asks.wait));
        }
        if let Some(seconds) = gate.seconds() {
            findings.extend(of_gate(host, report, seconds));
        }
        if let Some(mode) = approve.filter(|mode| *mode != ApproveMode::Off) {
            findings.extend(of_approval(host, report, mode));
        }
    }
    if asks.wait > 0 && !cfg!(target_os = "linux") {
        let text = "hooks cannot wait for a person on this system: `ask.wait` has no effect";
        findings.push(Finding::new(Mark::Warning, text));
    }
    Section { name: "prompts", title: "Prompts", findings }
}

/// Reports whether the hooks of a host have the time to wait.
fn of_waiting(host: Host, report: &HostReport, wait: u32) -> Vec<Finding> {
    let Some(plan) = HookPlan::of(host) else { return Vec::new() };
    let title = host.title();
    let hint = format!("run `steersman init --ask-wait {wait} --host {}`", host.name());
    let is_announced = attendance(host).is_announced();
    let events: Vec<&str> = if is_announced {
        vec![ANNOUNCEMENT]
    } else {
        let rows = plan.rows.iter().filter(|row| row.event == EventName::PreToolUse);
        rows.map(|row| row.key).collect()
    };
    let Some(mut findings) = short_timeouts(plan, report, &events, wait, &hint, &Wait::FOR_PERSON) else {
        let text =
            format!("{title}: no hook waits for a person: `{}` is not registered", events.join("`, `"));
        return vec![Finding::new(Mark::Warning, text).hint(hint)];
    };
    match &report.obstacle {
        Some(obstacle) if host == Host::Codex && findings.is_empty() => {
            let text = format!("{title}: no hook waits for a person: {}", obstacle.why);
            findings.push(Finding::new(Mark::Wrong, text).hint(obstacle.hint.clone()));
        }
        _ if findings.is_empty() => {
            findings.push(Finding::new(
                Mark::Fine,
                format!("{title}: hooks wait up to {wait} s for a person where it cannot ask"),
            ));
        }
        _ => {}
    }
    findings
}

/// Reports whether the hooks of a host have the time to run acceptance commands at a stop.
fn of_gate(host: Host, report: &HostReport, seconds: u32) -> Vec<Finding> {
    let Some(plan) = HookPlan::of(host) else { return Vec::new() };
    let hint = format!("run `steersman init --done-gate={seconds} --host {}`", host.name());
    let rows = plan.rows.iter().filter(|row| row.event == EventName::Stop);
    let events: Vec<&str> = rows.map(|row| row.key).collect();
    match short_timeouts(plan, report, &events, seconds, &hint, &Wait::FOR_COMMANDS) {
        None => {
            let text = format!(
                "{}: no hook runs acceptance commands: `{}` is not registered",
                host.title(),
                events.join("`, `")
            );
            vec![Finding::new(Mark::Warning, text).hint(hint)]
        }
        Some(findings) => findings,
    }
}

/// The use that a hook makes of its time, as the end of two sentences.
struct Wait {
    verb: &'static str,
    cut: &'static str,
}

impl Wait {
    const FOR_PERSON: Self =
        Self { verb: "for a person", cut: "the program lets a call pass for which the hook still waits" };
    const FOR_COMMANDS: Self = Self {
        verb: "for acceptance commands",
        cut: "the program lets the agent stop while the commands still run",
    };
}

/// Reports the entries whose timeout is too short to wait. Returns `None` if no entry is registered for the events.
fn short_timeouts(
    plan: &HookPlan,
    report: &HostReport,
    events: &[&str],
    wait: u32,
    hint: &str,
    what: &Wait,
) -> Option<Vec<Finding>> {
    let waiting: Vec<&EntryReport> =
        report.entries.iter().filter(|entry| events.contains(&entry.event.as_str())).collect();
    if waiting.is_empty() {
        return None;
    }
    let mut findings = Vec::new();
    for entry in waiting {
        let place = format!("{}: {}:{}", report.title, entry.file, entry.line);
        let timeout = entry.timeout.map(|timeout| match plan.timeout_unit {
            TimeoutUnit::Seconds => timeout,
            TimeoutUnit::Milliseconds => timeout / 1000,
        });
        match (entry.waits, timeout) {
            (Some(waits), Some(timeout)) if waits > timeout => {
                let text = format!(
                    "{place}: the command names a timeout of {waits} s, the entry has {timeout} s: {}",
                    what.cut
                );
                findings.push(Finding::new(Mark::Wrong, text).hint(hint.to_owned()));
            }
            (Some(waits), _) if waits > u64::from(wait) => {}
            (Some(_) | None, _) => {
                let text = format!("{place}: too short a timeout to wait {wait} s {}", what.verb);
                findings.push(Finding::new(Mark::Warning, text).hint(hint.to_owned()));
            }
        }
    }
    Some(findings)
}

/// Reports a host whose question no hook answers although calls are to be approved.
fn of_approval(host: Host, report: &HostReport, mode: ApproveMode) -> Option<Finding> {
    if let Some(why) = dispatch::why_not_approved(host) {
        let text = format!("{}: `approve` has no effect: {why}", host.title());
        return Some(Finding::new(Mark::Info, text));
    }
    let is_registered = report.entries.iter().any(|entry| entry.event == ANNOUNCEMENT);
    (host.announces_prompts() && !is_registered).then(|| {
        let text = format!(
            "{}: `approve` is `{}`, but `{ANNOUNCEMENT}` is not registered: prompts that it could save remain",
            host.title(),
            mode.as_str()
        );
        let hint = format!("run `steersman init --approve {} --host {}`", mode.as_str(), host.name());
        Finding::new(Mark::Warning, text).hint(hint)
    })
}
