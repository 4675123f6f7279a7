//! Every file below the state folders has a schema and conforms to it.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::sandbox;

const INTENTS: &str = "intents:
  - id: INT-001
    name: All
    status: IN_PROGRESS
    owned_scope: [src/**, docs/*.md]
    constraints: [none]
    acceptance_criteria: [it works]
    metadata: {ticket: 7, of: [a, b]}
  - id: INT-2
    name: Other
    status: PENDING
    owned_scope: [lib/**]
";

const AGENT: &str = "---
name: careful
description: Looks twice
tools: {allowed: [read_file], blocked: [bash]}
---
Look twice.
";

fn send(sandbox: &Sandbox, event: &str, more: &Value) -> Value {
    let mut payload = json!({"session_id": "s", "cwd": sandbox.root(), "hook_event_name": event});
    payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    sandbox.ask("claude-code", event, &payload)
}

fn run(sandbox: &Sandbox, args: &[&str]) {
    let done = sandbox.call().args(args).run();
    assert_eq!(done.code, Some(0), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// Makes a project with intents, an agent and a script.
fn prepare(sandbox: &Sandbox) {
    sandbox.write(".orchestration/active_intents.yaml", INTENTS);
    sandbox.write(".rawko/agents/careful.md", AGENT);
    sandbox.write("src/old.txt", "old\n");
    sandbox.module("mine", "export default { name: 'mine', supports: ['PreToolUse'], run: () => ({}) }\n");
    run(sandbox, &["trust"]);
    run(sandbox, &["intent", "select", "INT-001"]);
    run(sandbox, &["agent", "list"]);
}

/// Sends the events of a session: prompts, files, a denial, a subagent.
fn work(sandbox: &Sandbox) {
    send(sandbox, "SessionStart", &json!({"source": "startup"}));
    send(sandbox, "UserPromptSubmit", &json!({"prompt": "make it work"}));
    let file = |path: &str| sandbox.path(path).display().to_string();
    let calls = [
        ("Read", json!({"file_path": file("src/old.txt")})),
        ("Write", json!({"file_path": file("src/new.txt"), "content": "new\n"})),
        ("Write", json!({"file_path": file("lib/no.txt"), "content": "no\n"})),
        ("Bash", json!({"command": "make"})),
        ("mcp__steersman__select_active_intent", json!({"intent_id": "INT-001"})),
    ];
    for (n, (tool, input)) in calls.iter().enumerate() {
        let call = json!({"tool_name": tool, "tool_use_id": format!("t{n}"), "tool_input": input,
            "tool_response": {}});
        let answer = send(sandbox, "PreToolUse", &call);
        if answer["hookSpecificOutput"]["permissionDecision"] != "deny" && *tool != "Bash" {
            if *tool == "Write" {
                sandbox.write("src/new.txt", "new\n");
            }
            send(sandbox, "PostToolUse", &call);
        }
    }
    let asked = json!({"agent_id": "a-1", "agent_type": "careful", "tool_name": "Bash",
        "tool_use_id": "t9", "tool_input": {"command": "ls"}});
    send(sandbox, "PreToolUse", &asked);
    send(sandbox, "Stop", &json!({"stop_hook_active": false}));
}

#[test]
fn every_file_of_the_state_folders_is_known_and_as_its_schema_says() {
    let sandbox = sandbox();
    prepare(&sandbox);
    work(&sandbox);
    let unknown = testkit::state_files::check(&sandbox.path(".ai/tmp"), &sandbox.user_state());
    assert_eq!(unknown, [""; 0]);
    let kept = sandbox.user_state().join("intents");
    assert!(fs::read_dir(kept).unwrap().next().is_some(), "intents are kept");
}

#[test]
fn events_write_nothing_outside_of_the_state_folders_and_the_trace() {
    let sandbox = sandbox();
    prepare(&sandbox);
    let before = sandbox.tree();
    work(&sandbox);
    // The other test knows the files of the state folders.
    let mut written = sandbox.strays_since(&before);
    written.retain(|path| !path.starts_with("repo/.ai/tmp") && !path.starts_with("home/state"));
    // The agent's own write.
    assert_eq!(written, [PathBuf::from("repo/src/new.txt")]);
}
