//! VS Code: its events, and an answer that both of its harnesses understand.
//!
//! The Local harness reads Claude's shape with the stopping moved inside
//! `hookSpecificOutput`. The Copilot harness, started from the same hook file with
//! nearly the same payload, reads flat fields. Each ignores what the other reads.

use event::Decision;
use serde_json::{Map, Value};

use crate::claude_shape::{self, block, nest, permission, put};
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
    ("ErrorOccurred", Moment::Other),
    ("SessionEnd", Moment::Other),
];

/// WHY: no `stopReason`, ever. The Local harness aborts on any text there, even with
/// `continue: true`.
pub(crate) fn answer(wire: &Wire, plan: &Plan) -> Map<String, Value> {
    let mut answer = claude_shape::answer(wire, plan);
    match (wire.moment(), &plan.decision) {
        (Moment::PreToolUse, decision) => {
            permission(&mut answer, decision);
            if let Some(input) = &plan.rewrite {
                answer.insert("updatedInput".into(), Value::Object(input.clone()));
            }
            return answer;
        }
        (Moment::Stop | Moment::SubagentStop, Decision::Deny { reason }) => {
            let mut specific = Map::new();
            block(&mut specific, reason);
            nest(&mut answer, wire, specific);
        }
        _ => {}
    }
    if let Some(context) = &plan.context {
        put(&mut answer, "additionalContext", context);
    }
    answer
}
