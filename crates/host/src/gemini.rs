//! Gemini CLI: its own event names, and a `decision` where Claude has permissions.

use event::Decision;
use serde_json::{Map, Value};

use crate::claude_shape::{end_turn, nest, put};
use crate::supported_verdict::SupportedVerdict;
use crate::{EventKind, ReplyTarget};

pub(crate) const EVENTS: &[(&str, EventKind)] = &[
    ("SessionStart", EventKind::SessionStart),
    ("BeforeAgent", EventKind::UserPromptSubmit),
    ("BeforeTool", EventKind::PreToolUse),
    ("AfterTool", EventKind::PostToolUse),
    ("PreCompress", EventKind::PreCompact),
    ("AfterAgent", EventKind::Stop),
    ("AfterModel", EventKind::Other),
    ("BeforeModel", EventKind::Other),
    ("BeforeToolSelection", EventKind::Other),
    ("Notification", EventKind::Other),
    ("SessionEnd", EventKind::Other),
];

/// WHY: Gemini ignores `permissionDecision`; an answer in Claude's format lets the tool run.
pub(crate) fn answer(target: &ReplyTarget, supported: &SupportedVerdict) -> Map<String, Value> {
    let mut answer = Map::new();
    let speaks = target.event_kind() == EventKind::PreToolUse || supported.decision.is_deny();
    if speaks && supported.decision != Decision::Abstain {
        put(&mut answer, "decision", supported.decision.as_str());
        if let Some(reason) = supported.decision.reason() {
            put(&mut answer, "reason", reason);
        }
    }
    if let (Some(replacement), false) = (&supported.replacement, supported.decision.is_deny()) {
        put(&mut answer, "decision", "deny");
        put(&mut answer, "reason", &replacement.text);
    }
    let mut specific = Map::new();
    if let Some(input) = &supported.rewrite {
        specific.insert("tool_input".into(), Value::Object(input.clone()));
    }
    if let Some(context) = &supported.context {
        put(&mut specific, "additionalContext", context);
    }
    nest(&mut answer, target, specific);
    if let Some(message) = &supported.message {
        put(&mut answer, "systemMessage", message);
    }
    end_turn(&mut answer, supported);
    answer
}
