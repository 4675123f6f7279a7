//! Payloads of hosts that could not be recorded, written from their documentation.

use std::fmt::Write;

use expect_test::expect_file;
use host::{Hints, Host, parse, recognise};
use serde_json::{Value, json};

use crate::fixtures;
use crate::parsing::brief;

/// Combines the common fields of a host's payloads with those of an event.
fn with(common: &Value, extra: &Value) -> Value {
    let mut payload = common.clone();
    payload.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    payload
}

fn vscode() -> Vec<Value> {
    let dated = |name: &str, extra: Value| {
        let common = json!({"timestamp": "2026-11-15T18:20:52.357Z", "hook_event_name": name, "session_id": "s1",
            "transcript_path": "/data/workspaceStorage/1/GitHub.copilot-chat/transcripts/s1.jsonl", "cwd": "/w"});
        with(&common, &extra)
    };
    let call = json!({"tool_name": "multi_replace_string_in_file", "tool_use_id": "call_1__vscode-17",
        "tool_input": {"explanation": "e", "replacements": [
            {"filePath": "/w/a.rs", "oldString": "x", "newString": "y"},
            {"filePath": "/w/b.rs", "oldString": "x", "newString": "y"}]}});
    vec![
        dated("SessionStart", json!({"source": "new"})),
        dated("UserPromptSubmit", json!({"prompt": "fix it"})),
        dated("PreToolUse", call.clone()),
        dated("PostToolUse", with(&call, &json!({"tool_response": "edited\nboth"}))),
        dated("PreCompact", json!({"trigger": "auto", "custom_instructions": "keep names"})),
        dated("SubagentStart", json!({"agent_id": "a1", "agent_type": "Plan"})),
        dated("SubagentStop", json!({"agent_id": "a1", "agent_type": "Plan", "stop_hook_active": true})),
        dated("Stop", json!({"stop_hook_active": false})),
        dated("SessionEnd", json!({})),
        dated(
            "PreToolUse",
            json!({"tool_name": "run_in_terminal", "tool_use_id": "call_2",
                "tool_input": {"command": "make", "explanation": "e", "goal": "g", "isBackground": false}}),
        ),
        dated(
            "PostToolUse",
            json!({"tool_name": "run_in_terminal", "tool_use_id": "call_2",
                "tool_input": {"command": "make"}, "tool_response": "made"}),
        ),
        dated(
            "PreToolUse",
            json!({"tool_name": "apply_patch", "tool_use_id": "call_3", "tool_input": {"explanation": "e",
                "input": "*** Begin Patch\n*** Update File: /w/a.rs\n*** Move to: /w/b.rs\n@@\n-x\n+y\n*** End Patch"}}),
        ),
        // The field is a sub-action, not a command line.
        dated(
            "PreToolUse",
            json!({"tool_name": "memory", "tool_use_id": "call_4",
                "tool_input": {"command": "rename", "old_path": "/memories/a", "new_path": "/memories/b"}}),
        ),
        dated(
            "PreToolUse",
            json!({"tool_name": "create_and_run_task", "tool_use_id": "call_5",
                "tool_input": {"workspaceFolder": "/w", "task": {"label": "l", "command": "rm", "args": ["-rf", "a b"]}}}),
        ),
        // Without the optional fields, as some versions send it.
        json!({"timestamp": "2026-11-15T18:20:52.357Z", "hook_event_name": "UserPromptSubmit", "cwd": "/w",
            "prompt": "fix it"}),
        // In the spelling of older versions.
        json!({"timestamp": "2026-11-15T18:20:52.357Z", "hookEventName": "Stop", "sessionId": "s1", "cwd": "/w",
            "stopHookActive": true}),
    ]
}

fn cursor() -> Vec<Value> {
    let named = |name: &str, extra: Value| {
        let common = json!({"conversation_id": "c1", "generation_id": "g1", "model": "some-model",
            "hook_event_name": name, "cursor_version": "2.4.1", "workspace_roots": ["/w", "/other"],
            "user_email": null, "transcript_path": null});
        with(&common, &extra)
    };
    let call = json!({"tool_name": "Shell", "tool_input": {"command": "make", "working_directory": "/w/sub"},
        "tool_use_id": "t1", "cwd": "/w"});
    vec![
        named("sessionStart", json!({"session_id": "c1", "is_background_agent": false})),
        named("beforeSubmitPrompt", json!({"prompt": "fix it", "attachments": []})),
        named("preToolUse", call.clone()),
        named("postToolUse", with(&call, &json!({"tool_output": "{\"exitCode\":0}", "duration": 12}))),
        named(
            "postToolUseFailure",
            with(&call, &json!({"error_message": "timed out", "failure_type": "timeout", "duration": 12})),
        ),
        named("beforeShellExecution", json!({"command": "make", "cwd": "/w", "sandbox": false})),
        named("afterShellExecution", json!({"command": "make", "output": "", "duration": 3})),
        named(
            "beforeMCPExecution",
            json!({"tool_name": "select_active_intent", "tool_input": "{\"intent_id\":\"INT-001\"}",
                "mcp_server_name": "steersman", "command": "steersman mcp"}),
        ),
        named("beforeReadFile", json!({"file_path": "/w/a.rs", "content": "x", "attachments": []})),
        named(
            "afterFileEdit",
            json!({"file_path": "/w/a.rs", "edits": [{"old_string": "x", "new_string": "y"}]}),
        ),
        named("subagentStart", json!({"subagent_id": "a1", "subagent_type": "explore", "task": "look"})),
        named(
            "subagentStop",
            json!({"subagent_type": "explore", "status": "completed", "summary": "found", "loop_count": 1}),
        ),
        named("preCompact", json!({"trigger": "manual", "context_usage_percent": 80})),
        named("stop", json!({"status": "completed", "loop_count": 0})),
        named("sessionEnd", json!({"session_id": "c1", "reason": "completed"})),
        named(
            "postToolUse",
            with(&call, &json!({"tool_output": "{\"exitCode\":2,\"output\":\"no rule\"}", "duration": 12})),
        ),
        named(
            "preToolUse",
            json!({"tool_name": "Write", "tool_input": {"file_path": "/w/a.rs", "content": "x"},
                "tool_use_id": "t2", "cwd": "/w", "agent_message": "m"}),
        ),
        named(
            "preToolUse",
            json!({"tool_name": "StrReplace", "tool_use_id": "t3", "cwd": "/w",
                "tool_input": {"path": "/w/a.rs", "old_string": "x", "new_string": "y"}}),
        ),
        named(
            "preToolUse",
            json!({"tool_name": "Delete", "tool_input": {"path": "/w/a.rs"}, "tool_use_id": "t4", "cwd": "/w"}),
        ),
        named(
            "preToolUse",
            json!({"tool_name": "MCP:query", "tool_input": {"sql": "SELECT 1"}, "tool_use_id": "t5", "cwd": "/w"}),
        ),
        named(
            "postToolUse",
            json!({"tool_name": "MCP:query", "tool_input": {"sql": "SELECT 1"}, "tool_use_id": "t5", "cwd": "/w",
                "tool_output": "{\"isError\":true,\"content\":\"no table\"}", "duration": 3}),
        ),
        named(
            "beforeMCPExecution",
            json!({"tool_name": "query", "tool_input": "{\"sql\":\"SELECT 1\"}", "mcp_server_name": "db",
                "url": "http://localhost:1/", "mcp_server_url": "http://localhost:1/"}),
        ),
        named(
            "afterMCPExecution",
            json!({"tool_name": "query", "tool_input": "{}", "result_json": "{}", "duration": 3}),
        ),
        named(
            "subagentStart",
            json!({"conversation_id": "c2", "subagent_id": "a2", "subagent_type": "explore", "task": "look",
                "parent_conversation_id": "c1", "tool_call_id": "t6", "is_parallel_worker": false}),
        ),
        named("beforeTabFileRead", json!({"file_path": "/w/a.rs", "content": "x"})),
        named("afterTabFileEdit", json!({"file_path": "/w/a.rs", "edits": []})),
        named("afterAgentResponse", json!({"text": "done"})),
        named("afterAgentThought", json!({"text": "hm", "duration_ms": 3})),
        named("workspaceOpen", json!({})),
        named("stop", json!({"status": "completed", "loop_count": 2})),
    ]
}

/// Returns the documented payloads, by host.
fn documented() -> [(Host, Vec<Value>); 2] {
    [(Host::VsCode, vscode()), (Host::Cursor, cursor())]
}

#[test]
fn every_host_but_raw_has_recorded_or_documented_payloads() {
    let mut hosts: Vec<Host> = fixtures::all().iter().map(|fixture| fixture.host).collect();
    hosts.extend(documented().map(|(host, _)| host));
    for host in Host::ALL.into_iter().filter(|host| *host != Host::Raw) {
        assert!(hosts.contains(&host), "no payload of {host}");
    }
}

#[test]
fn documented_payloads_are_recognised_and_understood() {
    let mut told = String::new();
    for (host, payloads) in documented() {
        for payload in payloads {
            assert_eq!(recognise(&payload, &Hints::default()), Some(host), "{payload}");
            let received = parse(host, None, &payload).unwrap_or_else(|error| panic!("{payload}: {error}"));
            writeln!(told, "{}", brief(&received)).unwrap();
        }
    }
    expect_file!["../golden/documented.txt"].assert_eq(&told);
}

#[test]
fn the_agent_host_of_vs_code_is_answered_in_copilots_words() {
    let payload = json!({"sessionId": "s", "timestamp": 1_794_767_751_481_u64, "workingDirectory": "/w",
        "toolName": "create", "toolArgs": "{\"path\":\"/w/a\",\"file_text\":\"x\"}"});
    let received = parse(Host::VsCode, Some("PreToolUse"), &payload).unwrap();
    assert_eq!(
        brief(&received),
        "  copilot-cli (camelCase) preToolUse → PreToolUse\n    session=s cwd=/w\n    \
         create Write id \"-\"\n    write /w/a\n    content \"x\""
    );
    assert_eq!(received.target.host(), Host::VsCode);
}
