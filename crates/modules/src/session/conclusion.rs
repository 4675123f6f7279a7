//! Records the final verdict, and the resulting phase.

use event::{Access, Decision, LineKind, Phase, ToolCall, ToolKind};
use serde_json::{Map, Value, json};
use session::patch_of_core;

use super::{call_data, emitted};
use crate::plan_graph_exec;
use crate::{Action, Concluded, Context};

/// Records the verdict on a tool call. The first call that may write moves the work to
/// EXECUTING, unless phases are enforced: then only a plan does.
pub(super) fn of_tool_call(context: &Context<'_>, call: &ToolCall, concluded: &Concluded<'_>) -> Action {
    let decision = &concluded.verdict.decision;
    let mut data = call_data(call);
    data.insert("decision".into(), decision.as_str().into());
    if let Some(module) = concluded.decided_by {
        data.insert("by".into(), module.into());
    }
    if let Some(reason) = decision.reason() {
        data.insert("reason".into(), reason.into());
    }
    let mut events = vec![emitted(LineKind::ToolDecision, Value::Object(data))];
    let mut state_patch = Map::new();
    let phase = context.state.core.phase();
    let passes = !matches!(decision, Decision::Deny { .. } | Decision::Ask { .. });
    let begins = passes
        && !context.manifest.enforce_phases
        && matches!(phase, Phase::Planning | Phase::Uninitialized)
        && may_write(context, call);
    if begins {
        state_patch = phase_patch(context, Phase::Executing);
        events.push(phase_change(phase, Phase::Executing, "the first call that may write"));
    } else if decision.is_deny() && is_one_deny_too_many(context) && phase != Phase::Blocked {
        state_patch = phase_patch(context, Phase::Blocked);
        if let Some(Value::Object(core)) = state_patch.get_mut("core") {
            core.insert("blockedFrom".into(), phase.as_str().into());
        }
        events.push(phase_change(phase, Phase::Blocked, "too many calls in a row were denied"));
    }
    Action { emit_events: events, state_patch, ..Action::default() }
}

/// Records the end of a turn, which completes work without a plan.
pub(super) fn of_stop(context: &Context<'_>, kept_going: bool, concluded: &Concluded<'_>) -> Action {
    let decision = &concluded.verdict.decision;
    let data = json!({"keptGoing": kept_going, "decision": decision.as_str(), "reason": decision.reason()});
    let mut events = vec![emitted(LineKind::SessionStop, data)];
    let phase = context.state.core.phase();
    let mut state_patch = Map::new();
    if !decision.is_deny()
        && phase == Phase::Executing
        && let Some(why) = done(context)
    {
        state_patch = phase_patch(context, Phase::Complete);
        events.push(phase_change(phase, Phase::Complete, why));
    }
    Action { emit_events: events, state_patch, ..Action::default() }
}

/// Returns why the work is complete: it has no plan, or all nodes are complete. Returns `None` otherwise, also for an
/// unreadable plan.
fn done(context: &Context<'_>) -> Option<&'static str> {
    match plan_graph_exec::plan_of(context) {
        Ok(None) => Some("the turn ended without a plan"),
        Ok(Some(progress)) => progress.is_complete().then_some("every node of the plan is complete"),
        Err(_) => None,
    }
}

fn may_write(context: &Context<'_>, call: &ToolCall) -> bool {
    let touches_to_write = call.touches.iter().any(|touch| touch.access != Access::Read);
    // Only while the work has no write yet, so this costs most calls nothing.
    let command_may_write =
        || call.command.as_ref().is_some_and(|command| !context.reading(command).is_read_only());
    touches_to_write || call.kind == ToolKind::Write || command_may_write()
}

/// Returns whether this deny is the `blockAfterDenies`-th in a row. A lifted block restarts the count.
fn is_one_deny_too_many(context: &Context<'_>) -> bool {
    let Some(limit) = usize::try_from(context.manifest.block_after_denies).ok().filter(|limit| *limit > 0)
    else {
        return false;
    };
    let work = format!("\"workId\":\"{}\"", context.ids.work);
    let denied_before = context
        .journal_tail
        .lines()
        .lines()
        .rev()
        .filter(|line| {
            let counts =
                line.contains("\"type\":\"TOOL_DECISION\"") || line.contains("\"type\":\"UNBLOCKED\"");
            counts && line.contains(&work)
        })
        .take_while(|line| line.contains("\"decision\":\"deny\""))
        .count();
    denied_before + 1 >= limit
}

fn phase_patch(context: &Context<'_>, phase: Phase) -> Map<String, Value> {
    patch_of_core([
        ("workId", Value::from(context.ids.work.to_string())),
        ("phase", Value::from(phase.as_str())),
        ("phaseRevision", Value::from(context.state.core.phase_revision)),
    ])
}

fn phase_change(from: Phase, to: Phase, why: &str) -> session::Emitted {
    emitted(LineKind::PhaseChange, json!({"from": from.as_str(), "to": to.as_str(), "why": why}))
}
