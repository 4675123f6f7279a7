//! Handles the end of a call, or of a turn whose calls may have ended without an event.

use event::{Access, AgentId, Detail, Outcome, ToolCall, ToolKind};
use intent::journal::{DriftedFile, ScopeDrift};
use intent::trace::{Found, PendingCall, PendingCalls, PendingFile};
use intent::{FileSystemTime, IntentsFile};

use super::forged::CallRecord;
use super::governance::{Active, Governance};
use super::own_tools::{self, OwnTool};
use super::search::Searched;
use super::settling::{Settled, Settling};
use super::{binding, drift, emitted, planned_changes, seen};
use crate::carryover::Carryover;
use crate::{Action, Context};

/// The reports to write.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// One per call.
    pub(super) settled: Vec<Settled>,
    /// The state that the next search begins with.
    pub(super) searched: Option<Searched>,
}

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
    let found = find(context, call);
    let key = found.as_ref().map_or_else(|| planned_changes::key(call), |found| found.key.clone());
    let settled = match CallRecord::of(context, &key, found) {
        CallRecord::Genuine(found) => {
            let announced = call.content.as_deref();
            let since = search_since(&rules, &found);
            settling.settle(Some(found.key), &found.call, since, announced)
        }
        CallRecord::Forged { found, began, why } => {
            settling.forged("intent/pending-calls", why);
            let pending = found.map_or_else(|| unrecorded(&rules, call), |found| found.call);
            settling.settle_forged(Some(key), &pending, began.began())
        }
        CallRecord::None if is_without_records(&rules, call) => {
            settling.forged(".ai/tmp", "the records of the session were removed while it ran");
            settling.settle_everything(&call.name)
        }
        CallRecord::None if succeeded => settling.settle_untold(call),
        CallRecord::None => Settled::default(),
    };
    if rules.is_cache_gone() {
        settling.forged("the user's state folder", "it was removed while the session ran");
    }
    let looked = if succeeded { seen::by(&rules, call) } else { Vec::new() };
    let settled = settled.also_saw(looked);
    let report = Report { settled: vec![settled], searched: settling.searched.take() };
    Action { carryover: Carryover::of(report), ..settling.action() }
}

/// Returns a call that is known only from its end.
fn unrecorded(rules: &Governance<'_>, call: &ToolCall) -> PendingCall {
    PendingCall {
        intent_id: intent_now(rules).map(|intent| intent.id),
        agent: rules.context.ids.agent.to_string(),
        tool: call.name.clone(),
        changes_more: true,
        background: false,
        watched: None,
        files: Vec::new(),
    }
}

/// Returns whether a command that is not read-only ends in a session without a single record: somebody removed them.
fn is_without_records(rules: &Governance<'_>, call: &ToolCall) -> bool {
    let is_read_only = |command| rules.context.reading(command).is_read_only();
    rules.context.journal_tail.lines().is_empty() && call.command.as_ref().is_some_and(|it| !is_read_only(it))
}

/// Returns the moment from which the workspace is searched after a call: when it began, or when an older call of its
/// agent began whose end nobody reported. Returns `None` if its writes are fully known and nothing else is open: then
/// other changes are somebody else's.
fn search_since(rules: &Governance<'_>, ended: &Found) -> Option<FileSystemTime> {
    let others = PendingCalls::in_file(rules.context.session.pending_calls()).all();
    let is_open = |found: &&Found| {
        found.call.changes_more && found.call.agent == ended.call.agent && found.key != ended.key
    };
    let own = (ended.call.changes_more || writes_folder(rules, &ended.call)).then_some(ended.began);
    let open = others.iter().filter(is_open).map(|found| found.began);
    own.into_iter().chain(open).min()
}

/// Returns whether a call wrote a folder whose files it does not name: `cp -r`, `tar -x`.
fn writes_folder(rules: &Governance<'_>, call: &PendingCall) -> bool {
    let root = rules.context.workspace.root();
    let is_folder = |file: &PendingFile| root.join(&file.real).as_path().is_dir();
    call.files.iter().any(|file| file.access == Access::Write && is_folder(file))
}

/// Reports the calls without an end event, of the agent whose turn starts or ends.
pub(super) fn of_turn(rules: &Governance<'_>) -> Action {
    let context = rules.context;
    let calls = PendingCalls::in_file(context.session.pending_calls());
    let agent = agent_of(context).to_string();
    let mut settling = Settling::new(rules);
    let mut settled = Vec::new();
    let ended: Vec<Found> = calls.all().into_iter().filter(|found| found.call.agent == agent).collect();
    let oldest = ended.iter().filter(|found| found.call.changes_more).map(|found| found.began).min();
    for found in &ended {
        // One search, from the oldest moment that is open.
        let since = oldest.filter(|oldest| *oldest == found.began && found.call.changes_more);
        settled.push(settling.settle(Some(found.key.clone()), &found.call, since, None));
    }
    let is_prompt = matches!(context.event.detail, Detail::UserPromptSubmit { .. });
    let open = settling.open.clone().filter(|open| open.agent == agent);
    if let Some(open) = open.filter(|_| settling.searched.is_none()) {
        // Only a job that was certainly left in the background outlives a turn.
        settled.push(settling.settle_open(&open, open.background, !is_prompt));
    } else if let Some(searched) = &mut settling.searched {
        searched.coverage.open = searched.coverage.open.take().filter(|open| open.background);
    }
    let report = Report { settled, searched: settling.searched.take() };
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
    let settled = vec![Settled { key: Some(found.key), ..Settled::default() }];
    let report = Report { settled, searched: None };
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
