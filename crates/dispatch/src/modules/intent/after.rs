//! A call ended, or a turn in which calls may have ended untold.

use event::{AgentId, Detail, Outcome, ToolCall, ToolKind};
use intent::IntentsFile;
use intent::journal::{DriftedFile, ScopeDrift};
use intent::trace::{Found, PendingCall, PendingCalls};

use super::governance::{Active, Governance};
use super::own_tools::{self, OwnTool};
use super::settling::{Settled, Settling};
use super::{binding, drift, emitted, outlook, seen};
use crate::memo::Memo;
use crate::{Action, Context};

/// What has to be written down, call by call.
pub(super) type Report = Vec<Settled>;

/// Looks at what a call did.
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
    Action { memo: Memo::of(report), ..settling.action() }
}

/// Looks at the calls whose end was never told, of the agent whose turn begins or ends.
pub(super) fn of_turn(rules: &Governance<'_>) -> Action {
    let context = rules.context;
    let calls = PendingCalls::in_file(context.session.pending_calls());
    let agent = agent_of(context).to_string();
    let mut settling = Settling::new(rules);
    let mut report = Report::new();
    for found in calls.all() {
        if found.call.agent == agent {
            // Whatever changed since then: it is too late to tell by whom.
            let call = PendingCall { changes_more: false, ..found.call };
            report.push(settling.settle(Some(found.key), &call, None, None));
        }
    }
    Action { memo: Memo::of(report), ..settling.action() }
}

/// A prompt is for the main agent; everything else is of the agent it is about.
fn agent_of(context: &Context<'_>) -> AgentId {
    match context.event.detail {
        Detail::UserPromptSubmit { .. } => AgentId::MAIN,
        _ => context.ids.agent,
    }
}

fn find(context: &Context<'_>, call: &ToolCall) -> Option<Found> {
    let calls = PendingCalls::in_file(context.session.pending_calls());
    calls.find(&outlook::key(call)).or_else(|| calls.find(&outlook::key_by_input(call)))
}

/// A call that began under intents ended without: it, or somebody meanwhile, took the file away.
fn governor_gone(context: &Context<'_>, call: &ToolCall) -> Action {
    // Without intents no call is kept, so this costs another failed `open` or two.
    let Some(found) = find(context, call) else { return Action::default() };
    let record = ScopeDrift {
        intent_id: found.call.intent_id,
        files: vec![DriftedFile {
            file: IntentsFile::PATH.to_owned(),
            why: "it was removed while the call ran, so nothing is governed any more".to_owned(),
            undo: format!("`git restore -- '{}'`, or ask the person to put it back", IntentsFile::PATH),
        }],
        more: 0,
        complete: false,
    };
    let report: Report = vec![Settled { key: Some(found.key), ..Settled::default() }];
    Action {
        additional_context: vec![drift::note(&record)],
        warnings: vec![format!("{} was removed while `{}` ran", IntentsFile::PATH, found.call.tool)],
        emit_events: vec![emitted(&record)],
        memo: Memo::of(report),
        ..Action::default()
    }
}

/// Returns the intent in force now, for a call whose beginning was never told.
pub(super) fn intent_now(rules: &Governance<'_>) -> Option<Box<intent::Intent>> {
    match rules.active() {
        Ok(Active::Intent(intent)) => Some(intent),
        _ => None,
    }
}
