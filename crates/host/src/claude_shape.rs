//! The shape of answer that Claude Code invented and others read in part.
//!
//! `decision` and `reason` at the top stop whatever is not a tool call;
//! `hookSpecificOutput` holds what belongs to one event and must name it.

use event::Decision;
use serde_json::{Map, Value};

use crate::plan::Plan;
use crate::{Moment, Wire};

/// Returns the answer in Claude's shape.
pub(crate) fn answer(wire: &Wire, plan: &Plan) -> Map<String, Value> {
    let mut answer = Map::new();
    let mut specific = Map::new();
    if wire.moment() == Moment::PreToolUse {
        permission(&mut specific, &plan.decision);
        if let Some(input) = &plan.rewrite {
            specific.insert("updatedInput".into(), Value::Object(input.clone()));
        }
    } else if let Decision::Deny { reason } = &plan.decision {
        block(&mut answer, reason);
    }
    if let Some(context) = &plan.context {
        put(&mut specific, "additionalContext", context);
    }
    nest(&mut answer, wire, specific);
    if let Some(message) = &plan.message {
        put(&mut answer, "systemMessage", message);
    }
    answer
}

/// Adds a decision on a tool call; an abstention adds nothing.
pub(crate) fn permission(answer: &mut Map<String, Value>, decision: &Decision) {
    if *decision == Decision::Abstain {
        return;
    }
    put(answer, "permissionDecision", decision.as_str());
    if let Some(reason) = decision.reason() {
        put(answer, "permissionDecisionReason", reason);
    }
}

/// Adds a refusal of anything that is not a tool call.
pub(crate) fn block(answer: &mut Map<String, Value>, reason: &str) {
    put(answer, "decision", "block");
    put(answer, "reason", reason);
}

/// Adds what belongs to this event alone, under the event's name.
pub(crate) fn nest(answer: &mut Map<String, Value>, wire: &Wire, specific: Map<String, Value>) {
    if specific.is_empty() {
        return;
    }
    let mut named = Map::new();
    put(&mut named, "hookEventName", wire.spelling());
    named.extend(specific);
    answer.insert("hookSpecificOutput".into(), Value::Object(named));
}

/// Adds a text.
pub(crate) fn put(answer: &mut Map<String, Value>, field: &str, text: &str) {
    answer.insert(field.into(), Value::String(text.into()));
}
