//! Checks a call that may write against the intent in force, before it runs.

use event::{Access, Decision, ToolCall, ToolKind};
use intent::journal::{DenialKind, Denied, DriftUndone, JournalRecord, TempWritten};
use intent::{
    Gate, GateDecision, GateJudgement, IntentId, IntentsFile, LoadError, NO_INTENT, NO_INTENT_HINT,
    StaleFiles, Touched, Violation, ViolationReason,
};

use serde_json::Value;
use session::Emitted;

use super::governance::{Active, Governance};
use super::own_tools::{self, OwnTool};
use super::planned_changes::{OtherFiles, PlannedChanges};
use super::{binding, emitted, lost_records, undo};
use crate::carryover::Carryover;
use crate::command_reading::WriteProof;
use crate::intent_settings::TempWrites;
use crate::{Action, Context, IntentMode, IntentSettings, agent_output};

/// The most paths in a record.
const MAX_FILES: usize = 20;

/// Judges a call.
pub(super) fn judge(context: &Context<'_>, call: &ToolCall) -> Action {
    if !may_write(call) {
        return Action::default();
    }
    let Some(rules) = Governance::of(context) else { return without_intents_file(context, call) };
    let mut action = match own_tools::of(call) {
        Some(OwnTool::Select(id)) => binding::announced(&rules, id),
        Some(OwnTool::Other) => Action::default(),
        None => held_against_intent(&rules, call),
    };
    if rules.settings.mode == IntentMode::Observe {
        observe(&mut action);
    }
    // WHY: without it a host asks a person before an agent may say what it works on, and in headless mode refuses.
    // These tools read intents, select one that a person declared, or leave a request for a person.
    if action.decision == Decision::Abstain && own_tools::is_own_tool(call) {
        action.decision = Decision::Allow;
    }
    rules.lost_records();
    for record in rules.forgeries() {
        action.warnings.push(format!("forged record: `{}` ({})", record.what, record.why));
        action.emit_events.push(emitted(&record));
    }
    action.warnings.extend(rules.complaints);
    action
}

/// Returns whether a call may change a file, judging by its kind and input.
pub(super) fn may_write(call: &ToolCall) -> bool {
    let kind =
        matches!(call.kind, ToolKind::Write | ToolKind::Shell | ToolKind::Unknown | ToolKind::Mcp { .. });
    kind || call.command.is_some() || call.touches.iter().any(|touch| touch.access != Access::Read)
}

/// Denies a call that may write if the intents file was removed while intents govern the session: an agent that moves it
/// away must not work without one.
fn without_intents_file(context: &Context<'_>, call: &ToolCall) -> Action {
    if !lost_records::is_governed(context) || IntentSettings::observes(context.config) {
        return Action::default();
    }
    let reading = call.command.as_ref().map(|command| context.reading(command));
    let writes_plainly = call.touches.iter().any(|touch| touch.access != Access::Read);
    let only_looks = !writes_plainly && reading.is_some_and(shell::Reading::is_read_only);
    if own_tools::of(call).is_some() || only_looks {
        return Action::default();
    }
    let reason = format!(
        "{0} was removed, and intents govern this session: without it no write can be checked.\nhint: ask the user to \
         restore it, for example with `git restore -- '{0}'`",
        IntentsFile::PATH
    );
    Action { decision: Decision::Deny { reason }, ..Action::default() }
}

fn held_against_intent(rules: &Governance<'_>, call: &ToolCall) -> Action {
    let reading = call.command.as_ref().map(|command| rules.context.reading(command));
    let writes_plainly = call.touches.iter().any(|touch| touch.access != Access::Read);
    let makes_temp_file =
        |reading| rules.settings.temp_writes == TempWrites::Deny && intent::makes_temp_file(reading);
    if !writes_plainly && reading.is_some_and(|reading| reading.is_read_only() && !makes_temp_file(reading)) {
        return Action::default();
    }
    // steersman itself requests this output, under any intent.
    if agent_output::is_only_effect(rules.context, call) {
        return Action::default();
    }
    let scope = rules.scope();
    let gate = Gate { scope: &scope, cwd: &rules.folder() };
    let (intent, why) = match rules.active() {
        Ok(Active::Intent(intent)) => (Some(intent), None),
        Ok(Active::None { why }) => (None, why),
        Err(error) => return blocked_by_file(&gate.judge(call, reading, None), &error),
    };
    let judgement = gate.judge(call, reading, intent.as_deref());
    let intent_id = intent.as_ref().map(|intent| intent.id.clone());
    match &judgement.decision {
        GateDecision::NeedsIntent => match rules.all() {
            Ok(all) => {
                let denied = denied(None, DenialKind::NoIntent, Vec::new());
                let reason =
                    if all.summaries().is_empty() { none_declared() } else { no_intent(why.as_deref()) };
                // An agent that selects an intent for a call that another module denies would only be refused again.
                Action { yields: true, ..deny(reason, &denied) }
            }
            Err(error) => blocked_by_file(&judgement, &error),
        },
        GateDecision::Violations(violations) => {
            if let Some(undo) =
                reading.and_then(|reading| undo::suggested(rules.context, reading, violations))
            {
                if undo.is_exact {
                    rules.context.command.permit_undo();
                }
                return Action {
                    emit_events: vec![emitted(&DriftUndone { intent_id, files: undo.files })],
                    ..Action::default()
                };
            }
            let reason = judgement.decision.refusal().unwrap_or_default();
            let files = violations.iter().take(MAX_FILES).map(|violation| violation.path.clone()).collect();
            let why = kind_of(violations);
            // Nor would another scope help a destructive command.
            let yields = call.command.is_some() && why == DenialKind::OutOfScope;
            Action { yields, ..deny(reason, &denied(intent_id, why, files)) }
        }
        GateDecision::Pass | GateDecision::UnknownWrites { .. } => {
            if rules.rejects_intents() || rules.may_have_other_intents() {
                return deny(rejected_intents(), &denied(intent_id, DenialKind::InvalidFile, Vec::new()));
            }
            if let Some(stale) = first_stale(rules.context, &judgement.touched) {
                let files = vec![stale.path.clone()];
                return deny(stale.to_string(), &denied(intent_id, DenialKind::Stale, files));
            }
            let decision = match &judgement.decision {
                GateDecision::UnknownWrites { why, by_shell: true } if rules.settings.strict_shell => {
                    Decision::Ask { reason: strict(why) }
                }
                _ => Decision::Abstain,
            };
            let temp_writes = (!judgement.temp.is_empty()).then(|| TempWritten {
                intent_id: intent_id.clone(),
                files: judgement.temp.iter().take(MAX_FILES).cloned().collect(),
            });
            let knows_its_files = judgement.decision == GateDecision::Pass;
            rules.context.command.prove(WriteProof { intent_id: intent_id.clone(), knows_its_files });
            let others = match knows_its_files {
                true => OtherFiles::None,
                false if reading.is_some_and(runs_only_git) => OtherFiles::ByGit,
                false => OtherFiles::Any,
            };
            let planned = PlannedChanges {
                intent,
                scope,
                touched: judgement.touched,
                others,
                background: runs_in_background(call, reading),
                lost_records: rules.lost_records().is_some(),
            };
            let emit_events = temp_writes.iter().map(emitted).collect();
            Action { decision, carryover: Carryover::of(planned), emit_events, ..Action::default() }
        }
    }
}

/// Returns whether a command line runs git and changes folders, nothing else.
fn runs_only_git(reading: &shell::Reading) -> bool {
    let programs = reading.programs();
    programs.contains(&"git") && programs.iter().all(|program| matches!(*program, "git" | "cd"))
}

/// Returns whether a call certainly leaves a job in the background: the host runs it there, or it ends with `&`.
fn runs_in_background(call: &ToolCall, reading: Option<&shell::Reading>) -> bool {
    let programs = reading.map(shell::Reading::programs).unwrap_or_default();
    let detached = ["nohup", "setsid", "disown", "daemonize", "at", "batch", "screen", "tmux", "systemd-run"];
    let text = call.command.as_ref().map_or("", |command| command.text.as_str());
    let by_shell = has_single_ampersand(text) || programs.iter().any(|program| detached.contains(program));
    runs_in_hosts_background(call) || by_shell
}

/// Returns whether the host runs a call in the background, and so reports its end early.
pub fn runs_in_hosts_background(call: &ToolCall) -> bool {
    let keys = ["run_in_background", "is_background", "isBackground", "background", "async"];
    let by_flag = keys.iter().any(|key| call.input.get(key).and_then(Value::as_bool) == Some(true));
    by_flag || call.input.get("mode").and_then(Value::as_str).is_some_and(|mode| mode.contains("async"))
}

/// Returns whether a command has a `&` that is neither `&&` nor part of a redirection.
fn has_single_ampersand(text: &str) -> bool {
    let bytes = text.as_bytes();
    let at = |index: usize| bytes.get(index).copied().unwrap_or_default();
    memchr::memchr_iter(b'&', bytes).any(|index| {
        let before = if index == 0 { 0 } else { at(index - 1) };
        before != b'&' && before != b'>' && before != b'<' && !matches!(at(index + 1), b'&' | b'>')
    })
}

/// Denies a call that needs an intent while the intents file is broken.
fn blocked_by_file(judgement: &GateJudgement, error: &LoadError) -> Action {
    if judgement.decision != GateDecision::NeedsIntent {
        return Action::default();
    }
    let reason = format!(
        "{error}\nhint: every write is denied until the file is fixed; ask the user to check it with `steersman intent list`"
    );
    deny(reason, &denied(None, DenialKind::InvalidFile, Vec::new()))
}

/// Why a call is denied after a command of an agent changed the intents file.
fn rejected_intents() -> String {
    format!(
        "A command of an agent changed {}, and only a person may change a scope: no write passes under this version.\n\
         hint: ask the user to restore the file, or to check it and run `steersman intent select`",
        IntentsFile::PATH
    )
}

fn denied(intent_id: Option<IntentId>, why: DenialKind, files: Vec<String>) -> Denied {
    Denied { intent_id, why, files, observed: false }
}

/// Lets a call pass that intents would refuse: warns the user and marks the record.
///
/// WHY not for files that govern the agent: an agent could end the observation itself.
fn observe(action: &mut Action) {
    let is_protected = |record: &Emitted| record.data.get("why").is_some_and(|why| why == "protected");
    if action.emit_events.iter().any(is_protected) {
        return;
    }
    let (verb, reason) = match std::mem::take(&mut action.decision) {
        Decision::Deny { reason } => ("refused", reason),
        Decision::Ask { reason } => ("asked about", reason),
        other => {
            action.decision = other;
            return;
        }
    };
    let first = reason.lines().next().unwrap_or_default();
    action.warnings.push(format!("intents only observe here; this call would have been {verb}: {first}"));
    action.yields = false;
    for record in &mut action.emit_events {
        if record.kind == Denied::KIND.name()
            && let Some(data) = record.data.as_object_mut()
        {
            data.insert("observed".to_owned(), Value::Bool(true));
        }
    }
}

/// Words the refusal where the file lists no intents, so that none can be selected.
fn none_declared() -> String {
    format!(
        "{NO_INTENT}\nhint: {} lists no intents; ask a person to declare the work with `steersman intent new NAME --scope GLOB --select`",
        IntentsFile::PATH
    )
}

fn deny(reason: String, denied: &Denied) -> Action {
    Action { emit_events: vec![emitted(denied)], ..Action::deny(reason) }
}

fn no_intent(why: Option<&str>) -> String {
    match why {
        Some(why) => format!("{NO_INTENT}\nhint: {why}; {NO_INTENT_HINT}"),
        None => format!("{NO_INTENT}\nhint: {NO_INTENT_HINT}"),
    }
}

fn strict(why: &str) -> String {
    format!(
        "steersman cannot determine the files that this command writes: {why}. The project sets `strictShell`, so the user must approve it. \
         Instead: change files with the file tools, or with commands that name what they write."
    )
}

/// Returns the most severe reason.
fn kind_of(violations: &[Violation]) -> DenialKind {
    let any = |is: fn(&ViolationReason) -> bool| violations.iter().any(|violation| is(&violation.why));
    if any(|why| matches!(why, ViolationReason::Protected { .. })) {
        DenialKind::Protected
    } else if any(|why| matches!(why, ViolationReason::Ignored { .. })) {
        DenialKind::Ignored
    } else {
        DenialKind::OutOfScope
    }
}

fn first_stale(context: &Context<'_>, touched: &[Touched]) -> Option<intent::Stale> {
    let seen = StaleFiles::in_folder(context.session.seen_files(context.ids.agent));
    touched
        .iter()
        .filter(|it| it.access != Access::CreateDir)
        .find_map(|it| seen.check(&it.located.file, it.located.written.as_str()).err())
}
