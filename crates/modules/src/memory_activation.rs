//! `memory-activation`: adds matching follow-up rules and memories to a call.
//!
//! Follow-up rules are the project's; memories are those that users accepted. A rule has a cooldown, and the model reads a
//! memory once per piece of work.

mod cooldown;
mod field;
mod recall;

use automation::queue::QueuedRun;
use automation::{AutomationId, Occurrence, OccurrenceKind};
use event::{ContextNote, Decision, EventName, LineKind, ToolCall};
use project_config::{FollowupAction, FollowupRule, FollowupRules};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use session::Emitted;
use session::shown_path;
use store::{FileError, Timestamp};

use crate::{Action, Context, Module, ModuleFailure, Profile};

/// The module's name, as the manifest and `config.json` spell it.
pub const NAME: &str = "memory-activation";

/// The module `memory-activation`.
pub struct MemoryActivation;

impl Module for MemoryActivation {
    fn profile(&self) -> &Profile {
        &Profile {
            name: NAME,
            about: "shows memories, executes follow-up rules",
            supports: &[EventName::PreToolUse, EventName::PostToolUse],
            priority: 60,
            hot_path_safe: true,
            critical: false,
            on_by_default: false,
        }
    }

    fn handle(&self, context: &Context<'_>) -> Result<Action, ModuleFailure> {
        let Some(call) = context.event.call() else { return Ok(Action::default()) };
        match activate(context, call) {
            Ok(action) => Ok(action),
            // A broken file disables the module for this event, and nothing else.
            Err(error) => {
                let warning = format!("`{NAME}` is off for this event: {error}");
                Ok(Action { warnings: vec![warning], ..Action::default() })
            }
        }
    }
}

fn activate(context: &Context<'_>, call: &ToolCall) -> Result<Action, FileError> {
    let rules = FollowupRules::load(context.workspace)?.unwrap_or_default();
    let mut action = Action::default();
    for rule in &rules.rules {
        let fires = rule.looks_at(context.event.name())
            && !cooldown::holds_back(context, rule)
            && rule.when.iter().all(|condition| condition.holds(|path| field::of(context, call, path)));
        if fires {
            carry_out(context, call, rule, &mut action);
        }
    }
    recall::remind(context, call, &mut action)?;
    Ok(action)
}

/// Carries out a rule.
fn carry_out(context: &Context<'_>, call: &ToolCall, rule: &FollowupRule, action: &mut Action) {
    let signed = |text: &str| format!("{} (rule `{}` of followup-rules.json)", text.trim(), rule.id);
    match &rule.action {
        FollowupAction::InjectContext { text } => {
            action
                .additional_context
                .push(ContextNote { key: format!("{NAME}/{}", rule.id), value: text.clone() });
        }
        FollowupAction::Warn { text } => action.warnings.push(signed(text)),
        FollowupAction::Ask { text } => {
            let asked = Decision::Ask { reason: signed(text) };
            action.decision = std::mem::take(&mut action.decision).merge(asked);
        }
        FollowupAction::Deny { text } => {
            let denied = Decision::Deny { reason: signed(text) };
            action.decision = std::mem::take(&mut action.decision).merge(denied);
        }
        FollowupAction::Rewrite { .. } => {
            // An earlier rule's value counts: one rewrite of a key is what its author expects.
            if let Some((key, value)) = rule.action.rewritten(&call.input) {
                action.updated_input.entry(key).or_insert(value);
            } else {
                return;
            }
        }
        FollowupAction::EnqueueAutomation { automation } => {
            enqueue(context, call, rule, automation, action);
        }
    }
    let data = json!({"rule": rule.id, "action": rule.action.name()});
    action.emit_events.push(Emitted { kind: LineKind::FollowupFired.name().into(), data });
    merge(&mut action.state_patch, cooldown::fired(context, rule));
}

/// Requests a run of an automation. The record has the complete request, in case the queue is lost.
fn enqueue(
    context: &Context<'_>,
    call: &ToolCall,
    rule: &FollowupRule,
    automation: &str,
    action: &mut Action,
) {
    // Parsing the rules has validated the id.
    let Ok(id) = AutomationId::new(automation) else { return };
    let path = call.touches.first().map(|touch| shown_path(context.workspace.root(), &touch.path));
    let mut data = Map::new();
    for (key, value) in [
        ("rule", rule.id.clone()),
        ("event", context.event.name().to_string()),
        ("tool", session::recorded_input::short(&call.name).into_owned()),
        ("session", context.ids.session.to_string()),
        ("run", context.ids.run.to_string()),
    ] {
        data.insert(key.to_owned(), Value::from(value));
    }
    let now = Timestamp::from_millis(context.ids.run.at_ms);
    let what = OccurrenceKind::Custom { name: format!("followup:{}", rule.id), path, data };
    let run = QueuedRun::new(now, id, Occurrence::new(now, what));
    let record = serde_json::to_value(&run).unwrap_or_default();
    action.emit_events.push(Emitted { kind: LineKind::AutomationRequested.name().into(), data: record });
    action.automations.push(run);
}

/// Merges one patch into another; both have only `memory`, two levels deep.
fn merge(patch: &mut Map<String, Value>, more: Map<String, Value>) {
    for (key, value) in more {
        match (patch.get_mut(&key), value) {
            (Some(Value::Object(inner)), Value::Object(value)) => merge(inner, value),
            (_, value) => {
                patch.insert(key, value);
            }
        }
    }
}

/// The limits of the added memories.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// The most bytes of memories per call.
    pub max_bytes: usize,
    /// The most memories per call.
    pub max_memories: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { max_bytes: 2000, max_memories: 3 }
    }
}
