//! Tests of payloads that cannot be parsed, and of odd ones that can.

use event::{Detail, EventName, Outcome};
use expect_test::{Expect, expect};
use host::{Host, ParsedEvent, parse};
use serde_json::{Value, json};

fn check(host: Host, argv_event: Option<&str>, payload: &Value, expected: &Expect) {
    let told = match parse(host, argv_event, payload) {
        Ok(received) => format!(
            "Ok({})",
            match received.event {
                ParsedEvent::Event(event) => event.name().to_string(),
                ParsedEvent::Permission(_) => "permission".to_owned(),
                ParsedEvent::OutsideContract { name } => format!("not ours: {name}"),
            }
        ),
        Err(error) => format!("Err({error:?})"),
    };
    expected.assert_eq(&told);
}

#[test]
fn an_event_we_do_not_know_is_an_error_not_an_allow() {
    let payload = json!({"hook_event_name": "Tomorrow"});
    check(Host::ClaudeCode, None, &payload, &expect![[r#"Err(UnknownEvent("Tomorrow"))"#]]);
    check(Host::ClaudeCode, Some("PreToolUse"), &payload, &expect![[r#"Err(UnknownEvent("Tomorrow"))"#]]);
    check(Host::CopilotCli, Some("tomorrow"), &json!({}), &expect![[r#"Err(UnknownEvent("tomorrow"))"#]]);
    check(Host::Raw, None, &json!({"tool_name": "x"}), &expect!["Err(NoEvent)"]);
}

#[test]
fn what_is_no_object_says_nothing() {
    for (payload, expected) in [
        (json!(null), expect![[r#"Err(NotAnObject("null"))"#]]),
        (json!([]), expect![[r#"Err(NotAnObject("an array"))"#]]),
        (json!("{}"), expect![[r#"Err(NotAnObject("a string"))"#]]),
        (json!(3), expect![[r#"Err(NotAnObject("a number"))"#]]),
    ] {
        check(Host::ClaudeCode, Some("PreToolUse"), &payload, &expected);
    }
}

#[test]
fn a_tool_event_without_a_tool_is_an_error() {
    let missing = expect![[r#"Err(Missing { event: PreToolUse, field: "tool_name" })"#]];
    for tool in [json!(null), json!(5), json!(""), json!({"a": 1})] {
        let payload = json!({"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": {}});
        check(Host::ClaudeCode, None, &payload, &missing);
    }
    check(
        Host::Cursor,
        None,
        &json!({"hook_event_name": "beforeShellExecution", "conversation_id": "c"}),
        &expect![[r#"Err(Missing { event: PreToolUse, field: "command" })"#]],
    );
    check(
        Host::Cursor,
        None,
        &json!({"hook_event_name": "beforeReadFile", "file_path": null}),
        &expect![[r#"Err(Missing { event: PreToolUse, field: "file_path" })"#]],
    );
}

#[test]
fn the_payloads_own_name_wins_over_the_command_line() {
    let payload = json!({"hook_event_name": "PostToolUse", "tool_name": "Bash"});
    check(Host::ClaudeCode, Some("PreToolUse"), &payload, &expect!["Ok(PostToolUse)"]);
    // A name that is not a string is ignored.
    let payload = json!({"hook_event_name": 7, "tool_name": "Bash"});
    check(Host::ClaudeCode, Some("PreToolUse"), &payload, &expect!["Ok(PreToolUse)"]);
}

#[test]
fn the_command_line_may_use_any_hosts_spelling() {
    let payload =
        json!({"sessionId": "s", "timestamp": 1, "toolName": "bash", "toolArgs": {"command": "ls"}});
    for name in ["PreToolUse", "preToolUse", "BeforeTool"] {
        check(Host::CopilotCli, Some(name), &payload, &expect!["Ok(PreToolUse)"]);
    }
    check(Host::CopilotCli, Some("SessionEnd"), &payload, &expect!["Ok(not ours: SessionEnd)"]);
    check(Host::CopilotCli, Some("sessionEnd"), &payload, &expect!["Ok(not ours: sessionEnd)"]);
}

#[test]
fn wrong_types_are_forgiven_where_that_is_harmless() {
    let payload = json!({"hook_event_name": "Stop", "session_id": 42, "cwd": null, "stop_hook_active": "true",
        "last_assistant_message": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}],
        "model": {"name": "m"}, "agent_id": []});
    let received = parse(Host::ClaudeCode, None, &payload).unwrap();
    let ParsedEvent::Event(event) = received.event else { panic!("not ours") };
    assert_eq!(event.session.as_deref(), Some("42"));
    assert_eq!((event.cwd, event.model, event.agent), (None, None, None));
    assert_eq!(event.detail, Detail::Stop { kept_going: true, message: Some("one\ntwo".into()) });
}

/// Returns the error of a call, or an empty string if it succeeded.
fn failure(host: Host, argv_event: &str, payload: &Value) -> String {
    let ParsedEvent::Event(event) = parse(host, Some(argv_event), payload).unwrap().event else {
        panic!("not ours")
    };
    assert_eq!(event.name(), EventName::PostToolUse);
    match event.detail {
        Detail::PostToolUse { outcome: Outcome::Failed { error, .. }, .. } => error,
        _ => String::new(),
    }
}

#[test]
fn every_hosts_way_to_say_that_a_tool_failed_is_understood() {
    let gemini = json!({"hook_event_name": "AfterTool", "tool_name": "write_file",
        "tool_response": {"llmContent": "x", "error": {"message": "disk full", "type": "write_error"}}});
    assert_eq!(failure(Host::Gemini, "PostToolUse", &gemini), "disk full");
    let copilot = json!({"sessionId": "s", "toolName": "bash",
        "toolResult": {"resultType": "failure", "textResultForLlm": "exit 1"}});
    assert_eq!(failure(Host::CopilotCli, "PostToolUse", &copilot), "exit 1");
    let pascal = json!({"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_result": {"result_type": "denied"}});
    assert_eq!(failure(Host::CopilotCli, "PostToolUse", &pascal), "denied");
    let camel = json!({"sessionId": "s", "toolName": "bash", "error": "exit 2"});
    assert_eq!(failure(Host::CopilotCli, "postToolUseFailure", &camel), "exit 2");
    let cursor =
        json!({"hook_event_name": "postToolUseFailure", "tool_name": "Shell", "error_message": "timeout"});
    assert_eq!(failure(Host::Cursor, "PostToolUse", &cursor), "timeout");
    let nothing = json!({"hook_event_name": "PostToolUseFailure", "tool_name": "Bash"});
    assert_eq!(failure(Host::ClaudeCode, "PostToolUse", &nothing), "the host reports no reason");
    let fine = json!({"hook_event_name": "PostToolUse", "tool_name": "Bash",
        "tool_response": {"stdout": "error", "error": null}});
    assert_eq!(failure(Host::ClaudeCode, "PostToolUse", &fine), "");
}
