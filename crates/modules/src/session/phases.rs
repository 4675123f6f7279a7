//! Checks tool calls against the phase of the work (contract §12.3).

use event::{Decision, Phase, ToolCall};
use project_config::manifest::PolicyMode;
use session::recorded_input::short;

use crate::{Action, Context, agent_output};

/// Denies or warns about a tool that the phase does not permit, if phases are enforced.
pub(super) fn enforce(context: &Context<'_>, call: &ToolCall) -> Action {
    if !context.manifest.enforce_phases {
        return Action::default();
    }
    let phase = context.state.core.phase();
    let Some(rule) = context.manifest.phase_policy.rule(phase) else { return Action::default() };
    if rule.names(call) || agent_output::is_only_effect(context, call) {
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

/// Words the condition under which the tool is permitted.
fn way_out(context: &Context<'_>, phase: Phase) -> String {
    match phase {
        Phase::Uninitialized => "It starts with a prompt from the user.".into(),
        Phase::Planning => {
            "Finish the plan first: once a plan graph is accepted, the work is EXECUTING.".into()
        }
        Phase::Executing => String::new(),
        Phase::Complete => "The next prompt starts a new piece of work.".into(),
        Phase::Blocked => format!(
            "A user must review it and run `steersman session unblock {}`, or a corrected plan must be accepted.",
            context.ids.session
        ),
    }
}
