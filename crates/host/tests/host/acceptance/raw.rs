//! A reader of the contract's own object.

use serde_json::{Map, Value};

use super::{Effect, object, text};

pub(crate) fn effect(answer: &Map<String, Value>) -> Result<Effect, String> {
    let decision = text(answer, "decision").ok_or("no decision")?;
    let mut effect = Effect::default();
    let reason = if decision == "deny" { text(answer, "denyReason") } else { text(answer, "reason") };
    effect.decide(Some(&decision), reason);
    effect.input = object(answer, "updatedInput");
    let list = |field: &str| answer.get(field).and_then(Value::as_array).cloned().unwrap_or_default();
    effect.context =
        list("additionalContext").first().and_then(|note| note["value"].as_str().map(str::to_owned));
    effect.message = list("warnings").first().and_then(|text| text.as_str().map(str::to_owned));
    effect.replaced = answer.get("updatedOutput").cloned();
    effect.ended = text(answer, "stopReason");
    Ok(effect)
}
