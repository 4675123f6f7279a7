//! Copilot: flat fields, and one exception under `PascalCase` keys.

use host::EventKind;
use serde_json::{Map, Value};

use super::{Effect, behavior, claude_name, object, text};

pub(crate) fn camel_effect(event_kind: EventKind, answer: &Map<String, Value>) -> Result<Effect, String> {
    let mut effect = Effect::default();
    let context = text(answer, "additionalContext");
    if context.as_ref().is_some_and(|context| context.len() > 10_000) {
        return Err("more than 10 KB of context".into());
    }
    match event_kind {
        EventKind::PreToolUse => {
            permission(answer, &mut effect)?;
            effect.input = object(answer, "modifiedArgs");
            effect.context = context;
        }
        EventKind::PermissionRequest => behavior(&mut effect, answer),
        EventKind::PostToolUse => {
            blocked(answer, &mut effect);
            let result = object(answer, "modifiedResult").unwrap_or_default();
            // A refused result is replaced by the reason.
            effect.replaced =
                result.get("textResultForLlm").cloned().or_else(|| answer.get("reason").cloned());
            effect.context = context;
        }
        EventKind::UserPromptSubmit => {
            blocked(answer, &mut effect);
            effect.context = context;
        }
        EventKind::SessionStart | EventKind::SubagentStart | EventKind::PostToolUseFailure => {
            effect.context = context;
        }
        EventKind::Stop | EventKind::SubagentStop => blocked(answer, &mut effect),
        _ => {}
    }
    Ok(effect)
}

pub(crate) fn pascal_effect(event_kind: EventKind, answer: &Map<String, Value>) -> Result<Effect, String> {
    if event_kind != EventKind::PreToolUse {
        return camel_effect(event_kind, answer);
    }
    let nested = object(answer, "hookSpecificOutput").unwrap_or_default();
    if !nested.is_empty() && text(&nested, "hookEventName").as_deref() != Some(claude_name(event_kind)) {
        return Err("hookSpecificOutput of another event".into());
    }
    let mut effect = Effect::default();
    permission(answer, &mut effect)?;
    effect.input = object(answer, "updatedInput");
    effect.context = text(&nested, "additionalContext");
    Ok(effect)
}

fn permission(answer: &Map<String, Value>, effect: &mut Effect) -> Result<(), String> {
    effect.decide(text(answer, "permissionDecision").as_deref(), text(answer, "permissionDecisionReason"));
    if effect.denied.as_ref().is_some_and(String::is_empty) {
        return Err("deny without a reason".into());
    }
    Ok(())
}

fn blocked(answer: &Map<String, Value>, effect: &mut Effect) {
    if text(answer, "decision").as_deref() == Some("block") {
        effect.denied = text(answer, "reason");
    }
}
