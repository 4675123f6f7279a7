//! Codex: Claude's shape, read by structs that refuse every field they do not know.

use event::Decision;
use serde_json::{Map, Value};

use crate::claude_shape::{self, put};
use crate::plan::Plan;
use crate::{Moment, Wire};

pub(crate) const EVENTS: &[(&str, Moment)] = &[
    ("SessionStart", Moment::SessionStart),
    ("UserPromptSubmit", Moment::UserPromptSubmit),
    ("PreToolUse", Moment::PreToolUse),
    ("PostToolUse", Moment::PostToolUse),
    ("PreCompact", Moment::PreCompact),
    ("Stop", Moment::Stop),
    ("SubagentStart", Moment::SubagentStart),
    ("SubagentStop", Moment::SubagentStop),
    ("Interrupt", Moment::Other),
    ("PermissionRequest", Moment::Other),
    ("PostCompact", Moment::Other),
    ("SessionEnd", Moment::Other),
];

/// WHY: one field too many makes the whole answer invalid, and the tool runs. So
/// there is never an allow without a changed input nor a changed input without an
/// allow, and compaction is stopped by the one field its answer has for that.
pub(crate) fn answer(wire: &Wire, plan: &Plan) -> Map<String, Value> {
    match (wire.moment(), &plan.decision) {
        (Moment::PreToolUse, _) if plan.rewrite.is_some() => {
            let allowed = Plan {
                decision: Decision::Allow,
                rewrite: plan.rewrite.clone(),
                context: plan.context.clone(),
                message: plan.message.clone(),
                ..Plan::default()
            };
            claude_shape::answer(wire, &allowed)
        }
        (Moment::PreCompact, Decision::Deny { reason }) => {
            let mut answer = Map::new();
            answer.insert("continue".into(), Value::Bool(false));
            put(&mut answer, "stopReason", reason);
            if let Some(message) = &plan.message {
                put(&mut answer, "systemMessage", message);
            }
            answer
        }
        _ => claude_shape::answer(wire, plan),
    }
}
