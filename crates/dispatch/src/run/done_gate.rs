//! Runs the acceptance commands when an agent wants to stop, and gives the failing ones to the model as the reason to
//! continue.
//!
//! Before the modules judge the event: the summary of the session shows the results. The session's lock is free meanwhile.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use event::{Access, Deadline, Decision, Detail, LineKind};
use intent::{IntentsFile, WorkspaceIntents};
use modules::Context;
use modules::intent::{active_intent, intent_named};
use project_config::DoneGate;
use session::{
    CheckLine, CheckOutcome, DoneCheck, EventRecord, LineView, ManualChange, history, recorded_input,
};
use store::{DoneGateLock, ScriptFiles, Trust, Workspace, fingerprint};

use super::ask_run::{DEFAULT_TIMEOUT, MARGIN, WATCHDOG_MARGIN};
use super::event_run::EventRun;
use crate::launch_context::{CheckRequest, CheckResult};
use crate::merged_verdict::MergedVerdict;

/// The name under which the record of a run lists the gate.
const NAME: &str = DoneGate::SECTION;

/// The number of lines of a failing command's output that the model reads.
const SHOWN_LINES: usize = 30;

/// The most commands of one stop.
const MOST_CHECKS: usize = 50;

/// The findings of the gate.
#[derive(Debug, Default)]
pub(super) struct DoneReport {
    /// The reason to continue; `None` without a failure, and if the model has been given it in this turn.
    reason: Option<String>,
    /// Sentences for the user.
    warnings: Vec<String>,
}

/// A command that must pass.
struct Check {
    command: String,
    /// The node of the plan whose validation it is.
    node: Option<String>,
    /// The intent whose scope it may write.
    intent: Option<String>,
}

/// The findings of earlier stops of the session.
#[derive(Default)]
struct Earlier {
    /// The failures that the model was given in this turn.
    given: BTreeSet<String>,
    /// The last check of all, and whether a call that may change files ended after it.
    last: Option<(DoneCheck, bool)>,
    /// The nodes that were left since: marked as complete, or as pending again.
    left: Vec<String>,
    /// The intent that was selected when the turn began, and those selected in it.
    selected: Vec<String>,
}

impl DoneReport {
    /// Keeps the agent from stopping while a command fails. A module that keeps it already has its reason first.
    pub(super) fn apply(self, merged: &mut MergedVerdict) {
        merged.verdict.warnings.extend(self.warnings);
        let Some(reason) = self.reason else { return };
        if !merged.verdict.decision.is_deny() {
            merged.decided_by = Some(NAME.to_owned());
        }
        merged.verdict.decision =
            std::mem::take(&mut merged.verdict.decision).merge(Decision::Deny { reason });
    }
}

impl EventRun<'_> {
    /// Runs the acceptance commands of the active intent and of the plan's nodes in progress. Returns `None` if the gate
    /// is off, if the main agent does not stop here, or if nothing is to be run.
    pub(super) fn check_done(&self, context: &mut Context<'_>) -> Option<DoneReport> {
        let Detail::Stop { .. } = &self.event.detail else { return None };
        if self.config.section(NAME).is_null() {
            return None;
        }
        let seconds = match self.config.typed::<DoneGate>(NAME) {
            Ok(gate) => gate.seconds()?,
            Err(error) => {
                let warnings = vec![format!("cannot read the setting `{NAME}`, no command was run: {error}")];
                return Some(DoneReport { warnings, ..DoneReport::default() });
            }
        };
        if self.is_repeated(context) {
            return None;
        }
        let earlier = Earlier::read(context);
        if checks_of(context, &earlier.worked_on(context), &earlier).is_empty()
            && unreadable_intents(&self.workspace).is_none()
        {
            return None;
        }
        let started = self.deadline.started();
        let timeout = self.launch.timeout.unwrap_or(DEFAULT_TIMEOUT);
        let until = started + Duration::from_secs(seconds.into()).min(timeout.saturating_sub(MARGIN));
        let began = Instant::now();
        let watchdog_at =
            (started + timeout.saturating_sub(WATCHDOG_MARGIN)).saturating_duration_since(began);
        self.alarm.set(watchdog_at, self.watchdog_answer());
        let mut done = self.check_alone(context, until, timeout);
        // An agent may hold its own session, too: it may stop then, but the user learns what fails.
        if self.order.is_some() {
            done.warnings.extend(done.reason.take());
        }
        // The commands do not count as time of this run.
        let used = began.saturating_duration_since(started);
        let resumed = Instant::now();
        context.deadline =
            Deadline::after(resumed.checked_sub(used).unwrap_or(resumed), self.deadline.budget());
        self.alarm.set(context.deadline.left(resumed), self.watchdog_answer());
        Some(done)
    }

    /// Runs the commands, unless another process has just run them on the same files.
    fn check_alone(&self, context: &Context<'_>, until: Instant, timeout: Duration) -> DoneReport {
        // Of several registrations for one event the first runs the commands; the others wait and find its record.
        let Some(_lock) = DoneGateLock::take(&self.session.dir, until) else {
            let reason = "The work is not done: another process has kept the acceptance checks of this session from \
                          running. End the programs that you left running, then finish.";
            return DoneReport { reason: Some(reason.to_owned()), ..DoneReport::default() };
        };
        let earlier = Earlier::read(context);
        let intents = earlier.worked_on(context);
        let checks = checks_of(context, &intents, &earlier);
        if unreadable_intents(&self.workspace).is_none()
            && let Some((last, false)) = &earlier.last
            && last.commands == hash_of(&checks)
            && last.is_conclusive()
        {
            // Nothing has changed since: the result would be the same.
            return DoneReport::default();
        }
        let trust = self.trust();
        let mut report = GateReport::default();
        if let Some(why) = unreadable_intents(&self.workspace) {
            let file = Check { command: IntentsFile::PATH.to_owned(), node: None, intent: None };
            let message = format!("its checks are unknown: {why}\nAsk the user to fix the file.");
            report.add(&file, CheckResult { outcome: CheckOutcome::Failed, message }, Duration::ZERO);
        }
        for (index, check) in checks.iter().enumerate() {
            let refusal = match &trust {
                Ok((is_trusted, trust)) => {
                    let is_covered =
                        *is_trusted && trust.covers_validation(self.workspace.root(), &check.command);
                    (!is_covered)
                        .then(|| "you have not trusted this command; run `steersman trust`".to_owned())
                }
                Err(why) => Some(why.clone()),
            };
            let left = until.saturating_duration_since(Instant::now());
            let at = Instant::now();
            let result = if let Some(message) = refusal {
                CheckResult { outcome: CheckOutcome::Refused, message }
            } else if index >= MOST_CHECKS {
                let message = format!("only the first {MOST_CHECKS} commands run");
                CheckResult { outcome: CheckOutcome::Skipped, message }
            } else if left.is_zero() {
                let message = "the time limit ended before the other commands".to_owned();
                CheckResult { outcome: CheckOutcome::TimedOut, message }
            } else {
                let workspace = &self.workspace;
                let request = CheckRequest {
                    workspace,
                    command: check.command.trim(),
                    intent: check.intent.as_deref(),
                    timeout: left,
                };
                (self.launch.run_check)(&request)
            };
            report.add(check, result, at.elapsed());
        }
        let (record, done) = report.finish(intents.first().cloned(), &checks, &earlier, timeout);
        if let Ok(change) = ManualChange::begin(&self.session) {
            let _ = change.note(NAME, LineKind::DoneChecked, record.to_data());
        }
        done
    }

    /// Returns whether the workspace's own code is trusted in its present form, and the trust in single commands. Returns
    /// why it is not known.
    fn trust(&self) -> Result<(bool, Trust), String> {
        let state = self.launch.user_state.as_ref().ok_or("the user has no state folder")?;
        let trust = Trust::load(state).map_err(|error| error.to_string())?;
        let scripts = ScriptFiles::read(&self.workspace).map_err(|error| error.to_string())?.fingerprint();
        Ok((trust.covers(self.workspace.root(), &scripts), trust))
    }
}

/// Returns the commands of these intents, and those of the plan's nodes that are in progress or that were left since the
/// last check. A command of a node runs within the scope of the first intent.
fn checks_of(context: &Context<'_>, intents: &[String], earlier: &Earlier) -> Vec<Check> {
    let mut checks: Vec<Check> = Vec::new();
    for id in intents {
        let intent = intent_named(context, id);
        let criteria = intent.iter().flat_map(|intent| intent.acceptance_criteria.iter());
        let commands = criteria.filter_map(|criterion| criterion.command());
        checks.extend(commands.map(|command| Check {
            command: command.to_owned(),
            node: None,
            intent: Some(id.clone()),
        }));
    }
    let nodes = modules::plan_graph_exec::nodes_to_check(context, &earlier.left);
    for (node, validations) in nodes {
        for command in validations {
            if checks.iter().all(|known| known.command != command) {
                checks.push(Check { command, node: Some(node.clone()), intent: intents.first().cloned() });
            }
        }
    }
    checks
}

/// Returns why the intents cannot be read, and with them the commands that must pass. Returns `None` for a valid or
/// missing file.
fn unreadable_intents(workspace: &Workspace) -> Option<String> {
    WorkspaceIntents::of(workspace).read().err().map(|error| error.to_string())
}

fn hash_of(checks: &[Check]) -> String {
    fingerprint(checks.iter().map(|check| check.command.as_bytes())).short()
}

impl Earlier {
    /// Returns the active intent, and behind it the others of this turn: an agent may choose another intent, but the checks
    /// of the one that it worked on count.
    fn worked_on(&self, context: &Context<'_>) -> Vec<String> {
        let mut intents: Vec<String> = active_intent(context).iter().map(ToString::to_string).collect();
        for id in &self.selected {
            if !intents.contains(id) {
                intents.push(id.clone());
            }
        }
        intents
    }

    fn read(context: &Context<'_>) -> Self {
        let mut earlier = Self::default();
        let turn = context.ids.turn;
        // A journal that cannot be read has its own warning.
        let _ = history::each_line(&context.session.events_file(), |line| {
            earlier.add(line, turn);
            ControlFlow::<()>::Continue(())
        });
        earlier
    }

    fn add(&mut self, text: &str, turn: event::TurnId) {
        let head = history::head(text);
        let Some(kind) = head.split_once("\"type\":\"").and_then(|(_, rest)| rest.split('"').next()) else {
            return;
        };
        match LineKind::parse(kind) {
            Some(LineKind::IntentSelected) => {
                let Some(line) = serde_json::from_str::<EventRecord>(text).ok() else { return };
                let of =
                    |key: &str| line.data.get(key).and_then(serde_json::Value::as_str).map(str::to_owned);
                if line.turn_id == turn {
                    self.selected.extend(of("before"));
                } else {
                    self.selected.clear();
                }
                self.selected.extend(of("intentId"));
            }
            Some(LineKind::DoneChecked) => {
                let Some(line) = serde_json::from_str::<EventRecord>(text).ok() else { return };
                let Some(record) = DoneCheck::of(&line) else { return };
                if line.turn_id == turn {
                    self.given.extend(record.given.iter().cloned());
                }
                self.left.clear();
                self.last = Some((record, false));
            }
            Some(LineKind::PlanNode) => {
                let Some(line) = serde_json::from_str::<EventRecord>(text).ok() else { return };
                let of = |key: &str| line.data.get(key).and_then(serde_json::Value::as_str);
                let is_left = of("to") == Some("complete")
                    || of("to") == Some("pending") && of("from") == Some("active");
                if let Some(node) = of("node").filter(|_| is_left) {
                    self.left.push(node.to_owned());
                }
            }
            Some(LineKind::ToolOutcome) => {
                if let Some((_, has_changed)) = &mut self.last
                    && !*has_changed
                {
                    *has_changed = may_change_files(text);
                }
            }
            _ => {}
        }
    }
}

/// Returns whether the call of a `TOOL_OUTCOME` line may have changed files: any but one that only reads named files.
fn may_change_files(text: &str) -> bool {
    let Ok(line) = serde_json::from_str::<LineView<'_>>(text) else { return true };
    let touches = &line.data.touches;
    touches.is_empty() || touches.iter().any(|touch| touch.access != Access::Read.as_str())
}

/// The results of one stop.
#[derive(Default)]
struct GateReport {
    checks: Vec<CheckLine>,
    failures: Vec<(String, String)>,
    unfinished: Vec<(CheckOutcome, String, String)>,
}

impl GateReport {
    fn add(&mut self, check: &Check, result: CheckResult, took: Duration) {
        let CheckResult { outcome, message } = result;
        let command = recorded_input::short(&check.command).into_owned();
        let why = if outcome.holds() { "" } else { message.lines().next().unwrap_or_default() };
        self.checks.push(CheckLine {
            command: check.command.clone(),
            node: check.node.clone(),
            result: outcome.name().to_owned(),
            why: recorded_input::short(why).into_owned(),
            ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        });
        match outcome {
            CheckOutcome::Passed | CheckOutcome::Read => {}
            CheckOutcome::Failed => self.failures.push((command, message)),
            CheckOutcome::TimedOut | CheckOutcome::Refused | CheckOutcome::Skipped => {
                self.unfinished.push((outcome, command, why.to_owned()));
            }
        }
    }

    fn finish(
        self,
        intent: Option<String>,
        checks: &[Check],
        earlier: &Earlier,
        timeout: Duration,
    ) -> (DoneCheck, DoneReport) {
        let new =
            |(command, message): &&(String, String)| !earlier.given.contains(&failure_hash(command, message));
        let fresh: Vec<&(String, String)> = self.failures.iter().filter(new).collect();
        let mut warnings: Vec<String> = self
            .unfinished
            .iter()
            .map(|(outcome, command, why)| format!("`{command}` was not checked ({}): {why}", outcome.name()))
            .collect();
        if self.unfinished.iter().any(|(outcome, ..)| *outcome == CheckOutcome::TimedOut) {
            warnings.push(format!(
                "the agent program gives this hook {} s; `steersman init --done-gate SECONDS` registers a longer time",
                timeout.as_secs()
            ));
        }
        let reason = (!fresh.is_empty()).then(|| reason(intent.as_deref(), &fresh));
        if reason.is_none() && !self.failures.is_empty() {
            let failing: Vec<&str> = self.failures.iter().map(|(command, _)| command.as_str()).collect();
            warnings.push(format!(
                "the agent stops although `{}` still fails in the same way",
                failing.join("`, `")
            ));
        }
        let given = fresh.iter().map(|(command, message)| failure_hash(command, message)).collect();
        let holds = self.failures.is_empty() && self.unfinished.is_empty();
        let record = DoneCheck { intent, holds, checks: self.checks, commands: hash_of(checks), given };
        (record, DoneReport { reason, warnings })
    }
}

/// Returns the hash of a failure. Digits do not count: times and addresses differ from run to run.
fn failure_hash(command: &str, message: &str) -> String {
    let stable: String = message.chars().filter(|c| !c.is_ascii_digit()).collect();
    fingerprint([command.as_bytes(), stable.as_bytes()]).short()
}

fn reason(intent: Option<&str>, failures: &[&(String, String)]) -> String {
    let whose = intent.map(|id| format!(" of {id}")).unwrap_or_default();
    let mut reason = format!("The work is not done: an acceptance check{whose} fails.\n");
    for (command, message) in failures {
        let lines: Vec<&str> = message.lines().collect();
        let (first, rest) =
            lines.split_first().map_or(("it failed", &[][..]), |(first, rest)| (*first, rest));
        let end = &rest[rest.len().saturating_sub(SHOWN_LINES)..];
        // Writing to a string cannot fail.
        let _ = writeln!(reason, "\n`{command}`: {first}\n{}", end.join("\n"));
    }
    reason.push_str(
        "\nMend the cause, not the check, then finish. If you cannot, tell the user which check fails and why.",
    );
    reason
}
