//! Cursor.

use host::Moment;
use serde_json::{Map, Value};

use super::{Effect, object, text};

pub(crate) fn effect(moment: Moment, answer: &Map<String, Value>) -> Effect {
    let mut effect = Effect::default();
    let message = text(answer, "user_message");
    let permission = text(answer, "permission");
    match moment {
        Moment::PreToolUse => {
            // An ask is accepted and not enforced.
            let enforced = permission.as_deref().filter(|word| *word != "ask");
            effect.decide(enforced, text(answer, "agent_message"));
            effect.input = object(answer, "updated_input");
            effect.message = message;
        }
        Moment::ShellGate | Moment::McpGate => {
            effect.decide(permission.as_deref(), text(answer, "agent_message"));
            effect.message = message;
        }
        Moment::ReadGate | Moment::SubagentStart => {
            let enforced = permission.as_deref().filter(|word| *word != "ask");
            effect.decide(enforced, message.clone());
            effect.message = message;
        }
        Moment::UserPromptSubmit => {
            if answer.get("continue") == Some(&Value::Bool(false)) {
                effect.denied.clone_from(&message);
            }
            effect.message = message;
        }
        Moment::SessionStart | Moment::PostToolUse => effect.context = text(answer, "additional_context"),
        Moment::Stop | Moment::SubagentStop => effect.denied = text(answer, "followup_message"),
        Moment::PreCompact => effect.message = message,
        Moment::PostToolUseFailure | Moment::Other => {}
    }
    effect
}
