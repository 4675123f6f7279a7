//! Cursor.

use host::EventKind;
use serde_json::{Map, Value};

use super::{Effect, object, text};

pub(crate) fn effect(event_kind: EventKind, answer: &Map<String, Value>) -> Effect {
    let mut effect = Effect::default();
    let message = text(answer, "user_message");
    let permission = text(answer, "permission");
    match event_kind {
        EventKind::PreToolUse => {
            // An ask is accepted but not enforced.
            let enforced = permission.as_deref().filter(|word| *word != "ask");
            effect.decide(enforced, text(answer, "agent_message"));
            effect.input = object(answer, "updated_input");
            effect.message = message;
        }
        EventKind::ShellGate | EventKind::McpGate => {
            effect.decide(permission.as_deref(), text(answer, "agent_message"));
            effect.message = message;
        }
        EventKind::ReadGate | EventKind::SubagentStart => {
            let enforced = permission.as_deref().filter(|word| *word != "ask");
            effect.decide(enforced, message.clone());
            effect.message = message;
        }
        EventKind::UserPromptSubmit => {
            if answer.get("continue") == Some(&Value::Bool(false)) {
                effect.denied.clone_from(&message);
            }
            effect.message = message;
        }
        EventKind::SessionStart | EventKind::PostToolUse => {
            effect.context = text(answer, "additional_context");
        }
        EventKind::Stop | EventKind::SubagentStop => effect.denied = text(answer, "followup_message"),
        EventKind::PreCompact => effect.message = message,
        EventKind::PostToolUseFailure | EventKind::PermissionRequest | EventKind::Other => {}
    }
    effect
}
