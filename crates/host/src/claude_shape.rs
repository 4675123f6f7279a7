//! The answer format of Claude Code, which other hosts read in part.
//!
//! `decision` and `reason` at the top level block anything but a tool call; `hookSpecificOutput`
//! contains the fields of one event and must name it.

use event::Decision;
use serde_json::{Map, Value};

use crate::supported_verdict::SupportedVerdict;
use crate::{EventKind, ReplyTarget};

/// Returns the answer in Claude's format.
pub(crate) fn answer(target: &ReplyTarget, supported: &SupportedVerdict) -> Map<String, Value> {
    let mut answer = Map::new();
    let mut specific = Map::new();
    if target.event_kind() == EventKind::PreToolUse {
        permission(&mut specific, &supported.decision);
        if let Some(input) = &supported.rewrite {
            specific.insert("updatedInput".into(), Value::Object(input.clone()));
        }
    } else if target.event_kind() == EventKind::PermissionRequest {
        let mut decision = Map::new();
        behavior(&mut decision, &supported.decision);
        if !decision.is_empty() {
            specific.insert("decision".into(), Value::Object(decision));
        }
    } else if let Decision::Deny { reason } = &supported.decision {
        block(&mut answer, reason);
    }
    if let Some(context) = &supported.context {
        put(&mut specific, "additionalContext", context);
    }
    if let Some(replacement) = &supported.replacement {
        specific.insert("updatedToolOutput".into(), replacement.response.clone());
    }
    nest(&mut answer, target, specific);
    if let Some(message) = &supported.message {
        put(&mut answer, "systemMessage", message);
    }
    end_turn(&mut answer, supported);
    answer
}

/// Ends the agent's turn. WHY nothing without a reason: VS Code aborts on any `stopReason`, even an empty one.
pub(crate) fn end_turn(answer: &mut Map<String, Value>, supported: &SupportedVerdict) {
    if let Some(reason) = &supported.end_turn {
        answer.insert("continue".into(), Value::Bool(false));
        put(answer, "stopReason", reason);
    }
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

/// Adds the answer to the host's own question about a call; anything but an allow or a deny leaves it to the user.
pub(crate) fn behavior(answer: &mut Map<String, Value>, decision: &Decision) {
    match decision {
        Decision::Allow => put(answer, "behavior", "allow"),
        Decision::Deny { reason } => {
            put(answer, "behavior", "deny");
            put(answer, "message", reason);
        }
        Decision::Abstain | Decision::Ask { .. } => {}
    }
}

/// Blocks an event other than a tool call.
pub(crate) fn block(answer: &mut Map<String, Value>, reason: &str) {
    put(answer, "decision", "block");
    put(answer, "reason", reason);
}

/// Adds the fields of this event, under the event's name.
pub(crate) fn nest(answer: &mut Map<String, Value>, target: &ReplyTarget, specific: Map<String, Value>) {
    if specific.is_empty() {
        return;
    }
    let mut named = Map::new();
    put(&mut named, "hookEventName", target.spelling());
    named.extend(specific);
    answer.insert("hookSpecificOutput".into(), Value::Object(named));
}

/// Adds a string.
pub(crate) fn put(answer: &mut Map<String, Value>, field: &str, text: &str) {
    answer.insert(field.into(), Value::String(text.into()));
}
