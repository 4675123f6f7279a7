//! Codex: Claude's answer format, parsed into structs that reject unknown fields.

use event::Decision;
use serde_json::{Map, Value};

use crate::claude_shape::{self, block, put};
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
    ("Interrupt", EventKind::Other),
    ("PermissionRequest", EventKind::PermissionRequest),
    ("PostCompact", EventKind::Other),
    ("SessionEnd", EventKind::Other),
];

/// WHY: one unexpected field makes the whole answer invalid, and the tool runs. So there is never an
/// allow without a changed input or a changed input without an allow, and compaction is stopped by
/// the only field its answer has for that.
pub(crate) fn answer(target: &ReplyTarget, supported: &SupportedVerdict) -> Map<String, Value> {
    match (target.event_kind(), &supported.decision) {
        (EventKind::PreToolUse, _) if supported.rewrite.is_some() => {
            let allowed = SupportedVerdict {
                decision: Decision::Allow,
                rewrite: supported.rewrite.clone(),
                context: supported.context.clone(),
                message: supported.message.clone(),
                ..SupportedVerdict::default()
            };
            claude_shape::answer(target, &allowed)
        }
        (EventKind::PreCompact, Decision::Deny { reason }) => {
            let mut answer = Map::new();
            answer.insert("continue".into(), Value::Bool(false));
            put(&mut answer, "stopReason", reason);
            if let Some(message) = &supported.message {
                put(&mut answer, "systemMessage", message);
            }
            answer
        }
        // A refused result is replaced already.
        (EventKind::PostToolUse, decision) if supported.replacement.is_some() => {
            let mut answer = claude_shape::answer(target, &supported.without_replacement());
            if let (Some(replacement), false) = (&supported.replacement, decision.is_deny()) {
                block(&mut answer, &replacement.text);
            }
            answer
        }
        _ => claude_shape::answer(target, supported),
    }
}
