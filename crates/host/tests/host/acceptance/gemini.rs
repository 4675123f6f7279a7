//! Gemini CLI.

use host::EventKind;
use serde_json::{Map, Value};

use super::{Effect, ended, object, text};

pub(crate) fn effect(event_kind: EventKind, answer: &Map<String, Value>) -> Result<Effect, String> {
    let mut effect =
        Effect { message: text(answer, "systemMessage"), ended: ended(answer), ..Effect::default() };
    let decision = text(answer, "decision");
    let nested = object(answer, "hookSpecificOutput").unwrap_or_default();
    let context = text(&nested, "additionalContext");
    match event_kind {
        EventKind::PreToolUse => {
            if decision.as_deref() == Some("ask") {
                return Err("hangs without a user".into());
            }
            effect.decide(decision.as_deref(), text(answer, "reason"));
            effect.input = object(&nested, "tool_input");
        }
        EventKind::PostToolUse => {
            effect.decide(decision.as_deref(), text(answer, "reason"));
            // A refused result is replaced by the reason.
            effect.replaced = answer.get("reason").cloned();
            effect.context = context;
        }
        EventKind::UserPromptSubmit => {
            effect.decide(decision.as_deref(), text(answer, "reason"));
            effect.context = context;
        }
        EventKind::Stop => effect.decide(decision.as_deref(), text(answer, "reason")),
        EventKind::SessionStart => effect.context = context,
        _ => {}
    }
    Ok(effect)
}
