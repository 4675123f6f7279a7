//! `planGraph-exec`: checks calls against the plan in force.
//!
//! It denies a call for a node that is forbidden or waits for others, and names those. It narrows a search to the files
//! of its node. It warns the user about a call outside of all nodes, or denies it in strict mode. Reading is free, unless a
//! node names the tool or is forbidden.

mod call_targets;
mod judge;
mod mark_command;
mod narrowing;
mod selection;

use event::{ContextNote, Decision, Detail, EventName, LineKind, ToolCall, ToolKind};
use plan::{CurrentPlan, Node, NodeLine, NodeStatus, PlanProgress};
use serde::{Deserialize, Serialize};
use serde_json::json;
use session::Emitted;
use store::FileError;

use crate::{Action, Context, Module, ModuleFailure, Profile};
use judge::Ruling;

/// The module's name, as the manifest and `config.json` spell it.
pub const NAME: &str = plan::MODULE;

/// The most dependencies that a denial names.
const MOST_NAMED: usize = 5;

/// The module `planGraph-exec`.
pub struct PlanGraphExec;

impl Module for PlanGraphExec {
    fn profile(&self) -> &Profile {
        &Profile {
            name: NAME,
            about: "keeps calls within the plan and its order",
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

/// Returns the input that narrows a search to the plan, if this module may rewrite it.
pub(super) fn narrows(context: &Context<'_>, call: &ToolCall) -> bool {
    let owns = context.manifest.rewrite_owner.is_at(EventName::PreToolUse, NAME);
    let is_on = context.manifest.modules.get(NAME).is_none_or(|entry| entry.enabled != Some(false));
    owns && is_on
        && context.can_rewrite
        && in_force_for(context, call).is_ok_and(|plan| {
            plan.is_some_and(|(current, _)| narrowing::of(context, call, &current.progress).is_some())
        })
}

/// Returns the plan in force and the status of its nodes, or the problem with it.
pub(crate) fn plan_of(context: &Context<'_>) -> Result<Option<PlanProgress>, String> {
    let all = |nodes: &[NodeLine<'_>], _: &[NodeStatus]| (0..nodes.len()).collect();
    in_part(context, all).map(|plan| plan.map(|(current, _)| current.progress))
}

/// Returns the nodes of the plan in force whose validations an agent that stops must meet, with these: nodes in progress,
/// and those that were `left` since. Returns none without a plan and with an unreadable one.
pub fn nodes_to_check(context: &Context<'_>, left: &[String]) -> Vec<(String, Vec<String>)> {
    let Ok(Some(progress)) = plan_of(context) else { return Vec::new() };
    let is_checked = |node: &Node| match progress.status(node) {
        NodeStatus::Active => true,
        // An agent that marks its node as pending again still worked on it.
        NodeStatus::Complete | NodeStatus::Pending => left.contains(&node.id),
        NodeStatus::Forbidden | NodeStatus::Denied => false,
    };
    let nodes = progress.graph.nodes.iter().filter(|node| is_checked(node));
    nodes.map(|node| (node.id.clone(), node.validations.clone())).collect()
}

/// Returns the part of the plan in force that a call needs, and the settings, or the problem with them.
fn in_force_for(context: &Context<'_>, call: &ToolCall) -> Result<Option<(CurrentPlan, Settings)>, String> {
    in_part(context, |nodes, statuses| selection::of(context, call, nodes, statuses))
}

/// Loads the plan in force. Of a large, cached plan only the chosen nodes are read.
fn in_part(
    context: &Context<'_>,
    choose: impl FnOnce(&[NodeLine<'_>], &[NodeStatus]) -> Vec<usize>,
) -> Result<Option<(CurrentPlan, Settings)>, String> {
    let settings = settings(context)?;
    let (workspace, session, state) = (context.workspace, context.session, context.state);
    let configured = settings.plan.as_deref();
    let loaded = match context.user_state {
        None => plan::load(workspace, session, state, configured),
        Some(user_state) => plan::load_part(workspace, session, state, configured, user_state, choose),
    };
    or_warning(loaded, settings)
}

fn settings(context: &Context<'_>) -> Result<Settings, String> {
    context.config.typed(NAME).map_err(|error| format!("`{NAME}` is off for this call: {error}"))
}

fn or_warning(
    loaded: Result<Option<CurrentPlan>, Vec<FileError>>,
    settings: Settings,
) -> Result<Option<(CurrentPlan, Settings)>, String> {
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

fn judged(context: &Context<'_>, call: &ToolCall, current: &CurrentPlan, settings: &Settings) -> Action {
    let progress = &current.progress;
    if let Some(command) = &call.command
        && let Some(decision) = mark_command::judge(context.reading(command), progress)
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
            let status = progress.status(node);
            let why = node
                .reason
                .as_deref()
                .map(|reason| format!(": {}", reason.trim_end_matches('.')))
                .unwrap_or_default();
            let reason = format!(
                "This belongs to node `{}` of the plan (“{}”), which is {status}{why}. Instead: {}",
                node.id,
                node.description,
                judge::next_steps(progress)
            );
            refused(call, node.id.as_str(), status.as_str(), reason)
        }
        Ruling::Waits(node) => {
            let missing: Vec<String> = progress
                .missing(node)
                .take(MOST_NAMED)
                .map(|other| format!("`{}` (“{}”, {})", other.id, other.description, progress.status(other)))
                .collect();
            let first = progress.missing(node).next().map_or("NODE", |other| other.id.as_str());
            let reason = format!(
                "This belongs to node `{}` of the plan (“{}”), which waits for {}. Instead: finish that first, then mark \
                 it with `{}`.",
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
                judge::next_steps(progress)
            );
            if settings.strict {
                return refused(call, "", "none", text);
            }
            let warnings = if changes {
                vec![format!("`{}` belongs to no node of the plan", call.name)]
            } else {
                vec![]
            };
            Action { warnings, ..narrowed(context, call, progress) }
        }
        Ruling::NamesNoFile if settings.strict => {
            let text = format!(
                "This command names no file, so steersman cannot find its node of the plan, and `strict` is on. Instead: {} \
                 The person permits a command with `validations`, or all with `\"tools\": [\"shell\"]`, of a node.",
                judge::next_steps(progress)
            );
            refused(call, "", "none", text)
        }
        Ruling::Begins(node) => {
            let mut action = narrowed(context, call, progress);
            action.state_patch = PlanProgress::patch(&node.id, NodeStatus::Active);
            let data = json!({"node": node.id, "from": progress.status(node).as_str(), "to": "active", "by": "the first call for it"});
            action.emit_events.push(Emitted { kind: LineKind::PlanNode.name().into(), data });
            let value = format!(
                "Node `{}` of the plan (“{}”) is active now. When it is complete, run `{}`.",
                node.id,
                node.description,
                mark_command::how_to_mark(context.ids.session, &node.id, NodeStatus::Complete)
            );
            action.additional_context.push(ContextNote { key: NAME.into(), value });
            action
        }
        Ruling::NamesNoFile | Ruling::Fits => narrowed(context, call, progress),
    }
}

fn refused(call: &ToolCall, node: &str, status: &str, reason: String) -> Action {
    let data = json!({"node": node, "status": status, "tool": session::recorded_input::short(&call.name)});
    let event = Emitted { kind: LineKind::PlanRefused.name().into(), data };
    Action { decision: Decision::Deny { reason }, emit_events: vec![event], ..Action::default() }
}

/// Narrows a search to the files of its node.
fn narrowed(context: &Context<'_>, call: &ToolCall, progress: &PlanProgress) -> Action {
    match narrowing::of(context, call, progress) {
        None => Action::default(),
        Some((node, updated_input)) => {
            let data = json!({"node": node, "tool": session::recorded_input::short(&call.name)});
            let event = Emitted { kind: LineKind::PlanNarrowed.name().into(), data };
            Action { updated_input, emit_events: vec![event], ..Action::default() }
        }
    }
}

/// How calls are checked against the plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PlanGraphExecSettings"))]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// The plan of every session without its own, relative to the workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// Deny a call outside of all nodes.
    pub strict: bool,
}
