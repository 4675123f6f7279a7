//! Random bytes and random JSON.

use proptest::prelude::*;
use serde_json::{Map, Value};

use crate::{answer, named, prove};

/// The hosts' names of fields; unknown fields would test little.
const FIELDS: &[&str] = &[
    "session_id",
    "sessionId",
    "conversation_id",
    "cwd",
    "hook_event_name",
    "hookEventName",
    "tool_name",
    "toolName",
    "tool_input",
    "toolArgs",
    "tool_use_id",
    "toolUseId",
    "tool_response",
    "error",
    "prompt",
    "agent_id",
    "agent_type",
    "source",
    "trigger",
    "timestamp",
    "transcript_path",
    "model",
    "permission_mode",
    "stop_hook_active",
    "command",
    "file_path",
    "workspace_roots",
    "mcp_context",
    "cursor_version",
    "turn_id",
];

/// Words that mean something as values of those fields.
const WORDS: &[&str] = &[
    "PreToolUse",
    "PostToolUse",
    "UserPromptSubmit",
    "SessionStart",
    "Stop",
    "PreCompact",
    "SubagentStart",
    "SubagentStop",
    "BeforeTool",
    "beforeShellExecution",
    "preToolUse",
    "Bash",
    "Write",
    "apply_patch",
    "shell",
    "mcp__server__tool",
    "*** Begin Patch\n*** Update File: a\n",
    "{\"command\":\"ls\"}",
    "../../x",
    "/",
    "\0",
];

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        proptest::sample::select(WORDS).prop_map(Value::from),
        ".{0,20}".prop_map(Value::from),
        Just(Value::from("x".repeat(20_000))),
    ]
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![4 => proptest::sample::select(FIELDS).prop_map(str::to_owned), 1 => ".{0,8}"]
}

pub(crate) fn json() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(4, 40, 8, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            proptest::collection::vec((key(), inner), 0..8)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn object() -> impl Strategy<Value = Value> {
    proptest::collection::vec((key(), json()), 0..12)
        .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>()))
}

#[test]
fn random_bytes() {
    let bytes = proptest::collection::vec(any::<u8>(), 0..300);
    prove(
        |_| (named::host(), named::event(), bytes),
        |sandbox, (host, event, bytes)| answer(sandbox, host, event, &bytes),
    );
}

#[test]
fn random_text_of_json_signs() {
    let text = r#"\{[\[\]{}:,"\\a-f0-9ud.+ -]{0,80}"#;
    prove(
        |_| (named::host(), named::event(), text),
        |sandbox, (host, event, text)| answer(sandbox, host, event, text.as_bytes()),
    );
}

#[test]
fn random_json() {
    prove(
        |_| (named::host(), named::event(), object()),
        |sandbox, (host, event, payload)| answer(sandbox, host, event, payload.to_string().as_bytes()),
    );
}
