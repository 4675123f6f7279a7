//! Tests of recognising the host of a payload.

use host::{Hints, Host, recognise};
use serde_json::{Value, json};

use crate::fixtures;

#[test]
fn every_recorded_payload_is_recognised_with_and_without_its_environment() {
    for fixture in fixtures::all() {
        assert_eq!(recognise(&fixture.payload, &fixture.hints), Some(fixture.host), "{}", fixture.name);
        assert_eq!(recognise(&fixture.payload, &Hints::default()), Some(fixture.host), "{}", fixture.name);
    }
}

#[test]
fn a_host_started_by_another_host_is_still_recognised() {
    let inherited = Hints { claude_code: true, copilot_cli: true, codex: true, ..Hints::default() };
    for fixture in fixtures::all() {
        assert_eq!(recognise(&fixture.payload, &inherited), Some(fixture.host), "{}", fixture.name);
    }
}

#[test]
fn a_transcript_kept_elsewhere_leaves_the_fields_to_decide() {
    for mut fixture in fixtures::all() {
        let Some(path) = fixture.payload.get_mut("transcript_path") else { continue };
        let name = path.as_str().unwrap().rsplit('/').next().unwrap();
        *path = Value::String(format!("/elsewhere/{name}"));
        assert_eq!(recognise(&fixture.payload, &fixture.hints), Some(fixture.host), "{}", fixture.name);
    }
}

/// Checks payloads that were not recorded against the documented ones.
fn check(payload: &Value, hints: Hints, expected: Option<Host>) {
    assert_eq!(recognise(payload, &hints), expected, "{payload}");
}

#[test]
fn vs_code_is_told_from_copilot() {
    let none = Hints::default();
    let both = "2026-11-15T18:20:52.357Z";
    for payload in [
        json!({"timestamp": both, "hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "create_file",
            "tool_input": {"filePath": "/w/a"}, "tool_use_id": "call_1__vscode-1"}),
        json!({"timestamp": both, "hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "read_file",
            "tool_input": {"filePath": "/w/a"}, "tool_use_id": "call_1", "tool_response": "text"}),
        json!({"timestamp": both, "hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "hello"}),
        json!({"timestamp": both, "hook_event_name": "SessionStart", "session_id": "s", "source": "new"}),
        json!({"timestamp": both, "hook_event_name": "Stop", "session_id": "s", "stop_hook_active": false}),
        json!({"timestamp": both, "hook_event_name": "SubagentStart", "session_id": "s", "agent_id": "a",
            "agent_type": "Plan"}),
        json!({"timestamp": both, "hook_event_name": "PreCompact", "trigger": "auto"}),
        json!({"hookEventName": "PreToolUse", "sessionId": "s", "timestamp": both, "tool_name": "read_file"}),
    ] {
        check(&payload, none, Some(Host::VsCode));
        check(&payload, Hints { vscode: true, ..none }, Some(Host::VsCode));
    }
    let prompt = json!({"hook_event_name": "UserPromptSubmit", "session_id": "s", "timestamp": both,
        "cwd": "/w", "prompt": "hello"});
    check(&prompt, none, Some(Host::CopilotCli));
    check(&prompt, Hints { copilot_cli: true, ..none }, Some(Host::CopilotCli));
    check(&prompt, Hints { vscode: true, ..none }, Some(Host::VsCode));
}

#[test]
fn all_events_of_a_session_agree_on_their_host() {
    let dated = |extra: Value| {
        let mut payload =
            json!({"hook_event_name": "PreToolUse", "session_id": "s", "timestamp": "2026-11-15T18:20:52Z"});
        payload.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        payload
    };
    // A payload that VS Code's Agent Host may send, if it imitates Copilot.
    let events = [
        dated(json!({"tool_name": "Bash", "tool_input": {"command": "ls"}})),
        dated(json!({"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_result": {}})),
        dated(json!({"hook_event_name": "UserPromptSubmit", "prompt": "hello"})),
        dated(json!({"hook_event_name": "Stop"})),
    ];
    for payload in &events {
        check(payload, Hints::default(), Some(Host::CopilotCli));
        check(payload, Hints { copilot_cli: true, ..Hints::default() }, Some(Host::CopilotCli));
        check(payload, Hints { vscode: true, ..Hints::default() }, Some(Host::VsCode));
    }
}

#[test]
fn the_agent_host_of_vs_code_speaks_copilots_camel_case() {
    let payload = json!({"sessionId": "s", "timestamp": 1_794_767_751_481_u64, "workingDirectory": "/w",
        "toolName": "bash", "toolArgs": "{\"command\":\"ls\"}"});
    check(&payload, Hints::default(), Some(Host::CopilotCli));
    check(&payload, Hints { vscode: true, ..Hints::default() }, Some(Host::VsCode));
}

#[test]
fn cursor_is_recognised_by_its_conversation() {
    let payload = json!({"conversation_id": "c", "generation_id": "g", "hook_event_name": "preToolUse",
        "cursor_version": "2.4", "workspace_roots": ["/w"], "tool_name": "Shell", "tool_input": {"command": "ls"}});
    check(&payload, Hints { claude_code: true, ..Hints::default() }, Some(Host::Cursor));
}

#[test]
fn a_payload_written_by_hand_goes_by_its_tool_and_then_to_claude() {
    let none = Hints::default();
    let of = |tool: &str| json!({"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": tool});
    check(&of("Bash"), none, Some(Host::ClaudeCode));
    check(&of("run_in_terminal"), none, Some(Host::VsCode));
    check(&of("run_shell_command"), none, Some(Host::Qwen));
    check(&of("whatever"), none, Some(Host::ClaudeCode));
    check(&of("Bash"), Hints { codex: true, ..none }, Some(Host::Codex));
}

#[test]
fn programs_we_do_not_speak_to_are_nobody() {
    let hints = Hints { claude_code: true, ..Hints::default() };
    check(&json!({"agent_action_name": "pre_write_code", "trajectory_id": "t"}), hints, None);
    check(&json!({"hookName": "PreToolUse", "taskId": "t", "clineVersion": "3"}), hints, None);
    check(&json!({"event": "PreToolUse", "matcher_context": "x", "session_id": "s"}), hints, None);
    let kiro = json!({"hook_event_name": "preToolUse", "cwd": "/w", "tool_name": "fs_write"});
    check(&kiro, Hints::default(), None);
}

#[test]
fn a_payload_that_says_nothing_leaves_it_to_the_environment() {
    for payload in [json!({}), json!(null), json!([1]), json!("text"), json!({"hook_event_name": 7})] {
        check(&payload, Hints::default(), None);
        check(&payload, Hints { gemini_session: true, ..Hints::default() }, Some(Host::Gemini));
    }
}
