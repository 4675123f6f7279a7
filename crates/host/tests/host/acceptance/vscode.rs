//! VS Code's Local harness.

use host::EventKind;
use serde_json::{Map, Value};

use super::{Effect, claude_name, ended, object, text};

pub(crate) fn effect(event_kind: EventKind, answer: &Map<String, Value>) -> Result<Effect, String> {
    let ended = ended(answer).or_else(|| text(answer, "stopReason"));
    if text(answer, "hookEventName").is_some_and(|name| name != claude_name(event_kind)) {
        return Err("an answer to another event".into());
    }
    let nested = object(answer, "hookSpecificOutput").unwrap_or_default();
    if text(&nested, "hookEventName").is_some_and(|name| name != claude_name(event_kind)) {
        return Err("hookSpecificOutput is stripped".into());
    }
    let mut effect = Effect { message: text(answer, "systemMessage"), ended, ..Effect::default() };
    let context = text(&nested, "additionalContext");
    match event_kind.event() {
        Some(event::EventName::PreToolUse) => {
            effect.decide(
                text(&nested, "permissionDecision").as_deref(),
                text(&nested, "permissionDecisionReason"),
            );
            effect.input = object(&nested, "updatedInput");
            effect.context = context;
        }
        Some(event::EventName::PostToolUse) => {
            blocked(answer, &mut effect);
            effect.context = context;
        }
        Some(event::EventName::UserPromptSubmit) => {
            blocked(answer, &mut effect);
            effect.context = context.or_else(|| text(answer, "additionalContext"));
        }
        Some(event::EventName::SessionStart | event::EventName::SubagentStart) => effect.context = context,
        Some(event::EventName::Stop | event::EventName::SubagentStop) => blocked(&nested, &mut effect),
        Some(event::EventName::PreCompact) => effect = Effect::default(),
        None => {}
    }
    Ok(effect)
}

fn blocked(object: &Map<String, Value>, effect: &mut Effect) {
    if text(object, "decision").as_deref() == Some("block") {
        effect.denied = text(object, "reason").filter(|reason| !reason.is_empty());
    }
}
