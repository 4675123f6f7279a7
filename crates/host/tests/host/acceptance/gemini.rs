//! Gemini CLI.

use host::Moment;
use serde_json::{Map, Value};

use super::{Effect, object, text};

pub(crate) fn effect(moment: Moment, answer: &Map<String, Value>) -> Result<Effect, String> {
    if answer.get("continue") == Some(&Value::Bool(false)) {
        return Err("the agent is stopped".into());
    }
    let mut effect = Effect { message: text(answer, "systemMessage"), ..Effect::default() };
    let decision = text(answer, "decision");
    let nested = object(answer, "hookSpecificOutput").unwrap_or_default();
    let context = text(&nested, "additionalContext");
    match moment {
        Moment::PreToolUse => {
            if decision.as_deref() == Some("ask") {
                return Err("hangs when nobody is there".into());
            }
            effect.decide(decision.as_deref(), text(answer, "reason"));
            effect.input = object(&nested, "tool_input");
        }
        Moment::UserPromptSubmit | Moment::PostToolUse => {
            effect.decide(decision.as_deref(), text(answer, "reason"));
            effect.context = context;
        }
        Moment::Stop => effect.decide(decision.as_deref(), text(answer, "reason")),
        Moment::SessionStart => effect.context = context,
        _ => {}
    }
    Ok(effect)
}
