//! Holding tool calls against the phase the work is in (contract §12.3).

use event::{Decision, Phase, ToolCall};

use crate::manifest::PolicyMode;
use crate::recorded_input::short;
use crate::{Action, Context, handed_in};

/// Refuses or warns about a tool the phase does not permit, when phases are enforced.
pub(super) fn enforce(context: &Context<'_>, call: &ToolCall) -> Action {
    if !context.manifest.enforce_phases {
        return Action::default();
    }
    let phase = context.state.core.phase();
    let Some(rule) = context.manifest.phase_policy.rule(phase) else { return Action::default() };
    if rule.names(call) || handed_in::is_all(context, call) {
        return Action::default();
    }
    let why = format!(
        "The work is in phase {phase}, which permits {} but not `{}`. {}",
        rule.tools_text(),
        short(&call.name),
        way_out(context, phase)
    );
    match rule.mode {
        PolicyMode::Allow => Action::default(),
        PolicyMode::Warn => Action { warnings: vec![why], ..Action::default() },
        PolicyMode::Deny => Action { decision: Decision::Deny { reason: why }, ..Action::default() },
    }
}

/// Says what has to happen before the tool is permitted.
fn way_out(context: &Context<'_>, phase: Phase) -> String {
    match phase {
        Phase::Uninitialized => "It begins with a prompt from the person.".into(),
        Phase::Planning => {
            "Finish the plan first: once a plan graph is accepted, the work is EXECUTING.".into()
        }
        Phase::Executing => String::new(),
        Phase::Complete => "The next prompt begins a new piece of work.".into(),
        Phase::Blocked => format!(
            "A person has to look at it and run `steersman session unblock {}`, or a corrected plan has to be accepted.",
            context.ids.session
        ),
    }
}
