//! Claude Code, which validates answers, and Qwen Code, which reads fewer fields.

use host::EventKind;
use serde_json::{Map, Value};

use super::{Effect, behavior, claude_name, ended, object, text};

const TOP: [&str; 9] = [
    "continue",
    "stopReason",
    "suppressOutput",
    "systemMessage",
    "terminalSequence",
    "decision",
    "reason",
    "suppressOriginalPrompt",
    "hookSpecificOutput",
];

pub(crate) fn effect(event_kind: EventKind, answer: &Map<String, Value>) -> Result<Effect, String> {
    if let Some(field) = answer.keys().find(|field| !TOP.contains(&field.as_str())) {
        return Err(format!("unknown field {field}"));
    }
    let message = capped(text(answer, "systemMessage"))?;
    let mut effect = Effect { message, ended: capped(ended(answer))?, ..Effect::default() };
    if let Some(nested) = object(answer, "hookSpecificOutput") {
        if text(&nested, "hookEventName").as_deref() != Some(claude_name(event_kind)) {
            return Err("hookSpecificOutput of another event".into());
        }
        effect.context = capped(text(&nested, "additionalContext"))?;
        if event_kind == EventKind::PreToolUse {
            let reason = capped(text(&nested, "permissionDecisionReason"))?;
            effect.decide(text(&nested, "permissionDecision").as_deref(), reason);
            effect.input = object(&nested, "updatedInput");
        }
        match event_kind {
            EventKind::PermissionRequest => {
                behavior(&mut effect, &object(&nested, "decision").unwrap_or_default());
            }
            EventKind::PostToolUse => effect.replaced = nested.get("updatedToolOutput").cloned(),
            _ => {}
        }
    }
    match (event_kind, text(answer, "decision").as_deref()) {
        (_, None) => {}
        (
            EventKind::UserPromptSubmit
            | EventKind::PostToolUse
            | EventKind::PreCompact
            | EventKind::Stop
            | EventKind::SubagentStop,
            Some("block"),
        ) => effect.denied = capped(text(answer, "reason"))?,
        (_, Some(decision)) => return Err(format!("decision {decision} at {event_kind:?}")),
    }
    match event_kind {
        EventKind::Stop | EventKind::SubagentStop if effect.context.is_some() => {
            Err("context makes the agent continue".into())
        }
        EventKind::PreCompact | EventKind::PermissionRequest | EventKind::Other
            if effect.context.is_some() =>
        {
            Err("context is not read".into())
        }
        _ => Ok(effect),
    }
}

pub(crate) fn effect_on_qwen(event_kind: EventKind, answer: &Map<String, Value>) -> Result<Effect, String> {
    let mut effect = effect(event_kind, answer)?;
    match event_kind {
        EventKind::PreToolUse => {
            effect.input = None;
            effect.context = None;
        }
        EventKind::PostToolUse => {
            effect.denied = None;
            effect.replaced = None;
        }
        _ => {}
    }
    Ok(effect)
}

fn capped(text: Option<String>) -> Result<Option<String>, String> {
    match text {
        Some(text) if text.encode_utf16().count() > 10_000 => Err("longer than 10,000 characters".into()),
        text => Ok(text),
    }
}
