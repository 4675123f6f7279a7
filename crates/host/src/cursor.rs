//! Cursor: its events, its gates, and its `snake_case` answers.

use event::{Decision, EventName, ToolCall};
use serde_json::{Map, Value};

use crate::claude_shape::put;
use crate::fields::Fields;
use crate::supported_verdict::SupportedVerdict;
use crate::tools::{self, Source};
use crate::{EventKind, Host, ParseError, ReplyTarget};

/// WHY without the events after a shell command, an MCP call or an edit: `postToolUse` reports the
/// same call, so answering both would record it twice.
pub(crate) const EVENTS: &[(&str, EventKind)] = &[
    ("sessionStart", EventKind::SessionStart),
    ("beforeSubmitPrompt", EventKind::UserPromptSubmit),
    ("preToolUse", EventKind::PreToolUse),
    ("beforeShellExecution", EventKind::ShellGate),
    ("beforeMCPExecution", EventKind::McpGate),
    ("beforeReadFile", EventKind::ReadGate),
    ("beforeTabFileRead", EventKind::ReadGate),
    ("postToolUse", EventKind::PostToolUse),
    ("postToolUseFailure", EventKind::PostToolUseFailure),
    ("preCompact", EventKind::PreCompact),
    ("stop", EventKind::Stop),
    ("subagentStart", EventKind::SubagentStart),
    ("subagentStop", EventKind::SubagentStop),
    ("afterAgentResponse", EventKind::Other),
    ("afterAgentThought", EventKind::Other),
    ("afterFileEdit", EventKind::Other),
    ("afterMCPExecution", EventKind::Other),
    ("afterShellExecution", EventKind::Other),
    ("afterTabFileEdit", EventKind::Other),
    ("sessionEnd", EventKind::Other),
    ("workspaceOpen", EventKind::Other),
];

/// Returns the tool call that a gate precedes. Returns `None` if the event kind is not a gate.
///
/// Gates do not name a tool, so the call is written as in `preToolUse`.
pub(crate) fn gated_call(event_kind: EventKind, payload: Fields<'_>) -> Option<Result<ToolCall, ParseError>> {
    let missing = |field| Err(ParseError::Missing { event: EventName::PreToolUse, field });
    let id = payload.text(&["tool_use_id"]);
    match event_kind {
        EventKind::ShellGate => Some(match payload.text(&["command"]) {
            Some(command) => {
                let mut input = Map::new();
                put(&mut input, "command", &command);
                if let Some(folder) = payload.word(&["cwd"]) {
                    put(&mut input, "working_directory", folder);
                }
                Ok(tools::call(Host::Cursor, Source::named("Shell", id), Value::Object(input)))
            }
            None => missing("command"),
        }),
        EventKind::ReadGate => Some(match payload.text(&["file_path"]) {
            Some(path) => {
                let mut input = Map::new();
                put(&mut input, "file_path", &path);
                Ok(tools::call(Host::Cursor, Source::named("Read", id), Value::Object(input)))
            }
            None => missing("file_path"),
        }),
        EventKind::McpGate => Some(match payload.word(&["tool_name"]) {
            Some(name) => {
                let server = payload.word(&["mcp_server_name"]).unwrap_or_default();
                let tool = name.strip_prefix("MCP:").unwrap_or(name);
                let source = Source { name, id, mcp: Some((server, tool)) };
                Ok(tools::call(Host::Cursor, source, tools::input(payload.value(&["tool_input"]))))
            }
            None => missing("tool_name"),
        }),
        _ => None,
    }
}

pub(crate) fn answer(target: &ReplyTarget, supported: &SupportedVerdict) -> Map<String, Value> {
    let mut answer = Map::new();
    match target.event_kind() {
        EventKind::PreToolUse
        | EventKind::ShellGate
        | EventKind::McpGate
        | EventKind::ReadGate
        | EventKind::SubagentStart => {
            permission(&mut answer, target.event_kind(), supported);
        }
        EventKind::UserPromptSubmit => {
            if supported.decision.is_deny() {
                answer.insert("continue".into(), Value::Bool(false));
            }
            to_the_person(&mut answer, supported);
        }
        EventKind::Stop | EventKind::SubagentStop => {
            if let Decision::Deny { reason } = &supported.decision {
                put(&mut answer, "followup_message", reason);
            }
        }
        EventKind::SessionStart | EventKind::PostToolUse => {
            if let Some(context) = &supported.context {
                put(&mut answer, "additional_context", context);
            }
        }
        EventKind::PreCompact => to_the_person(&mut answer, supported),
        EventKind::PostToolUseFailure | EventKind::PermissionRequest | EventKind::Other => {}
    }
    answer
}

fn permission(answer: &mut Map<String, Value>, event_kind: EventKind, supported: &SupportedVerdict) {
    // An allow is only useful for a tool call.
    let silent = match supported.decision {
        Decision::Abstain => true,
        Decision::Allow => event_kind == EventKind::SubagentStart,
        Decision::Ask { .. } | Decision::Deny { .. } => false,
    };
    if !silent {
        put(answer, "permission", supported.decision.as_str());
    }
    to_the_person(answer, supported);
    let agent_reads = !matches!(event_kind, EventKind::ReadGate | EventKind::SubagentStart);
    if let (true, Some(reason)) = (agent_reads, supported.decision.reason()) {
        put(answer, "agent_message", reason);
    }
    if let Some(input) = &supported.rewrite {
        answer.insert("updated_input".into(), Value::Object(input.clone()));
    }
}

/// Adds the reason and the warnings to the only field that the user sees.
fn to_the_person(answer: &mut Map<String, Value>, supported: &SupportedVerdict) {
    let messages: Vec<&str> =
        supported.decision.reason().into_iter().chain(supported.message.as_deref()).collect();
    if !messages.is_empty() {
        put(answer, "user_message", &messages.join("\n"));
    }
}
