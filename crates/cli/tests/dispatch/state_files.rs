//! Every file below the state folders has a schema and conforms to it.

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

/// Works with intents, agents, prompts, files, a denial and a script of the project.
fn work(sandbox: &Sandbox) {
    sandbox.write(".orchestration/active_intents.yaml", INTENTS);
    sandbox.write(".rawko/agents/careful.md", AGENT);
    sandbox.write("src/old.txt", "old\n");
    sandbox.module("mine", "export default { name: 'mine', supports: ['PreToolUse'], run: () => ({}) }\n");
    run(sandbox, &["trust"]);
    run(sandbox, &["intent", "select", "INT-001"]);
    run(sandbox, &["agent", "list"]);
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
    work(&sandbox);
    let unknown = testkit::state_files::check(&sandbox.path(".ai/tmp"), &sandbox.user_state());
    assert_eq!(unknown, [""; 0]);
    let kept = sandbox.user_state().join("intents");
    assert!(std::fs::read_dir(kept).unwrap().next().is_some(), "intents are kept");
}
