//! Cursor: its events, its gates, and its `snake_case` answers.

use event::{Decision, EventName, ToolCall};
use serde_json::{Map, Value};

use crate::claude_shape::put;
use crate::fields::Fields;
use crate::plan::Plan;
use crate::tools::{self, Source};
use crate::{Host, Moment, ParseError, Wire};

/// WHY: what comes after a shell command, an MCP call or an edit is not ours, because
/// `postToolUse` reports the same call; answering both would record it twice.
pub(crate) const EVENTS: &[(&str, Moment)] = &[
    ("sessionStart", Moment::SessionStart),
    ("beforeSubmitPrompt", Moment::UserPromptSubmit),
    ("preToolUse", Moment::PreToolUse),
    ("beforeShellExecution", Moment::ShellGate),
    ("beforeMCPExecution", Moment::McpGate),
    ("beforeReadFile", Moment::ReadGate),
    ("beforeTabFileRead", Moment::ReadGate),
    ("postToolUse", Moment::PostToolUse),
    ("postToolUseFailure", Moment::PostToolUseFailure),
    ("preCompact", Moment::PreCompact),
    ("stop", Moment::Stop),
    ("subagentStart", Moment::SubagentStart),
    ("subagentStop", Moment::SubagentStop),
    ("afterAgentResponse", Moment::Other),
    ("afterAgentThought", Moment::Other),
    ("afterFileEdit", Moment::Other),
    ("afterMCPExecution", Moment::Other),
    ("afterShellExecution", Moment::Other),
    ("afterTabFileEdit", Moment::Other),
    ("sessionEnd", Moment::Other),
    ("workspaceOpen", Moment::Other),
];

/// Returns the tool call a gate stands in front of; `None` is not a gate.
///
/// The gates name no tool, so the call is written as `preToolUse` would have put it.
pub(crate) fn gated_call(moment: Moment, payload: Fields<'_>) -> Option<Result<ToolCall, ParseError>> {
    let missing = |field| Err(ParseError::Missing { event: EventName::PreToolUse, field });
    let id = payload.text(&["tool_use_id"]);
    match moment {
        Moment::ShellGate => Some(match payload.text(&["command"]) {
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
        Moment::ReadGate => Some(match payload.text(&["file_path"]) {
            Some(path) => {
                let mut input = Map::new();
                put(&mut input, "file_path", &path);
                Ok(tools::call(Host::Cursor, Source::named("Read", id), Value::Object(input)))
            }
            None => missing("file_path"),
        }),
        Moment::McpGate => Some(match payload.word(&["tool_name"]) {
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

pub(crate) fn answer(wire: &Wire, plan: &Plan) -> Map<String, Value> {
    let mut answer = Map::new();
    match wire.moment() {
        Moment::PreToolUse
        | Moment::ShellGate
        | Moment::McpGate
        | Moment::ReadGate
        | Moment::SubagentStart => {
            permission(&mut answer, wire.moment(), plan);
        }
        Moment::UserPromptSubmit => {
            if plan.decision.is_deny() {
                answer.insert("continue".into(), Value::Bool(false));
            }
            to_the_person(&mut answer, plan);
        }
        Moment::Stop | Moment::SubagentStop => {
            if let Decision::Deny { reason } = &plan.decision {
                put(&mut answer, "followup_message", reason);
            }
        }
        Moment::SessionStart | Moment::PostToolUse => {
            if let Some(context) = &plan.context {
                put(&mut answer, "additional_context", context);
            }
        }
        Moment::PreCompact => to_the_person(&mut answer, plan),
        Moment::PostToolUseFailure | Moment::Other => {}
    }
    answer
}

fn permission(answer: &mut Map<String, Value>, moment: Moment, plan: &Plan) {
    // An allow is only worth a word where there is a tool to permit.
    let silent = match plan.decision {
        Decision::Abstain => true,
        Decision::Allow => moment == Moment::SubagentStart,
        Decision::Ask { .. } | Decision::Deny { .. } => false,
    };
    if !silent {
        put(answer, "permission", plan.decision.as_str());
    }
    to_the_person(answer, plan);
    let agent_reads = !matches!(moment, Moment::ReadGate | Moment::SubagentStart);
    if let (true, Some(reason)) = (agent_reads, plan.decision.reason()) {
        put(answer, "agent_message", reason);
    }
    if let Some(input) = &plan.rewrite {
        answer.insert("updated_input".into(), Value::Object(input.clone()));
    }
}

/// The reason and the warnings share the one field a person reads.
fn to_the_person(answer: &mut Map<String, Value>, plan: &Plan) {
    let told: Vec<&str> = plan.decision.reason().into_iter().chain(plan.message.as_deref()).collect();
    if !told.is_empty() {
        put(answer, "user_message", &told.join("\n"));
    }
}
