//! An ask that the host cannot carry out is a deny, until the user permits exactly that call.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use testkit::Sandbox;
use testkit::payload::recorded;

use crate::js;

const ASK: (&str, &str) =
    ("careful", "return { decision: 'ask', reason: 'Use the staging server instead.' }");

/// A shell call on each host, and the place of the decision in its answer.
fn shell_calls(sandbox: &Sandbox) -> Vec<(&'static str, Value, &'static str)> {
    let root = sandbox.root();
    let of = |folder: &str, name: &str| recorded(folder, name, &root).payload;
    let nested = "/hookSpecificOutput/permissionDecision";
    let vscode = json!({
        "timestamp": "2026-11-15T18:36:16.937Z", "cwd": root, "session_id": "v", "hook_event_name": "PreToolUse",
        "tool_name": "run_in_terminal", "tool_use_id": "c1", "tool_input": {"command": "deploy"},
    });
    let cursor = |event: &str| {
        json!({
            "conversation_id": "c", "generation_id": "g", "hook_event_name": event, "cursor_version": "2.0",
            "workspace_roots": [root], "tool_name": "Shell", "tool_use_id": "c1", "cwd": root,
            "command": "deploy", "tool_input": {"command": "deploy"},
        })
    };
    vec![
        ("claude-code", of("claude", "PreToolUse_Bash"), nested),
        ("vscode", vscode, nested),
        ("copilot-cli", of("copilot", "preToolUse_bash"), "/permissionDecision"),
        ("copilot-cli", of("copilot", "PreToolUse_Bash"), "/permissionDecision"),
        ("codex", of("codex", "PreToolUse_Bash"), nested),
        ("gemini", of("gemini", "BeforeTool_run_shell_command"), "/decision"),
        ("cursor", cursor("preToolUse"), "/permission"),
        ("cursor", cursor("beforeShellExecution"), "/permission"),
        ("qwen", of("qwen", "PreToolUse_run_shell_command"), nested),
        ("raw", testkit::payload::raw("PreToolUse", &root, &crate::shell("c1", "deploy")), "/decision"),
    ]
}

fn decisions(sandbox: &Sandbox) -> Vec<(&'static str, Option<String>)> {
    let calls = shell_calls(sandbox);
    let decide = |(host, payload, at): &(&'static str, Value, &str)| {
        let answer = sandbox.ask(host, "PreToolUse", payload);
        (*host, answer.pointer(at).and_then(Value::as_str).map(str::to_owned))
    };
    calls.iter().map(decide).collect()
}

#[test]
fn hosts_that_can_ask_do_and_the_others_refuse() {
    let sandbox = js::sandbox(&[ASK], json!({}));
    let said: Vec<_> =
        decisions(&sandbox).into_iter().map(|(host, said)| (host, said.unwrap_or_default())).collect();
    let said: Vec<_> = said.iter().map(|(host, said)| (*host, said.as_str())).collect();
    for host in host::Host::ALL {
        assert!(said.iter().any(|(name, _)| *name == host.name()), "{host} has no shell call");
    }
    assert_eq!(
        said,
        [
            ("claude-code", "ask"),
            ("vscode", "ask"),
            ("copilot-cli", "ask"),
            ("copilot-cli", "ask"),
            ("codex", "deny"),
            ("gemini", "deny"),
            ("cursor", "deny"),
            ("cursor", "ask"),
            ("qwen", "ask"),
            ("raw", "ask"),
        ]
    );
    sandbox.check_everything();
}

#[test]
fn the_manifest_may_let_such_a_call_pass_instead() {
    let sandbox = js::sandbox(&[ASK], json!({"askFallback": "abstain"}));
    for (host, said) in decisions(&sandbox) {
        let expected = if matches!(host, "codex" | "gemini") { None } else { Some("ask") };
        if host != "cursor" {
            assert_eq!(said.as_deref(), expected, "{host}");
        }
    }
}

fn codex_call(sandbox: &Sandbox, id: &str, command: &str) -> Value {
    let mut payload = recorded("codex", "PreToolUse_Bash", &sandbox.root()).payload;
    payload["tool_use_id"] = json!(id);
    payload["tool_input"]["command"] = json!(command);
    sandbox.ask("codex", "PreToolUse", &payload)["hookSpecificOutput"]["permissionDecision"].clone()
}

/// Permits the last asked call.
fn permit_the_last(sandbox: &Sandbox) -> PathBuf {
    let session = sandbox.session();
    let run = session.last_run();
    let (id, key) = (run["hookRunId"].as_str().unwrap(), run["data"]["inputHash"].as_str().unwrap());
    let allowed = sandbox.call().args(["session", "allow", id]).run();
    assert_eq!(allowed.code, Some(0), "{}", String::from_utf8_lossy(&allowed.stderr));
    session.root.join("session/allowed").join(key)
}

#[test]
fn the_refusal_says_how_a_person_can_permit_the_call() {
    let sandbox = js::sandbox(&[ASK], json!({}));
    assert_eq!(codex_call(&sandbox, "c1", "deploy"), "deny");
    let run = sandbox.session().last_run();
    let reason = run["data"]["reason"].as_str().unwrap();
    assert!(reason.contains("staging server"), "{reason}");
    let hint = format!("steersman session allow {}", run["hookRunId"].as_str().unwrap());
    assert!(reason.contains(&hint), "{reason}");
}

#[test]
fn a_permission_is_for_exactly_that_call_and_is_used_up_by_it() {
    let sandbox = js::sandbox(&[ASK], json!({}));
    assert_eq!(codex_call(&sandbox, "c1", "deploy"), "deny");
    let file = permit_the_last(&sandbox);
    assert_eq!(codex_call(&sandbox, "c2", "deploy --production"), "deny", "another call");
    assert_eq!(codex_call(&sandbox, "c3", "deploy"), Value::Null, "the permitted call");
    assert_eq!(codex_call(&sandbox, "c4", "deploy"), "deny", "the permission is used up");
    fs::write(file, "").unwrap();
    assert_eq!(codex_call(&sandbox, "c5", "deploy"), "deny", "an agent created its file again");
    sandbox.check_everything();
}

#[test]
fn a_permission_that_a_script_wrote_into_the_session_is_forged() {
    let sandbox = js::sandbox(&[ASK], json!({}));
    assert_eq!(codex_call(&sandbox, "c1", "deploy"), "deny");
    let file = permit_the_last(&sandbox);
    assert_eq!(codex_call(&sandbox, "c2", "deploy"), Value::Null);
    let journal = sandbox.session().root.join("events.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let line = text.lines().find(|line| line.contains("CALL_ALLOWED")).unwrap().to_owned();
    for id in ["c3", "c4"] {
        fs::write(&file, "").unwrap();
        let text = fs::read_to_string(&journal).unwrap();
        fs::write(&journal, format!("{text}{line}\n")).unwrap();
        assert_eq!(codex_call(&sandbox, id, "deploy"), "deny", "no person's command recorded it");
    }
    let forged = sandbox.session().events_of("FORGED");
    assert_eq!(forged.len(), 1, "{forged:?}");
    assert_eq!(forged[0]["data"]["what"], "session/allowed");
}

#[test]
fn a_permission_does_not_wait_longer_than_ten_minutes() {
    let sandbox = js::sandbox(&[ASK], json!({}));
    assert_eq!(codex_call(&sandbox, "c1", "deploy"), "deny");
    permit_the_last(&sandbox);
    let journal = sandbox.session().root.join("events.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let line = text.lines().find(|line| line.contains("CALL_ALLOWED")).unwrap();
    let ts = serde_json::from_str::<Value>(line).unwrap()["ts"].as_u64().unwrap();
    let old = line.replace(&ts.to_string(), &(ts - 11 * 60 * 1000).to_string());
    fs::write(&journal, text.replace(line, &old)).unwrap();
    assert_eq!(codex_call(&sandbox, "c2", "deploy"), "deny");
}
