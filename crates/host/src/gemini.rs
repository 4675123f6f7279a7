//! Gemini CLI: its own event names, and a `decision` where Claude has permissions.

use event::Decision;
use serde_json::{Map, Value};

use crate::claude_shape::{nest, put};
use crate::plan::Plan;
use crate::{Moment, Wire};

pub(crate) const EVENTS: &[(&str, Moment)] = &[
    ("SessionStart", Moment::SessionStart),
    ("BeforeAgent", Moment::UserPromptSubmit),
    ("BeforeTool", Moment::PreToolUse),
    ("AfterTool", Moment::PostToolUse),
    ("PreCompress", Moment::PreCompact),
    ("AfterAgent", Moment::Stop),
    ("AfterModel", Moment::Other),
    ("BeforeModel", Moment::Other),
    ("BeforeToolSelection", Moment::Other),
    ("Notification", Moment::Other),
    ("SessionEnd", Moment::Other),
];

/// WHY: `permissionDecision` is not read; an answer in Claude's shape lets the tool run.
pub(crate) fn answer(wire: &Wire, plan: &Plan) -> Map<String, Value> {
    let mut answer = Map::new();
    let speaks = wire.moment() == Moment::PreToolUse || plan.decision.is_deny();
    if speaks && plan.decision != Decision::Abstain {
        put(&mut answer, "decision", plan.decision.as_str());
        if let Some(reason) = plan.decision.reason() {
            put(&mut answer, "reason", reason);
        }
    }
    let mut specific = Map::new();
    if let Some(input) = &plan.rewrite {
        specific.insert("tool_input".into(), Value::Object(input.clone()));
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
