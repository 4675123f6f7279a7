//! VS Code: its events, and an answer for both of its harnesses.
//!
//! The Local harness reads Claude's format with the stop fields inside `hookSpecificOutput`. The
//! Copilot harness, started from the same hook file with nearly the same payload, reads flat fields.
//! Each ignores the other's fields.

use event::Decision;
use serde_json::{Map, Value};

use crate::claude_shape::{self, block, nest, permission, put};
use crate::supported_verdict::SupportedVerdict;
use crate::{EventKind, ReplyTarget};

pub(crate) const EVENTS: &[(&str, EventKind)] = &[
    ("SessionStart", EventKind::SessionStart),
    ("UserPromptSubmit", EventKind::UserPromptSubmit),
    ("PreToolUse", EventKind::PreToolUse),
    ("PostToolUse", EventKind::PostToolUse),
    ("PreCompact", EventKind::PreCompact),
    ("Stop", EventKind::Stop),
    ("SubagentStart", EventKind::SubagentStart),
    ("SubagentStop", EventKind::SubagentStop),
    ("ErrorOccurred", EventKind::Other),
    ("SessionEnd", EventKind::Other),
];

/// WHY `stopReason` only to end the turn: the Local harness aborts on any text there, even with `continue: true`.
pub(crate) fn answer(target: &ReplyTarget, supported: &SupportedVerdict) -> Map<String, Value> {
    let mut answer = claude_shape::answer(target, supported);
    match (target.event_kind(), &supported.decision) {
        (EventKind::PreToolUse, decision) => {
            permission(&mut answer, decision);
            if let Some(input) = &supported.rewrite {
                answer.insert("updatedInput".into(), Value::Object(input.clone()));
            }
            return answer;
        }
        (EventKind::Stop | EventKind::SubagentStop, Decision::Deny { reason }) => {
            let mut specific = Map::new();
            block(&mut specific, reason);
            nest(&mut answer, target, specific);
        }
        _ => {}
    }
    if let Some(context) = &supported.context {
        put(&mut answer, "additionalContext", context);
    }
    answer
}
