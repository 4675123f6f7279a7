//! Claude Code, which validates answers, and Qwen Code, which reads fewer fields of them.

use host::Moment;
use serde_json::{Map, Value};

use super::{Effect, claude_name, object, text};

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

pub(crate) fn effect(moment: Moment, answer: &Map<String, Value>) -> Result<Effect, String> {
    if let Some(field) = answer.keys().find(|field| !TOP.contains(&field.as_str())) {
        return Err(format!("unknown field {field}"));
    }
    let mut effect = Effect { message: capped(text(answer, "systemMessage"))?, ..Effect::default() };
    if let Some(nested) = object(answer, "hookSpecificOutput") {
        if text(&nested, "hookEventName").as_deref() != Some(claude_name(moment)) {
            return Err("hookSpecificOutput of another event".into());
        }
        effect.context = capped(text(&nested, "additionalContext"))?;
        if moment == Moment::PreToolUse {
            let reason = capped(text(&nested, "permissionDecisionReason"))?;
            effect.decide(text(&nested, "permissionDecision").as_deref(), reason);
            effect.input = object(&nested, "updatedInput");
        }
    }
    match (moment, text(answer, "decision").as_deref()) {
        (_, None) => {}
        (
            Moment::UserPromptSubmit
            | Moment::PostToolUse
            | Moment::PreCompact
            | Moment::Stop
            | Moment::SubagentStop,
            Some("block"),
        ) => effect.denied = capped(text(answer, "reason"))?,
        (_, Some(decision)) => return Err(format!("decision {decision} at {moment:?}")),
    }
    match moment {
        Moment::Stop | Moment::SubagentStop if effect.context.is_some() => {
            Err("context keeps the agent going".into())
        }
        Moment::PreCompact | Moment::Other if effect.context.is_some() => Err("context is not read".into()),
        _ => Ok(effect),
    }
}

pub(crate) fn effect_on_qwen(moment: Moment, answer: &Map<String, Value>) -> Result<Effect, String> {
    let mut effect = effect(moment, answer)?;
    match moment {
        Moment::PreToolUse => {
            effect.input = None;
            effect.context = None;
        }
        Moment::PostToolUse => effect.denied = None,
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
