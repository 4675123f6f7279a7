//! GitHub Copilot: the CLI and other programs based on its SDK.
//!
//! The spelling of the key a hook is registered under selects the protocol: camelCase keys get flat
//! camelCase payloads that do not name their event, `PascalCase` keys get payloads that imitate VS
//! Code's.

use event::Decision;
use serde_json::{Map, Value};

use crate::claude_shape::{behavior, block, permission, put};
use crate::supported_verdict::SupportedVerdict;
use crate::{EventKind, ReplyTarget, vscode};

pub(crate) const CAMEL_EVENTS: &[(&str, EventKind)] = &[
    ("sessionStart", EventKind::SessionStart),
    ("userPromptSubmitted", EventKind::UserPromptSubmit),
    ("preToolUse", EventKind::PreToolUse),
    ("postToolUse", EventKind::PostToolUse),
    ("postToolUseFailure", EventKind::PostToolUseFailure),
    ("preCompact", EventKind::PreCompact),
    ("agentStop", EventKind::Stop),
    ("subagentStart", EventKind::SubagentStart),
    ("subagentStop", EventKind::SubagentStop),
    ("errorOccurred", EventKind::Other),
    ("notification", EventKind::Other),
    ("permissionRequest", EventKind::PermissionRequest),
    ("preMcpToolCall", EventKind::Other),
    ("sessionEnd", EventKind::Other),
    ("userPromptTransformed", EventKind::Other),
];

pub(crate) const PASCAL_EVENTS: &[(&str, EventKind)] = &[
    ("SessionStart", EventKind::SessionStart),
    ("UserPromptSubmit", EventKind::UserPromptSubmit),
    ("PreToolUse", EventKind::PreToolUse),
    ("PostToolUse", EventKind::PostToolUse),
    ("PostToolUseFailure", EventKind::PostToolUseFailure),
    ("PreCompact", EventKind::PreCompact),
    ("Stop", EventKind::Stop),
    ("SubagentStart", EventKind::SubagentStart),
    ("SubagentStop", EventKind::SubagentStop),
    ("ErrorOccurred", EventKind::Other),
    ("Notification", EventKind::Other),
    ("PermissionRequest", EventKind::PermissionRequest),
    ("SessionEnd", EventKind::Other),
];

/// Returns an answer with flat fields.
pub(crate) fn camel_answer(target: &ReplyTarget, supported: &SupportedVerdict) -> Map<String, Value> {
    let mut answer = Map::new();
    match (target.event_kind(), &supported.decision) {
        (EventKind::PreToolUse, decision) => {
            permission(&mut answer, decision);
            if let Some(input) = &supported.rewrite {
                answer.insert("modifiedArgs".into(), Value::Object(input.clone()));
            }
        }
        (EventKind::PermissionRequest, decision) => behavior(&mut answer, decision),
        (_, Decision::Deny { reason }) => block(&mut answer, reason),
        _ => {}
    }
    if let (Some(replacement), false) = (&supported.replacement, supported.decision.is_deny()) {
        let mut result = Map::new();
        put(&mut result, "textResultForLlm", &replacement.text);
        answer.insert("modifiedResult".into(), Value::Object(result));
    }
    if let Some(context) = &supported.context {
        put(&mut answer, "additionalContext", context);
    }
    answer
}

/// Returns an answer with flat and nested fields: before a tool call Copilot reads the context only
/// from `hookSpecificOutput`. VS Code's answer suits both.
pub(crate) fn pascal_answer(target: &ReplyTarget, supported: &SupportedVerdict) -> Map<String, Value> {
    if target.event_kind() == EventKind::PermissionRequest {
        return camel_answer(target, supported);
    }
    let mut answer = vscode::answer(target, &supported.without_replacement());
    // WHY not `modifiedResult`: it was seen to work under camelCase keys only, a refused result under both.
    if let (Some(replacement), false) = (&supported.replacement, supported.decision.is_deny()) {
        block(&mut answer, &replacement.text);
    }
    answer
}
