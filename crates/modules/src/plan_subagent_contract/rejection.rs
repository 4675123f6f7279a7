//! Returns an invalid plan to its planning agent, a few times at most.

use std::fs;

use event::{Decision, LineKind, Phase};
use serde_json::{Map, Value, json};
use session::{Emitted, history, patch_of_core};

use super::{NAME, Settings};
use crate::{Action, Context};

/// Returns the answer to an agent with an invalid plan.
pub(super) fn of(
    context: &Context<'_>,
    settings: &Settings,
    problems: &[String],
    kept_going: bool,
) -> Action {
    // An unreadable journal has no count; the first return is then the last.
    let n_before = rejected_before(context).unwrap_or(if kept_going { settings.max_retries } else { 0 });
    let gives_up = n_before >= settings.max_retries;
    let list: Vec<String> = problems.iter().map(|problem| format!("- {problem}")).collect();
    let data =
        json!({"problems": problems.len(), "first": problems.first(), "try": n_before + 1, "last": gives_up});
    let mut emit_events = vec![Emitted { kind: LineKind::PlanRejected.name().into(), data }];
    if !gives_up {
        let reason = format!(
            "The plan is invalid; fix these problems and end again ({} of {} tries):\n{}",
            n_before + 1,
            settings.max_retries,
            list.join("\n")
        );
        return Action { decision: Decision::Deny { reason }, emit_events, ..Action::default() };
    }
    let mut state_patch = Map::new();
    let from = context.state.core.phase();
    if from != Phase::Blocked {
        state_patch = patch_of_core([
            ("workId", Value::from(context.ids.work.to_string())),
            ("phase", Value::from(Phase::Blocked.as_str())),
            ("phaseRevision", Value::from(context.state.core.phase_revision)),
            ("blockedFrom", Value::from(from.as_str())),
        ]);
        let data =
            json!({"from": from.as_str(), "to": Phase::Blocked.as_str(), "why": "no plan was accepted"});
        emit_events.push(Emitted { kind: LineKind::PhaseChange.name().into(), data });
    }
    let warning = format!(
        "`{NAME}`: the plan is still invalid after {} tries and is not in force:\n{}",
        settings.max_retries,
        list.join("\n")
    );
    Action { warnings: vec![warning], state_patch, emit_events, ..Action::default() }
}

/// Counts in the journal how often this agent's plan was returned since its last accepted one; the state has no
/// counters.
fn rejected_before(context: &Context<'_>) -> Option<usize> {
    let journal = fs::read(context.session.events_file().as_path()).ok()?;
    let ours = format!("\"workId\":\"{}\",\"agentId\":\"{}\"", context.ids.work, context.ids.agent);
    let of_kind = |kind: LineKind| format!("\"type\":\"{}\"", kind.name());
    let (rejected, accepted) = (of_kind(LineKind::PlanRejected), of_kind(LineKind::PlanAccepted));
    let lines = journal.split(|byte| *byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok());
    Some(lines.map(history::head).filter(|head| head.contains(&ours)).fold(0, |n_before, head| {
        if head.contains(&accepted) { 0 } else { n_before + usize::from(head.contains(&rejected)) }
    }))
}
