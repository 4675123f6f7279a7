//! Handles the end of a call, or of a turn whose calls may have ended without an event.

use event::{AgentId, Detail, Outcome, ToolCall, ToolKind};
use intent::IntentsFile;
use intent::journal::{DriftedFile, ScopeDrift};
use intent::trace::{Found, PendingCall, PendingCalls};

use super::governance::{Active, Governance};
use super::own_tools::{self, OwnTool};
use super::settling::{Settled, Settling};
use super::{binding, drift, emitted, planned_changes, seen};
use crate::carryover::Carryover;
use crate::{Action, Context};

/// The reports to write, one per call.
pub(super) type Report = Vec<Settled>;

/// Reports the changes of a call.
pub(super) fn of_call(context: &Context<'_>, call: &ToolCall, outcome: &Outcome) -> Action {
    let Some(rules) = Governance::of(context) else { return governor_gone(context, call) };
    match own_tools::of(call) {
        Some(OwnTool::Select(id)) => return binding::ended(&rules, id, outcome),
        Some(OwnTool::Other) => return Action::default(),
        None => {}
    }
    if matches!(call.kind, ToolKind::Search | ToolKind::Fetch | ToolKind::Subagent | ToolKind::Harmless) {
        return Action::default();
    }
    let succeeded = matches!(outcome, Outcome::Done { .. });
    let mut settling = Settling::new(&rules);
    let settled = match find(context, call) {
        Some(found) => {
            let announced = call.content.as_deref();
            settling.settle(Some(found.key), &found.call, Some(found.began), announced)
        }
        None if succeeded => settling.settle_untold(call),
        None => Settled::default(),
    };
    let looked = if succeeded { seen::by(&rules, call) } else { Vec::new() };
    let settled = settled.also_saw(looked);
    let report: Report = vec![settled];
    Action { carryover: Carryover::of(report), ..settling.action() }
}

/// Reports the calls without an end event, of the agent whose turn starts or ends.
pub(super) fn of_turn(rules: &Governance<'_>) -> Action {
    let context = rules.context;
    let calls = PendingCalls::in_file(context.session.pending_calls());
    let agent = agent_of(context).to_string();
    let mut settling = Settling::new(rules);
    let mut report = Report::new();
    for found in calls.all() {
        if found.call.agent == agent {
            // Changes since then cannot be attributed to the call any more.
            let call = PendingCall { changes_more: false, ..found.call };
            report.push(settling.settle(Some(found.key), &call, None, None));
        }
    }
    Action { carryover: Carryover::of(report), ..settling.action() }
}

/// Returns the agent of an event: a prompt is the main agent's, any other event names its agent.
fn agent_of(context: &Context<'_>) -> AgentId {
    match context.event.detail {
        Detail::UserPromptSubmit { .. } => AgentId::MAIN,
        _ => context.ids.agent,
    }
}

fn find(context: &Context<'_>, call: &ToolCall) -> Option<Found> {
    let calls = PendingCalls::in_file(context.session.pending_calls());
    calls.find(&planned_changes::key(call)).or_else(|| calls.find(&planned_changes::key_by_input(call)))
}

/// Reports that the intents file was removed while a call ran, by it or by another process.
fn governor_gone(context: &Context<'_>, call: &ToolCall) -> Action {
    // Without intents no pending call is stored, so this costs one or two failed `open` calls.
    let Some(found) = find(context, call) else { return Action::default() };
    let record = ScopeDrift {
        intent_id: found.call.intent_id,
        files: vec![DriftedFile {
            file: IntentsFile::PATH.to_owned(),
            why: "it was removed while the call ran, so no write is governed any more".to_owned(),
            undo: format!("`git restore -- '{}'`, or ask the user to restore it", IntentsFile::PATH),
        }],
        more: 0,
        complete: false,
    };
    let report: Report = vec![Settled { key: Some(found.key), ..Settled::default() }];
    Action {
        additional_context: vec![drift::note(&record)],
        warnings: vec![format!("{} was removed while `{}` ran", IntentsFile::PATH, found.call.tool)],
        emit_events: vec![emitted(&record)],
        carryover: Carryover::of(report),
        ..Action::default()
    }
}

/// Returns the current intent, for a call without a start event.
pub(super) fn intent_now(rules: &Governance<'_>) -> Option<Box<intent::Intent>> {
    match rules.active() {
        Ok(Active::Intent(intent)) => Some(intent),
        _ => None,
    }
}
