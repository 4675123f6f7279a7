//! GitHub Copilot, the CLI and whatever else runs on its SDK.
//!
//! The spelling of the key a hook is registered under chooses the protocol: camelCase
//! keys get flat camelCase payloads that do not even name their event, `PascalCase`
//! keys get payloads that imitate VS Code's.

use event::Decision;
use serde_json::{Map, Value};

use crate::claude_shape::{block, permission, put};
use crate::plan::Plan;
use crate::{Moment, Wire, vscode};

pub(crate) const CAMEL_EVENTS: &[(&str, Moment)] = &[
    ("sessionStart", Moment::SessionStart),
    ("userPromptSubmitted", Moment::UserPromptSubmit),
    ("preToolUse", Moment::PreToolUse),
    ("postToolUse", Moment::PostToolUse),
    ("postToolUseFailure", Moment::PostToolUseFailure),
    ("preCompact", Moment::PreCompact),
    ("agentStop", Moment::Stop),
    ("subagentStart", Moment::SubagentStart),
    ("subagentStop", Moment::SubagentStop),
    ("errorOccurred", Moment::Other),
    ("notification", Moment::Other),
    ("permissionRequest", Moment::Other),
    ("preMcpToolCall", Moment::Other),
    ("sessionEnd", Moment::Other),
    ("userPromptTransformed", Moment::Other),
];

pub(crate) const PASCAL_EVENTS: &[(&str, Moment)] = &[
    ("SessionStart", Moment::SessionStart),
    ("UserPromptSubmit", Moment::UserPromptSubmit),
    ("PreToolUse", Moment::PreToolUse),
    ("PostToolUse", Moment::PostToolUse),
    ("PostToolUseFailure", Moment::PostToolUseFailure),
    ("PreCompact", Moment::PreCompact),
    ("Stop", Moment::Stop),
    ("SubagentStart", Moment::SubagentStart),
    ("SubagentStop", Moment::SubagentStop),
    ("ErrorOccurred", Moment::Other),
    ("Notification", Moment::Other),
    ("PermissionRequest", Moment::Other),
    ("SessionEnd", Moment::Other),
];

/// Everything flat.
pub(crate) fn camel_answer(wire: &Wire, plan: &Plan) -> Map<String, Value> {
    let mut answer = Map::new();
    match (wire.moment(), &plan.decision) {
        (Moment::PreToolUse, decision) => {
            permission(&mut answer, decision);
            if let Some(input) = &plan.rewrite {
                answer.insert("modifiedArgs".into(), Value::Object(input.clone()));
            }
        }
        (_, Decision::Deny { reason }) => block(&mut answer, reason),
        _ => {}
    }
    if let Some(context) = &plan.context {
        put(&mut answer, "additionalContext", context);
    }
    answer
}

/// Flat, and nested as well: before a tool call the context is read from
/// `hookSpecificOutput` only. What VS Code is told does for both.
pub(crate) fn pascal_answer(wire: &Wire, plan: &Plan) -> Map<String, Value> {
    vscode::answer(wire, plan)
}
