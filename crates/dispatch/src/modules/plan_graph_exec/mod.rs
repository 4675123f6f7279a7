//! `planGraph-exec`: once there is a plan, calls are held against it.
//!
//! A call for a node that must not be done, or whose turn has not come, is refused with what
//! has to come first. A search for a node is kept within the node's files. A call for no node
//! is told to the person, or refused in strict mode. Looking around is free, unless a node
//! names the tool or must not be done.

mod call_targets;
mod judge;
mod mark_command;
mod narrowing;
mod selection;
mod settings;

use event::{ContextNote, Decision, Detail, EventName, LineKind, ToolCall, ToolKind};
use serde_json::json;
use store::FileError;

pub use settings::Settings;

use crate::action::Emitted;
use crate::plan::{self, Current, NodeLine, NodeStatus, Standing};
use crate::{Action, Context, Module, ModuleFailure, Profile};
use judge::Ruling;

/// The module's name, as the manifest and `config.json` spell it.
pub const NAME: &str = plan::MODULE;

/// So many nodes that have to come first are named.
const MOST_NAMED: usize = 5;

/// The module `planGraph-exec`.
pub struct PlanGraphExec;

impl Module for PlanGraphExec {
    fn profile(&self) -> &Profile {
        &Profile {
            name: NAME,
            supports: &[EventName::PreToolUse],
            priority: 20,
            hot_path_safe: true,
            critical: false,
            on_by_default: true,
        }
    }

    fn handle(&self, context: &Context<'_>) -> Result<Action, ModuleFailure> {
        let Detail::PreToolUse { call } = &context.event.detail else { return Ok(Action::default()) };
        if matches!(call.kind, ToolKind::Harmless | ToolKind::Subagent) {
            return Ok(Action::default());
        }
        Ok(match in_force_for(context, call) {
            Ok(None) => Action::default(),
            Ok(Some((current, settings))) => judged(context, call, &current, &settings),
            Err(disabled) => Action { warnings: vec![disabled], ..Action::default() },
        })
    }
}

/// Returns what keeps a search within the plan, if this module is the one to change it.
pub(super) fn narrows(context: &Context<'_>, call: &ToolCall) -> bool {
    let owns = context.manifest.rewrite_owner.at(EventName::PreToolUse) == NAME;
    let is_on = context.manifest.modules.get(NAME).is_none_or(|entry| entry.enabled != Some(false));
    owns && is_on
        && context.can_rewrite
        && in_force_for(context, call).is_ok_and(|plan| {
            plan.is_some_and(|(current, _)| narrowing::of(context, call, &current.standing).is_some())
        })
}

/// Returns the plan in force, and where its nodes stand; what is wrong with it otherwise.
pub(crate) fn plan_of(context: &Context<'_>) -> Result<Option<Standing>, String> {
    let all = |nodes: &[NodeLine<'_>], _: &[NodeStatus]| (0..nodes.len()).collect();
    in_part(context, all).map(|plan| plan.map(|(current, _)| current.standing))
}

/// Returns what matters of the plan in force to a call, and the settings; why there is none to be used,
/// otherwise.
fn in_force_for(context: &Context<'_>, call: &ToolCall) -> Result<Option<(Current, Settings)>, String> {
    in_part(context, |nodes, statuses| selection::of(context, call, nodes, statuses))
}

/// The same for whatever chooses: of a large plan that is kept only those nodes are read.
fn in_part(
    context: &Context<'_>,
    choose: impl FnOnce(&[NodeLine<'_>], &[NodeStatus]) -> Vec<usize>,
) -> Result<Option<(Current, Settings)>, String> {
    let settings = settings(context)?;
    let (workspace, session, state) = (context.workspace, context.session, context.state);
    let configured = settings.plan.as_deref();
    let loaded = match context.user_state {
        None => plan::load(workspace, session, state, configured),
        Some(user_state) => plan::load_part(workspace, session, state, configured, user_state, choose),
    };
    told(loaded, settings)
}

fn settings(context: &Context<'_>) -> Result<Settings, String> {
    context.config.typed(NAME).map_err(|error| format!("`{NAME}` is off for this call: {error}"))
}

fn told(
    loaded: Result<Option<Current>, Vec<FileError>>,
    settings: Settings,
) -> Result<Option<(Current, Settings)>, String> {
    match loaded {
        Ok(current) => Ok(current.map(|current| (current, settings))),
        Err(problems) => {
            let more = match problems.len() {
                0 | 1 => String::new(),
                n => format!(" (and {} more; `steersman plan show` lists them)", n - 1),
            };
            let first = problems.first().map(ToString::to_string).unwrap_or_default();
            Err(format!("`{NAME}` is off for this call: {first}{more}"))
        }
    }
}

fn judged(context: &Context<'_>, call: &ToolCall, current: &Current, settings: &Settings) -> Action {
    let standing = &current.standing;
    if let Some(command) = &call.command
        && let Some(decision) = mark_command::judge(context.reading(command), standing)
    {
        return Action { decision, ..Action::default() };
    }
    match judge::rule(context, call, current) {
        Ruling::ThePlan => {
            let reason = "This changes the plan that is in force, which is the planning agent's and the person's. \
                          Instead: start a planning agent for a new plan, or ask the person.";
            refused(call, "", "plan", reason.to_owned())
        }
        Ruling::Shut(node) => {
            let status = standing.status(node);
            let why = node
                .reason
                .as_deref()
                .map(|reason| format!(": {}", reason.trim_end_matches('.')))
                .unwrap_or_default();
            let reason = format!(
                "This belongs to node `{}` of the plan (“{}”), which is {status}{why}. Instead: {}",
                node.id,
                node.description,
                judge::next_steps(standing)
            );
            refused(call, node.id.as_str(), status.as_str(), reason)
        }
        Ruling::Waits(node) => {
            let missing: Vec<String> = standing
                .missing(node)
                .take(MOST_NAMED)
                .map(|other| format!("`{}` (“{}”, {})", other.id, other.description, standing.status(other)))
                .collect();
            let first = standing.missing(node).next().map_or("NODE", |other| other.id.as_str());
            let reason = format!(
                "This belongs to node `{}` of the plan (“{}”), which waits for {}. Instead: finish that first, then say \
                 so with `{}`.",
                node.id,
                node.description,
                missing.join(", "),
                mark_command::how_to_mark(context.ids.session, first, NodeStatus::Complete)
            );
            refused(call, node.id.as_str(), "waiting", reason)
        }
        Ruling::NoNode { changes } => {
            let text = format!(
                "`{}` belongs to no node of the plan. Instead: {}",
                call.name,
                judge::next_steps(standing)
            );
            if settings.strict {
                return refused(call, "", "none", text);
            }
            let warnings = if changes {
                vec![format!("`{}` belongs to no node of the plan", call.name)]
            } else {
                vec![]
            };
            Action { warnings, ..narrowed(context, call, standing) }
        }
        Ruling::Begins(node) => {
            let mut action = narrowed(context, call, standing);
            action.state_patch = Standing::patch(&node.id, NodeStatus::Active);
            let data = json!({"node": node.id, "from": standing.status(node).as_str(), "to": "active", "by": "the first call for it"});
            action.emit_events.push(Emitted { kind: LineKind::PlanNode.name().into(), data });
            let value = format!(
                "Node `{}` of the plan (“{}”) is active now. When it is done, say so with `{}`.",
                node.id,
                node.description,
                mark_command::how_to_mark(context.ids.session, &node.id, NodeStatus::Complete)
            );
            action.additional_context.push(ContextNote { key: NAME.into(), value });
            action
        }
        Ruling::Fits => narrowed(context, call, standing),
    }
}

fn refused(call: &ToolCall, node: &str, status: &str, reason: String) -> Action {
    let data = json!({"node": node, "status": status, "tool": crate::recorded_input::short(&call.name)});
    let event = Emitted { kind: LineKind::PlanRefused.name().into(), data };
    Action { decision: Decision::Deny { reason }, emit_events: vec![event], ..Action::default() }
}

/// Keeps a search within the files of the node it is for.
fn narrowed(context: &Context<'_>, call: &ToolCall, standing: &Standing) -> Action {
    match narrowing::of(context, call, standing) {
        None => Action::default(),
        Some((node, updated_input)) => {
            let data = json!({"node": node, "tool": crate::recorded_input::short(&call.name)});
            let event = Emitted { kind: LineKind::PlanNarrowed.name().into(), data };
            Action { updated_input, emit_events: vec![event], ..Action::default() }
        }
    }
}
