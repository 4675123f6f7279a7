//! Handles the end of a call, or of a turn whose calls may have ended without an event.

use event::{Access, AgentId, Detail, Outcome, ToolCall, ToolKind};
use intent::journal::{DriftedFile, ScopeDrift};
use intent::trace::{Found, PendingCall, PendingCalls, PendingFile};
use intent::{FileSystemTime, IntentsFile};
use serde_json::Value;

use super::forged::CallRecord;
use super::governance::{Active, Governance};
use super::lost_records::LostRecords;
use super::own_tools::{self, OwnTool};
use super::search::Searched;
use super::settling::{Settled, Settling};
use super::{binding, drift, emitted, forged, lost_records, planned_changes, recovery, scan_records, seen};
use crate::carryover::Carryover;
use crate::{Action, Context, agent_output};

/// The reports to write.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// One per call.
    pub(super) settled: Vec<Settled>,
    /// The state that the next search begins with.
    pub(super) searched: Option<Searched>,
    /// The length of the trace when a search read it.
    pub(super) trace_length: Option<u64>,
    /// The files of a person that a command of the agent changed.
    pub(super) rejected: Rejected,
}

/// Files of a person that a command of the agent changed: as they are now, they do not count.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rejected {
    /// The intents file.
    pub(super) intents: bool,
    /// The workspace's selected intent.
    pub(super) selection: bool,
    /// The manifest or `config.json`.
    pub(super) settings: bool,
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
        CallRecord::None if rules.lost_records().is_some() => settling.settle_everything(&call.name),
        CallRecord::None if needs_search(&rules, call) => {
            if let Some(since) = last_moment(context) {
                settling.settle(None, &unrecorded(&rules, call), Some(since), None)
            } else {
                let (what, why) = LostRecords::OfSession.report();
                settling.forged(what, why);
                settling.settle_everything(&call.name)
            }
        }
        CallRecord::None if succeeded => settling.settle_untold(call),
        CallRecord::None | CallRecord::Settled => Settled::default(),
    };
    let looked = if succeeded { seen::by(&rules, call) } else { Vec::new() };
    let settled = settled.also_saw(looked);
    settling.action(vec![settled])
}

/// Returns a call that is known only from its end.
fn unrecorded(rules: &Governance<'_>, call: &ToolCall) -> PendingCall {
    PendingCall {
        intent_id: intent_now(rules).map(|intent| intent.id),
        agent: rules.context.ids.agent.to_string(),
        tool: call.name.clone(),
        changes_more: true,
        background: false,
        lost_records: false,
        watched: None,
        files: Vec::new(),
    }
}

/// Returns whether a call is a command that is not read-only. Its start is always recorded, unless another process removed
/// the record, or the host did not announce it.
fn needs_search(rules: &Governance<'_>, call: &ToolCall) -> bool {
    let is_read_only = |command| rules.context.reading(command).is_read_only();
    call.command.as_ref().is_some_and(|command| !is_read_only(command))
        && !agent_output::is_only_effect(rules.context, call)
}

/// Returns the last moment of which the session knows: when its last search began, or when its last run ended. Returns
/// `None` if the session has no record at all.
fn last_moment(context: &Context<'_>) -> Option<FileSystemTime> {
    let searched = scan_records::coverage(context).until();
    let line = context.journal_tail.lines().lines().next_back();
    let line = line.and_then(|line| serde_json::from_str::<Value>(line).ok());
    let millis = line.and_then(|line| line.get("ts").and_then(Value::as_u64));
    let ran = millis.map(|millis| FileSystemTime::at_nanoseconds(u128::from(millis) * 1_000_000));
    searched.or(ran)
}

/// Returns the moment from which the workspace is searched after a call: when it began, or when an older call of its
/// agent began whose end the host did not report. Returns `None` if its writes are fully known and nothing else is open: then
/// another process made the other changes.
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
    let awaited = recovery::awaited_calls(context);
    let is_ended = |found: &Found| found.call.agent == agent && !awaited.contains(&found.key);
    let ended: Vec<Found> = calls.all().into_iter().filter(is_ended).collect();
    let oldest = ended.iter().filter(|found| found.call.changes_more).map(|found| found.began).min();
    for found in &ended {
        // One search, from the oldest moment that is open.
        let since = oldest.filter(|oldest| *oldest == found.began && found.call.changes_more);
        settled.push(settling.settle(Some(found.key.clone()), &found.call, since, None));
    }
    if rules.lost_records().is_some() && settled.is_empty() {
        settled.push(settling.settle_everything(""));
    }
    let is_prompt = matches!(context.event.detail, Detail::UserPromptSubmit { .. });
    let is_main = agent_of(context) == AgentId::MAIN;
    let open = settling.open.clone().filter(|open| is_main || open.agent == agent);
    if let Some(open) = open.filter(|_| settling.searched.is_none()) {
        // Only a job that was certainly left in the background outlives a turn.
        // Nor does the turn of a subagent end that of its main agent.
        settled.push(settling.settle_open(&open, open.background || !is_main, !is_prompt));
    } else if let Some(searched) = &mut settling.searched {
        searched.coverage.open = searched.coverage.open.take().filter(|open| open.background || !is_main);
    }
    if settling.must_continue() {
        settled.push(settling.settle_leftovers());
    }
    settling.action(settled)
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
    // Without intents no pending call is stored, so this costs a few failed system calls.
    let found = find(context, call);
    // A command can remove the records of the session, too; the user's state folder knows it.
    let is_lost = found.is_none() && lost_records::is_governed(context);
    let why = "it was removed while intents govern the session";
    let lost = is_lost.then(|| forged::reported_once(context, IntentsFile::PATH, why)).flatten();
    if found.is_none() && lost.is_none() {
        return Action::default();
    }
    let record = ScopeDrift {
        intent_id: found.as_ref().and_then(|found| found.call.intent_id.clone()),
        files: vec![DriftedFile {
            file: IntentsFile::PATH.to_owned(),
            why: "it was removed while the call ran, so no write is governed any more".to_owned(),
            undo: format!(
                "ask the user to restore it, for example with `git restore -- '{}'`",
                IntentsFile::PATH
            ),
        }],
        more: 0,
        complete: false,
    };
    let tool = call.name.clone();
    let settled = vec![Settled { key: found.map(|found| found.key), ..Settled::default() }];
    let report = Report { settled, ..Report::default() };
    Action {
        additional_context: vec![drift::note(&record)],
        warnings: vec![format!("{} was removed while `{tool}` ran", IntentsFile::PATH)],
        emit_events: [emitted(&record)].into_iter().chain(lost.iter().map(emitted)).collect(),
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
