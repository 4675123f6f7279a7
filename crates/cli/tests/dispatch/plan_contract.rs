//! `plan-subagent-contract`: a planning agent gets a folder for its plan, and must correct it until it is
//! valid.

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::sandbox_with;

const GRAPH: &str = r#"{"version": 1, "nodes": [{"id": "a", "description": "x", "scope": "src/**"}]}"#;

fn sandbox() -> Sandbox {
    sandbox_with(json!({"modules": {"plan-subagent-contract": {}}}))
}

fn event(sandbox: &Sandbox, name: &str, more: Value) -> Value {
    let mut payload = json!({
        "hook_event_name": name, "session_id": "s", "cwd": sandbox.root(), "agent_id": "host-7", "agent_type": "Plan",
    });
    if let (Value::Object(payload), Value::Object(more)) = (&mut payload, more) {
        payload.extend(more);
    }
    payload
}

/// Starts a planning agent and returns the folder for its plan, relative to the workspace.
fn start(sandbox: &Sandbox, host: &str) -> String {
    let answer = sandbox.ask(host, "SubagentStart", &event(sandbox, "SubagentStart", json!({})));
    let told = answer.to_string();
    let id = sandbox.session().id.clone();
    let folder = format!(".ai/tmp/{id}/plan-subagent-contract/output/sa/Plan/a01");
    assert!(told.contains(&format!("{folder}/planGraph.json")), "{told}");
    assert!(told.contains(&format!("{folder}/manifest.json")), "{told}");
    folder
}

fn stop(sandbox: &Sandbox, host: &str) -> Value {
    sandbox.ask(host, "SubagentStop", &event(sandbox, "SubagentStop", json!({"stop_hook_active": false})))
}

fn manifest() -> Value {
    let manifest = json!({"version": 1, "agentId": "a01", "planGraph": "planGraph.json", "createdTs": 1, "summary": "s"});
    testkit::schema::check("plan-manifest", &manifest);
    manifest
}

#[test]
fn a_right_plan_is_registered_and_put_in_force() {
    for host in ["claude-code", "vscode", "codex"] {
        let sandbox = sandbox();
        let folder = start(&sandbox, host);
        sandbox.write(format!("{folder}/planGraph.json"), GRAPH);
        sandbox.write(format!("{folder}/manifest.json"), manifest().to_string());
        let answer = stop(&sandbox, host);
        assert!(!answer.to_string().contains("block"), "{host}: {answer}");
        let session = sandbox.session();
        let state = session.state();
        assert_eq!(state["plan"]["currentPath"], format!("{folder}/planGraph.json"), "{host}");
        assert_eq!(state["core"]["phase"], "EXECUTING", "{host}");
        assert!(state["plan"]["hash"].is_string() && state["plan"]["mtime"].is_u64(), "{state}");
        let kinds: Vec<Value> = session.registry().iter().map(|line| line["kind"].clone()).collect();
        assert_eq!(kinds, ["planGraph", "planManifest"], "{host}");
        assert_eq!(session.events_of("PLAN_ACCEPTED").len(), 1, "{host}");
        assert!(sandbox.path(format!("{folder}/contract.md")).is_file(), "the rules lie beside the plan");
        sandbox.check_everything();
    }
}

#[test]
fn a_plan_is_found_on_a_host_that_names_its_agent_only_when_it_ends() {
    let sandbox = sandbox();
    let root = sandbox.root();
    let about = |more: Value| {
        let mut payload = json!({"sessionId": "s", "cwd": root, "timestamp": 1});
        if let (Value::Object(payload), Value::Object(more)) = (&mut payload, more) {
            payload.extend(more);
        }
        payload
    };
    let started = about(json!({"agentName": "planner", "transcriptPath": "t"}));
    let told = sandbox.ask("copilot-cli", "subagentStart", &started);
    let told = told["additionalContext"].as_str().unwrap().to_owned();
    let folder = format!(".ai/tmp/{}/plan-subagent-contract/output/sa/planner/a01", sandbox.session().id);
    assert!(told.contains(&format!("{folder}/planGraph.json")), "{told}");
    let stopped = about(json!({
        "agentId": "call_77", "agentType": "planner", "agentName": "planner", "transcriptPath": "t", "stopReason": "end_turn",
    }));
    let answer = sandbox.ask("copilot-cli", "subagentStop", &stopped);
    assert_eq!(answer["decision"], "block", "{answer}");
    assert!(
        answer["reason"].as_str().unwrap().contains(&format!("{folder}/planGraph.json` does not exist")),
        "{answer}"
    );

    // Written as the agent would write it, with its calls judged as well.
    for (name, text) in [("planGraph.json", GRAPH.to_owned()), ("manifest.json", manifest().to_string())] {
        let path = root.join(&folder).join(name);
        let args = json!({"path": path, "file_text": text}).to_string();
        let call = about(json!({"toolName": "create", "toolArgs": args}));
        assert_eq!(sandbox.ask("copilot-cli", "preToolUse", &call), json!({}), "{name}");
        sandbox.write(format!("{folder}/{name}"), text);
    }
    let answer = sandbox.ask("copilot-cli", "subagentStop", &stopped);
    assert_ne!(answer["decision"], "block", "{answer}");
    let state = sandbox.session().state();
    assert_eq!(state["plan"]["currentPath"], format!("{folder}/planGraph.json"), "{state}");
    assert_eq!(state["plan"]["agentId"], "a01", "{state}");
    sandbox.check_everything();
}

#[test]
fn a_plan_can_be_submitted_where_phases_and_intents_are_enforced() {
    let manifest_of_hooks = json!({"modules": {"plan-subagent-contract": {}}, "enforcePhases": true});
    let sandbox = sandbox_with(manifest_of_hooks);
    sandbox.write(".orchestration/active_intents.yaml", "active_intents:\n  - id: INT-1\n    name: x\n    status: IN_PROGRESS\n    owned_scope: [\"src/**\"]\n");
    let ask = |event: &str, payload: Value| sandbox.ask("claude-code", event, &payload);
    ask(
        "UserPromptSubmit",
        json!({"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": sandbox.root(), "prompt": "go"}),
    );
    let folder = start(&sandbox, "claude-code");
    let call = |tool: &str, input: Value| {
        let mut payload = event(&sandbox, "PreToolUse", json!({"tool_name": tool, "tool_input": input}));
        payload["permission_mode"] = json!("default");
        ask("PreToolUse", payload)
    };
    let path = sandbox.path(&folder);
    let denied = |answer: &Value| answer["hookSpecificOutput"]["permissionDecision"] == "deny";
    let answer = call("Write", json!({"file_path": path.join("planGraph.json"), "content": GRAPH}));
    assert!(!denied(&answer), "{answer}");
    let line = format!("cat > {}/manifest.json <<'EOF'\n{}\nEOF", path.display(), manifest());
    let answer = call("Bash", json!({"command": line}));
    assert!(!denied(&answer), "{answer}");
    for (tool, input) in [
        ("Write", json!({"file_path": "src/a.rs", "content": "x"})),
        ("Write", json!({"file_path": format!("{folder}/../../../../state.json"), "content": "x"})),
        ("Bash", json!({"command": format!("ln -s ../../../../../../../src {folder}/way")})),
    ] {
        let answer = call(tool, input.clone());
        assert!(denied(&answer), "{input}: {answer}");
    }
    // An existing link is no way around.
    std::fs::create_dir_all(sandbox.path("src")).unwrap();
    std::os::unix::fs::symlink(sandbox.path("src"), path.join("way")).unwrap();
    let answer = call("Write", json!({"file_path": path.join("way/a.rs"), "content": "x"}));
    assert!(denied(&answer), "{answer}");

    sandbox.write(format!("{folder}/planGraph.json"), GRAPH);
    sandbox.write(format!("{folder}/manifest.json"), manifest().to_string());
    stop(&sandbox, "claude-code");
    assert_eq!(sandbox.session().core("phase"), "EXECUTING");
    sandbox.check_everything();
}

#[test]
fn a_new_piece_of_work_begins_without_the_last_ones_plan() {
    let sandbox = sandbox();
    let about = |name: &str, more: Value| {
        let mut payload = json!({"hook_event_name": name, "session_id": "s", "cwd": sandbox.root()});
        if let (Value::Object(payload), Value::Object(more)) = (&mut payload, more) {
            payload.extend(more);
        }
        sandbox.ask("claude-code", name, &payload)
    };
    about("UserPromptSubmit", json!({"prompt": "one"}));
    let folder = start(&sandbox, "claude-code");
    sandbox.write(format!("{folder}/planGraph.json"), GRAPH);
    sandbox.write(format!("{folder}/manifest.json"), manifest().to_string());
    stop(&sandbox, "claude-code");
    let marked = sandbox.call().args(["plan", "mark", "a", "complete", "--json"]).run();
    let marked: Value = serde_json::from_slice(&marked.stdout).unwrap();
    assert_eq!((&marked["from"], &marked["to"]), (&json!("pending"), &json!("complete")), "{marked}");
    about("Stop", json!({"stop_hook_active": false}));
    assert_eq!(sandbox.session().core("phase"), "COMPLETE");
    about("UserPromptSubmit", json!({"prompt": "two"}));
    let state = sandbox.session().state();
    assert_eq!(
        (&state["core"]["workId"], &state["plan"]["currentPath"]),
        (&json!("w002"), &Value::Null),
        "{state}"
    );
    let shown = sandbox.call().args(["plan", "show"]).run();
    assert_eq!(shown.code, Some(1), "{shown:?}");
    sandbox.check_everything();
}

#[test]
fn an_accepted_plan_governs_the_calls_that_follow() {
    let sandbox = sandbox();
    let folder = start(&sandbox, "claude-code");
    let plan = r#"{"nodes": [{"id": "a", "description": "x", "scope": "src/**", "status": "forbidden"}]}"#;
    sandbox.write(format!("{folder}/planGraph.json"), plan);
    sandbox.write(format!("{folder}/manifest.json"), manifest().to_string());
    stop(&sandbox, "claude-code");
    let call = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": sandbox.root(),
        "tool_name": "Write", "tool_input": {"file_path": "src/a.rs", "content": "x"},
    });
    let answer = sandbox.ask("claude-code", "PreToolUse", &call);
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny", "{answer}");
}

#[test]
fn a_wrong_plan_is_given_back_with_everything_that_is_wrong_a_few_times() {
    let sandbox = sandbox();
    let folder = start(&sandbox, "claude-code");
    let answer = stop(&sandbox, "claude-code");
    assert_eq!(answer["decision"], "block", "{answer}");
    let said = answer["reason"].as_str().unwrap();
    assert!(
        said.contains("planGraph.json` does not exist") && said.contains("manifest.json` does not exist"),
        "{said}"
    );

    let wrong = "{\"nodes\": [\n {\"id\": \"a\", \"description\": \"x\", \"dependencies\": [\"b\"]},\n {\"id\": \"b\", \"dependencies\": [\"a\", \"z\"]}\n]}";
    sandbox.write(format!("{folder}/planGraph.json"), wrong);
    let mut of_another = manifest();
    of_another["agentId"] = json!("a09");
    sandbox.write(format!("{folder}/manifest.json"), of_another.to_string());
    for _ in 0..2 {
        let answer = stop(&sandbox, "claude-code");
        assert_eq!(answer["decision"], "block", "{answer}");
        let said = answer["reason"].as_str().unwrap();
        for part in ["missing `description`", "unknown node `z`", "`a` → `b` → `a`", "line 3", "`a01`"] {
            assert!(said.contains(part), "{part}: {said}");
        }
    }
    let answer = stop(&sandbox, "claude-code");
    assert_ne!(answer["decision"], "block", "enough is enough: {answer}");
    assert!(answer["systemMessage"].as_str().unwrap().contains("not in force"), "{answer}");
    assert_eq!(sandbox.session().core("phase"), "BLOCKED");
    assert_eq!(sandbox.session().events_of("PLAN_REJECTED").len(), 4);

    // A corrected plan lifts the block.
    sandbox.write(format!("{folder}/planGraph.json"), GRAPH);
    sandbox.write(format!("{folder}/manifest.json"), manifest().to_string());
    stop(&sandbox, "claude-code");
    assert_eq!(sandbox.session().core("phase"), "EXECUTING");

    // The next plan has the full number of tries again.
    sandbox.write(format!("{folder}/planGraph.json"), wrong);
    assert_eq!(stop(&sandbox, "claude-code")["decision"], "block");
    sandbox.check_everything();
}

#[test]
fn other_agents_are_left_alone() {
    let sandbox = sandbox();
    let mut payload = event(&sandbox, "SubagentStart", json!({}));
    payload["agent_type"] = json!("Explore");
    assert_eq!(sandbox.ask("claude-code", "SubagentStart", &payload), json!({}));
    payload["hook_event_name"] = json!("SubagentStop");
    assert_eq!(sandbox.ask("claude-code", "SubagentStop", &payload), json!({}));
}

#[test]
fn settings_say_who_plans_and_how_often_it_may_try() {
    let sandbox = sandbox();
    sandbox.config(&json!({"plan-subagent-contract": {"agents": ["architect"], "maxRetries": 0}}));
    let mut payload = event(&sandbox, "SubagentStop", json!({"stop_hook_active": false}));
    assert_eq!(sandbox.ask("claude-code", "SubagentStop", &payload), json!({}));
    payload["agent_type"] = json!("Architect");
    let answer = sandbox.ask("claude-code", "SubagentStop", &payload);
    assert!(answer["systemMessage"].as_str().unwrap().contains("not in force"), "{answer}");
    sandbox.write(".ai/hooks/config.json", "{\"plan-subagent-contract\": {\"maxRetries\": -1}}");
    let answer = sandbox.ask("claude-code", "SubagentStop", &payload);
    assert!(answer["systemMessage"].as_str().unwrap().contains("line 1, column"), "{answer}");
}
