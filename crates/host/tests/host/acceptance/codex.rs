//! Codex: structs that reject unknown fields.

use host::EventKind;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Effect, claude_name};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct CompactOutput {
    #[serde(default = "yes", rename = "continue")]
    goes_on: bool,
    stop_reason: Option<String>,
    #[serde(default)]
    suppress_output: bool,
    system_message: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct StopOutput {
    #[serde(default = "yes", rename = "continue")]
    goes_on: bool,
    stop_reason: Option<String>,
    #[serde(default)]
    suppress_output: bool,
    system_message: Option<String>,
    decision: Option<Block>,
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ContextOutput {
    #[serde(default = "yes", rename = "continue")]
    goes_on: bool,
    stop_reason: Option<String>,
    #[serde(default)]
    suppress_output: bool,
    system_message: Option<String>,
    decision: Option<Block>,
    reason: Option<String>,
    hook_specific_output: Option<ContextSpecific>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ContextSpecific {
    hook_event_name: String,
    additional_context: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ToolOutput {
    #[serde(default = "yes", rename = "continue")]
    goes_on: bool,
    stop_reason: Option<String>,
    #[serde(default)]
    suppress_output: bool,
    system_message: Option<String>,
    decision: Option<Block>,
    reason: Option<String>,
    hook_specific_output: Option<ToolSpecific>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ToolSpecific {
    hook_event_name: String,
    permission_decision: Option<Permission>,
    permission_decision_reason: Option<String>,
    updated_input: Option<Map<String, Value>>,
    additional_context: Option<String>,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Permission {
    Allow,
    Deny,
    Ask,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct PermissionOutput {
    hook_specific_output: Option<PermissionSpecific>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct PermissionSpecific {
    hook_event_name: String,
    decision: Option<BehaviorOutput>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, tag = "behavior", rename_all = "lowercase")]
enum BehaviorOutput {
    Allow {},
    Deny { message: Option<String> },
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Block {
    Block,
}

const fn yes() -> bool {
    true
}

pub(crate) fn effect(event_kind: EventKind, answer: &Map<String, Value>) -> Result<Effect, String> {
    let answer = Value::Object(answer.clone());
    match event_kind {
        EventKind::PreToolUse => tool(read(answer)?),
        EventKind::PermissionRequest => permission(read(answer)?),
        EventKind::Stop | EventKind::SubagentStop => {
            let output: StopOutput = read(answer)?;
            universal(output.goes_on, output.stop_reason.as_deref(), output.suppress_output)?;
            let denied = blocked(output.decision.as_ref(), output.reason)?;
            Ok(Effect { denied, message: output.system_message, ..Effect::default() })
        }
        EventKind::PreCompact | EventKind::Other => {
            let output: CompactOutput = read(answer)?;
            if output.suppress_output {
                return Err("suppressOutput".into());
            }
            let denied = if output.goes_on { None } else { Some(output.stop_reason.unwrap_or_default()) };
            Ok(Effect { denied, message: output.system_message, ..Effect::default() })
        }
        _ => {
            let output: ContextOutput = read(answer)?;
            let ends = event_kind == EventKind::PostToolUse && !output.goes_on;
            let ended = ends.then(|| output.stop_reason.clone().unwrap_or_default());
            if ended.is_none() {
                universal(output.goes_on, output.stop_reason.as_deref(), output.suppress_output)?;
            }
            let denied = blocked(output.decision.as_ref(), output.reason)?;
            if denied.is_some() && matches!(event_kind, EventKind::SessionStart | EventKind::SubagentStart) {
                return Err("no decision here".into());
            }
            let context = match output.hook_specific_output {
                Some(nested) if nested.hook_event_name == claude_name(event_kind) => {
                    nested.additional_context
                }
                Some(_) => return Err("hookSpecificOutput of another event".into()),
                None => None,
            };
            // A refused result is replaced by the reason.
            let replaced = denied.clone().filter(|_| event_kind == EventKind::PostToolUse).map(Value::String);
            Ok(Effect {
                denied,
                context,
                message: output.system_message,
                ended,
                replaced,
                ..Effect::default()
            })
        }
    }
}

fn permission(output: PermissionOutput) -> Result<Effect, String> {
    let mut effect = Effect::default();
    let Some(nested) = output.hook_specific_output else { return Ok(effect) };
    if nested.hook_event_name != "PermissionRequest" {
        return Err("hookSpecificOutput of another event".into());
    }
    match nested.decision {
        None => {}
        Some(BehaviorOutput::Allow {}) => effect.allowed = true,
        Some(BehaviorOutput::Deny { message }) => effect.denied = message,
    }
    Ok(effect)
}

fn tool(output: ToolOutput) -> Result<Effect, String> {
    universal(output.goes_on, output.stop_reason.as_deref(), output.suppress_output)?;
    let mut effect = Effect {
        denied: blocked(output.decision.as_ref(), output.reason)?,
        message: output.system_message,
        ..Effect::default()
    };
    let Some(nested) = output.hook_specific_output else { return Ok(effect) };
    if nested.hook_event_name != "PreToolUse" {
        return Err("hookSpecificOutput of another event".into());
    }
    match (nested.permission_decision, nested.updated_input) {
        (Some(Permission::Ask), _) => return Err("ask is unsupported".into()),
        (Some(Permission::Allow), None) => return Err("allow without updatedInput".into()),
        (None | Some(Permission::Deny), Some(_)) => return Err("updatedInput without allow".into()),
        (Some(Permission::Allow), input) => {
            effect.allowed = true;
            effect.input = input;
        }
        (Some(Permission::Deny), None) => {
            let reason = nested.permission_decision_reason.filter(|reason| !reason.trim().is_empty());
            effect.denied = Some(reason.ok_or("deny without a reason")?);
        }
        (None, None) if nested.permission_decision_reason.is_some() => {
            return Err("reason without decision".into());
        }
        (None, None) => {}
    }
    effect.context = nested.additional_context;
    Ok(effect)
}

fn read<T: for<'a> Deserialize<'a>>(answer: Value) -> Result<T, String> {
    serde_json::from_value(answer).map_err(|error| error.to_string())
}

fn universal(goes_on: bool, stop_reason: Option<&str>, suppress: bool) -> Result<(), String> {
    if goes_on && stop_reason.is_none() && !suppress {
        Ok(())
    } else {
        Err("unsupported universal field".into())
    }
}

fn blocked(decision: Option<&Block>, reason: Option<String>) -> Result<Option<String>, String> {
    match (decision, reason.filter(|reason| !reason.trim().is_empty())) {
        (Some(Block::Block), Some(reason)) => Ok(Some(reason)),
        (Some(Block::Block), None) => Err("block without a reason".into()),
        (None, Some(_)) => Err("reason without decision".into()),
        (None, None) => Ok(None),
    }
}
