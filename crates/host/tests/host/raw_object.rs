//! Tests of the contract's own format, input and output.

use event::{Agent, ContextNote, Decision, Detail, Event, Outcome, Verdict};
use host::raw::{RawDecisionWire, RawInputWire, RawOutputWire};
use host::{Host, ParsedEvent, parse, render};
use serde_json::{Value, json};

#[test]
fn both_spellings_of_a_raw_payload_mean_the_same() {
    let snake = json!({"hook_event_name": "PostToolUse", "session_id": "s", "cwd": "/w", "transcript_path": "/t",
        "permission_mode": "plan", "agent_id": "a", "agent_type": "t", "tool_name": "create_file",
        "tool_input": {"filePath": "a"}, "tool_use_id": "i", "tool_response": "ok"});
    let camel = json!({"hookEventName": "PostToolUse", "sessionId": "s", "cwd": "/w", "transcriptPath": "/t",
        "permissionMode": "plan", "agentId": "a", "agentType": "t", "toolName": "create_file",
        "toolInput": {"filePath": "a"}, "toolUseId": "i", "toolResponse": "ok"});
    assert_eq!(parse(Host::Raw, None, &snake).unwrap(), parse(Host::Raw, None, &camel).unwrap());
}

#[test]
fn a_raw_answer_always_decides() {
    let target = parse(Host::Raw, Some("PreToolUse"), &json!({"tool_name": "x"})).unwrap().target;
    assert_eq!(render(&target, &Verdict::silence()).stdout, r#"{"decision":"allow"}"#);
    let denied = Verdict {
        decision: Decision::Deny { reason: "no".into() },
        context: vec![ContextNote { key: "k".into(), value: "v".into() }],
        ..Verdict::silence()
    };
    let answer: Value = serde_json::from_str(&render(&target, &denied).stdout).unwrap();
    assert_eq!(
        answer,
        json!({"decision": "deny", "reason": "no", "denyReason": "no",
            "additionalContext": [{"key": "k", "value": "v"}]})
    );
    assert_eq!(RawOutputWire::from(&denied).decision, RawDecisionWire::Deny);
}

#[test]
fn every_field_of_the_input_schema_is_read() {
    let text = |text: &str| Some(String::from(text));
    let sent = RawInputWire {
        session_id: text("s"),
        cwd: text("/w"),
        transcript_path: text("/t"),
        timestamp: text("2026-11-15T18:20:52Z"),
        model: text("m"),
        permission_mode: text("plan"),
        agent_id: text("a"),
        agent_type: text("role"),
        source: text("startup"),
        prompt: text("hello"),
        tool_name: text("create_file"),
        tool_input: Some(json!({"filePath": "a"})),
        tool_use_id: text("i"),
        trigger: text("auto"),
        custom_instructions: text("keep"),
        stop_hook_active: Some(true),
        last_assistant_message: text("done"),
        ..RawInputWire::default()
    };
    let heard = |sent: &RawInputWire, name: &str| -> Event {
        let sent = RawInputWire { hook_event_name: Some(name.into()), ..sent.clone() };
        match parse(Host::Raw, None, &serde_json::to_value(sent).unwrap()).unwrap().event {
            ParsedEvent::Event(event) => event,
            ParsedEvent::Permission(_) => panic!("not an event of the contract"),
            ParsedEvent::OutsideContract { name } => panic!("{name} is not ours"),
        }
    };
    let event = heard(&sent, "Stop");
    assert_eq!(
        event,
        Event {
            session: text("s"),
            cwd: text("/w"),
            transcript: text("/t"),
            agent: Some(Agent { id: text("a"), kind: text("role") }),
            model: text("m"),
            permission_mode: text("plan"),
            prompt_id: None,
            timestamp: sent.timestamp.clone(),
            detail: Detail::Stop { kept_going: true, message: text("done") },
        }
    );
    assert_eq!(heard(&sent, "SessionStart").detail, Detail::SessionStart { source: text("startup") });
    assert_eq!(heard(&sent, "UserPromptSubmit").detail, Detail::UserPromptSubmit { prompt: "hello".into() });
    assert_eq!(
        heard(&sent, "PreCompact").detail,
        Detail::PreCompact { trigger: text("auto"), instructions: text("keep") }
    );
    let call = heard(&sent, "PreToolUse").call().cloned().unwrap();
    assert_eq!((call.id, call.name, call.input), (text("i"), "create_file".into(), json!({"filePath": "a"})));
    let answered = RawInputWire { tool_response: Some(json!("ok")), ..sent.clone() };
    let failed = RawInputWire { error: text("no"), ..sent };
    for (sent, expected) in [
        (answered, Outcome::Done { response: json!("ok") }),
        (failed, Outcome::Failed { error: "no".into(), response: None }),
    ] {
        let Detail::PostToolUse { outcome, .. } = heard(&sent, "PostToolUse").detail else {
            panic!("no outcome")
        };
        assert_eq!(outcome, expected);
    }
}

#[cfg(feature = "schema")]
#[test]
fn the_schemas_carry_the_names_of_the_contract() {
    let output = schemars::schema_for!(RawOutputWire);
    assert_eq!(output.get("title"), Some(&json!("hook-output")));
    assert_eq!(output.get("required"), Some(&json!(["decision"])));
    let input = schemars::schema_for!(RawInputWire);
    assert_eq!(input.get("title"), Some(&json!("hook-input")));
    assert!(input.get("properties").and_then(|fields| fields.get("tool_name")).is_some());
}
