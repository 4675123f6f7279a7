//! `memory-activation`: adds matching follow-up rules and memories to a call.
//!
//! Follow-up rules are the project's; memories are those that users accepted. A rule has a cooldown, and the model reads a
//! memory once per piece of work.

mod cooldown;
mod field;
mod recall;

use automation::queue::QueuedRun;
use automation::{AutomationId, Occurrence, OccurrenceKind};
use event::{ContextNote, Decision, EventName, LineKind, ToolCall, ToolKind, plain_name};
use project_config::manifest::OnFault;
use project_config::{FollowupAction, FollowupRule, UnreadableRules, UsableRules};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use session::Emitted;
use session::shown_path;
use store::Timestamp;

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
        let mut action = match UsableRules::load(context.workspace) {
            Ok(rules) => follow(context, call, &rules),
            Err(unreadable) => without_rules(context, call, &unreadable),
        };
        // A broken memory disables the memories for this event, and nothing else.
        if let Err(error) = recall::remind(context, call, &mut action) {
            action.warnings.push(format!("`{}` adds no memories to this event: {error}", plain_name(NAME)));
        }
        Ok(action)
    }
}

/// Carries out the rules that apply.
fn follow(context: &Context<'_>, call: &ToolCall, usable: &UsableRules) -> Action {
    let mut action = Action::default();
    for mistake in &usable.mistakes {
        action.warnings.push(format!("a follow-up rule has a mistake; the other rules apply: {mistake}"));
    }
    for rule in &usable.rules {
        let fires = rule.looks_at(context.event.name())
            && !cooldown::holds_back(context, rule)
            && rule.when.iter().all(|condition| condition.holds(|path| field::of(context, call, path)));
        if fires {
            carry_out(context, call, rule, &mut action);
        }
    }
    action
}

/// Asks about a call that an unreadable rule may deny, or denies it if the manifest's `onFault` is `deny`. Calls that only
/// read files pass.
fn without_rules(context: &Context<'_>, call: &ToolCall, unreadable: &UnreadableRules) -> Action {
    let UnreadableRules { error, may_guard } = unreadable;
    let warnings = vec![format!("the follow-up rules do not apply: {error}")];
    if !may_guard || context.event.name() != EventName::PreToolUse || only_reads(context, call) {
        return Action { warnings, ..Action::default() };
    }
    let reason = format!(
        "A rule of this project may forbid this call, but steersman cannot read the rules: {error}. Ask the user to correct \
         the file; `steersman doctor` shows the mistake."
    );
    let decision = match context.manifest.on_fault {
        OnFault::Deny => Decision::Deny { reason },
        OnFault::Abstain => Decision::Ask { reason },
    };
    Action { decision, warnings, ..Action::default() }
}

fn only_reads(context: &Context<'_>, call: &ToolCall) -> bool {
    match (&call.kind, &call.command) {
        (_, Some(command)) => context.reading(command).is_read_only(),
        (ToolKind::Read | ToolKind::Search | ToolKind::Subagent | ToolKind::Harmless, None) => true,
        (
            ToolKind::Write | ToolKind::Shell | ToolKind::Fetch | ToolKind::Mcp { .. } | ToolKind::Unknown,
            None,
        ) => false,
    }
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
