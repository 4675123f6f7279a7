//! A call that may write is held against the intent in force, before it runs.

use event::{Access, Decision, ToolCall, ToolKind};
use intent::journal::{DenialKind, Denied};
use intent::{
    Gate, GateDecision, Judgement, LoadError, NO_INTENT, NO_INTENT_HINT, StaleFiles, Touched, Violation, Why,
};

use super::governance::{Active, Governance};
use super::outlook::Outlook;
use super::own_tools::{self, OwnTool};
use super::{binding, emitted};
use crate::memo::Memo;
use crate::{Action, Context, handed_in};

/// How many paths a record names.
const MAX_FILES: usize = 20;

/// Judges a call.
pub(super) fn judge(context: &Context<'_>, call: &ToolCall) -> Action {
    if !may_write(call) {
        return Action::default();
    }
    let Some(rules) = Governance::of(context) else { return Action::default() };
    let mut action = match own_tools::of(call) {
        Some(OwnTool::Select(id)) => binding::announced(&rules, id),
        Some(OwnTool::Other) => Action::default(),
        None => held_against_intent(&rules, call),
    };
    action.warnings.extend(rules.complaints);
    action
}

/// Returns whether a call could change a file, as far as its kind and input tell.
fn may_write(call: &ToolCall) -> bool {
    let kind =
        matches!(call.kind, ToolKind::Write | ToolKind::Shell | ToolKind::Unknown | ToolKind::Mcp { .. });
    kind || call.command.is_some() || call.touches.iter().any(|touch| touch.access != Access::Read)
}

fn held_against_intent(rules: &Governance<'_>, call: &ToolCall) -> Action {
    let reading = call.command.as_ref().map(|command| rules.context.reading(command));
    let writes_plainly = call.touches.iter().any(|touch| touch.access != Access::Read);
    if !writes_plainly && reading.is_some_and(shell::Reading::is_read_only) {
        return Action::default();
    }
    // Results are asked for by us, whatever the intent.
    if handed_in::is_all(rules.context, call) {
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
    let intent_id = intent.map(|intent| intent.id);
    match &judgement.decision {
        GateDecision::NeedsIntent => match rules.all() {
            Ok(_) => deny(
                no_intent(why.as_deref()),
                &Denied { intent_id: None, why: DenialKind::NoIntent, files: Vec::new() },
            ),
            Err(error) => blocked_by_file(&judgement, &error),
        },
        GateDecision::Violations(violations) => {
            let reason = judgement.decision.refusal().unwrap_or_default();
            let files = violations.iter().take(MAX_FILES).map(|violation| violation.path.clone()).collect();
            deny(reason, &Denied { intent_id, why: kind_of(violations), files })
        }
        GateDecision::Pass | GateDecision::UnknownWrites { .. } => {
            if let Some(stale) = first_stale(rules.context, &judgement.touched) {
                let files = vec![stale.path.clone()];
                return deny(stale.to_string(), &Denied { intent_id, why: DenialKind::Stale, files });
            }
            let decision = match &judgement.decision {
                GateDecision::UnknownWrites { why, by_shell: true } if rules.settings.strict_shell => {
                    Decision::Ask { reason: strict(why) }
                }
                _ => Decision::Abstain,
            };
            let knows_its_files = call.kind == ToolKind::Write
                && call.command.is_none()
                && judgement.decision == GateDecision::Pass;
            let outlook = Outlook { intent_id, touched: judgement.touched, changes_more: !knows_its_files };
            Action { decision, memo: Memo::of(outlook), ..Action::default() }
        }
    }
}

/// With a broken file nobody knows what was asked for, so what needs an intent waits.
fn blocked_by_file(judgement: &Judgement, error: &LoadError) -> Action {
    if judgement.decision != GateDecision::NeedsIntent {
        return Action::default();
    }
    let reason = format!(
        "{error}\nhint: nothing is written until the file is mended; tell the person, who can check it with `steersman intent list`"
    );
    deny(reason, &Denied { intent_id: None, why: DenialKind::InvalidFile, files: Vec::new() })
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
        "What this command writes cannot be known beforehand: {why}. The project's `strictShell` wants a person to look at it. \
         Instead: change files with the file tools, or with commands that name what they write."
    )
}

/// Returns the gravest of the reasons.
fn kind_of(violations: &[Violation]) -> DenialKind {
    let any = |is: fn(&Why) -> bool| violations.iter().any(|violation| is(&violation.why));
    if any(|why| matches!(why, Why::Protected { .. })) {
        DenialKind::Protected
    } else if any(|why| matches!(why, Why::Ignored { .. })) {
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
