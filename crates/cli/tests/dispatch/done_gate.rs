//! `doneGate`: an agent is kept from stopping while an acceptance command fails.

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::sandbox_with;

/// A workspace whose intent is done when these commands exit with 0. The summary of the session is on.
fn gated(gate: &Value, commands: &[&str]) -> Sandbox {
    let sandbox = sandbox_with(json!({"modules": {"stop-synth": {"enabled": true}}}));
    sandbox.config(&json!({"doneGate": gate}));
    let criteria: Vec<Value> = commands.iter().map(|command| json!({"run": command})).collect();
    let criteria = [&[json!("a reader is happy")][..], &criteria].concat();
    let intents = json!({"intents": [{
        "id": "INT-001", "name": "cart", "status": "IN_PROGRESS", "owned_scope": ["src/**"],
        "acceptance_criteria": criteria,
    }]});
    sandbox.write(".orchestration/active_intents.yaml", intents.to_string());
    sandbox.write("src/cart.txt", "");
    let selected = sandbox.call().args(["intent", "select", "INT-001"]).run();
    assert_eq!(selected.code, Some(0), "{}", String::from_utf8_lossy(&selected.stderr));
    sandbox
}

fn send(sandbox: &Sandbox, event: &str, more: &Value) -> Value {
    let mut payload = json!({"session_id": "s", "cwd": sandbox.root(), "hook_event_name": event});
    payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let call = sandbox.dispatch("claude-code", event).args(["--timeout=600"]);
    call.payload(&payload).run().object()
}

fn stop(sandbox: &Sandbox) -> Value {
    send(sandbox, "Stop", &json!({"stop_hook_active": false}))
}

/// The agent writes a file of the scope.
fn write(sandbox: &Sandbox, id: &str, text: &str) {
    let input = json!({"file_path": sandbox.path("src/cart.txt"), "content": text});
    let call = json!({"tool_name": "Write", "tool_use_id": id, "tool_input": input});
    let decided = send(sandbox, "PreToolUse", &call);
    assert_ne!(decided["hookSpecificOutput"]["permissionDecision"], "deny", "{decided}");
    sandbox.write("src/cart.txt", text);
    send(sandbox, "PostToolUse", &call);
}

fn results(sandbox: &Sandbox) -> Vec<(bool, Vec<String>)> {
    let lines = sandbox.session().events_of("DONE_CHECKED");
    let result = |check: &Value| check["result"].as_str().unwrap().to_owned();
    lines
        .iter()
        .map(|line| {
            let checks = line["data"]["checks"].as_array().unwrap();
            (line["data"]["holds"] == true, checks.iter().map(result).collect())
        })
        .collect()
}

fn is_kept(answer: &Value) -> bool {
    answer["decision"] == "block"
}

#[cfg(target_os = "linux")]
#[test]
fn a_failing_command_is_the_reason_to_continue_once_per_failure_until_it_passes() {
    let sandbox =
        gated(&json!(true), &["grep -q total src/cart.txt || { echo no total >&2; exit 3; }", "true"]);
    sandbox.trust();
    send(&sandbox, "UserPromptSubmit", &json!({"prompt": "add the total"}));
    write(&sandbox, "w1", "nothing\n");
    let kept = stop(&sandbox);
    assert!(is_kept(&kept), "{kept}");
    let reason = kept["reason"].as_str().unwrap();
    for told in ["INT-001", "grep -q total src/cart.txt", "it exited with code 3", "no total"] {
        assert!(reason.contains(told), "{told}: {reason}");
    }
    assert!(!reason.contains("`true`"), "{reason}");
    // The same failure is not given twice, and nothing runs again before a file may have changed.
    assert!(!is_kept(&stop(&sandbox)));
    assert_eq!(results(&sandbox), [(false, vec!["failed".to_owned(), "passed".to_owned()])]);
    write(&sandbox, "w2", "still nothing\n");
    let again = stop(&sandbox);
    assert!(!is_kept(&again), "{again}");
    assert!(again["systemMessage"].as_str().unwrap().contains("still fails in the same way"), "{again}");
    // The next turn may try once more.
    send(&sandbox, "UserPromptSubmit", &json!({"prompt": "please"}));
    write(&sandbox, "w3", "wrong again\n");
    assert!(is_kept(&stop(&sandbox)));
    write(&sandbox, "w4", "total\n");
    assert!(!is_kept(&stop(&sandbox)));
    let last = results(&sandbox).pop();
    assert_eq!(last, Some((true, vec!["passed".to_owned(), "passed".to_owned()])));
    let summary = sandbox.session().output("stop-synth/summary.json").unwrap();
    assert_eq!(summary["checks"]["items"][0]["result"], "passed", "{summary}");
    let shown = sandbox.call().args(["session", "show"]).run();
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("INT-001: all 2 acceptance checks hold"), "{shown}");
    assert!(shown.contains("INT-001: 1 of 2 acceptance checks do not hold"), "{shown}");
    sandbox.check_everything();
}

#[cfg(target_os = "linux")]
#[test]
fn commands_run_confined_to_the_scope_and_only_if_trusted() {
    let sandbox = gated(&json!(60), &["touch escaped.txt", "touch src/made.txt"]);
    write(&sandbox, "w1", "x\n");
    let untrusted = stop(&sandbox);
    assert!(!is_kept(&untrusted), "{untrusted}");
    assert!(untrusted["systemMessage"].as_str().unwrap().contains("run `steersman trust`"), "{untrusted}");
    assert!(!sandbox.path("src/made.txt").exists());
    // What was refused is not known: a stop after the trust runs it, though no call came between.
    sandbox.trust();
    let kept = stop(&sandbox);
    assert!(is_kept(&kept), "{kept}");
    assert!(kept["reason"].as_str().unwrap().contains("touch escaped.txt"), "{kept}");
    assert!(!sandbox.path("escaped.txt").exists());
    assert!(sandbox.path("src/made.txt").exists());
    assert_eq!(
        results(&sandbox),
        [
            (false, vec!["refused".to_owned(), "refused".to_owned()]),
            (false, vec!["failed".to_owned(), "passed".to_owned()])
        ]
    );
}

#[test]
fn an_agent_that_selects_another_intent_still_owes_the_checks_of_the_first() {
    let sandbox = gated(&json!(60), &["test -e src/done"]);
    let intents = sandbox.path(".orchestration/active_intents.yaml");
    let mut file: Value = serde_json::from_str(&std::fs::read_to_string(&intents).unwrap()).unwrap();
    let other = json!({"id": "INT-002", "name": "docs", "status": "IN_PROGRESS", "owned_scope": ["docs/**"]});
    file["intents"].as_array_mut().unwrap().push(other);
    sandbox.write(".orchestration/active_intents.yaml", file.to_string());
    sandbox.trust();
    write(&sandbox, "w1", "x\n");
    let selects = json!({
        "tool_name": "mcp__steersman__select_active_intent", "tool_use_id": "s1",
        "tool_input": {"intent_id": "INT-002"}, "tool_response": [{"type": "text", "text": "ok"}],
    });
    send(&sandbox, "PreToolUse", &selects);
    send(&sandbox, "PostToolUse", &selects);
    let kept = stop(&sandbox);
    assert!(is_kept(&kept), "{kept}");
    assert!(kept["reason"].as_str().unwrap().contains("test -e src/done"), "{kept}");
}

#[test]
fn a_command_with_a_secret_is_recognised_and_runs_once_for_the_same_files() {
    let command = "echo run >> src/runs.txt; true --token ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let sandbox = gated(&json!(60), &[command]);
    sandbox.trust();
    write(&sandbox, "w1", "x\n");
    for _ in 0..3 {
        assert!(!is_kept(&stop(&sandbox)));
    }
    assert_eq!(results(&sandbox), [(true, vec!["passed".to_owned()])]);
    let journal = format!("{:?}", sandbox.session().events());
    assert!(!journal.contains("ghp_16C7e42F"), "{journal}");
}

#[test]
fn without_the_setting_nothing_runs_and_a_wrong_setting_is_reported() {
    let sandbox = gated(&json!(false), &["touch src/made.txt; false"]);
    sandbox.trust();
    write(&sandbox, "w1", "x\n");
    assert!(!is_kept(&stop(&sandbox)));
    assert!(!sandbox.path("src/made.txt").exists());
    sandbox.write(".ai/hooks/config.json", r#"{"doneGate": "yes"}"#);
    write(&sandbox, "w2", "y\n");
    let warned = stop(&sandbox);
    assert!(warned["systemMessage"].as_str().unwrap().contains("true, false or a number"), "{warned}");
    assert_eq!(results(&sandbox), []);
}

#[test]
fn a_command_that_the_guard_denies_or_that_takes_too_long_keeps_nobody() {
    let sandbox = gated(&json!(true), &["rm -rf ~", "sleep 600"]);
    sandbox.trust();
    write(&sandbox, "w1", "x\n");
    let payload = json!({"session_id": "s", "cwd": sandbox.root(), "hook_event_name": "Stop"});
    let call = sandbox.dispatch("claude-code", "Stop").args(["--timeout=4"]);
    let answer = call.payload(&payload).run().object();
    assert!(!is_kept(&answer), "{answer}");
    let told = answer["systemMessage"].as_str().unwrap();
    assert!(told.contains("the shell guard denies it") && told.contains("--done-gate SECONDS"), "{told}");
    assert_eq!(results(&sandbox), [(false, vec!["refused".to_owned(), "timed-out".to_owned()])]);
}

#[cfg(target_os = "linux")]
#[test]
fn the_validations_of_nodes_in_progress_and_completed_count_too() {
    let sandbox = sandbox_with(json!({}));
    sandbox.config(&json!({"doneGate": true, "planGraph-exec": {"plan": "plan.json"}}));
    let plan = json!({"version": 1, "nodes": [
        {"id": "api", "description": "the API", "scope": "src/api/**", "validations": ["test -e src/api/done"]},
        {"id": "ui", "description": "the form", "scope": "src/ui/**", "validations": ["false"]},
    ]});
    sandbox.write("plan.json", plan.to_string());
    sandbox.trust();
    let input = json!({"file_path": sandbox.path("src/api/a.rs"), "content": "x"});
    send(&sandbox, "PreToolUse", &json!({"tool_name": "Write", "tool_use_id": "w", "tool_input": input}));
    let kept = stop(&sandbox);
    assert!(is_kept(&kept), "{kept}");
    assert!(kept["reason"].as_str().unwrap().contains("test -e src/api/done"), "{kept}");
    sandbox.write("src/api/done", "");
    assert_eq!(sandbox.call().args(["plan", "mark", "api", "complete"]).run().code, Some(0));
    send(&sandbox, "PostToolUse", &json!({"tool_name": "Write", "tool_use_id": "w", "tool_input": input}));
    assert!(!is_kept(&stop(&sandbox)));
    assert_eq!(results(&sandbox).pop(), Some((true, vec!["passed".to_owned()])));
}

#[cfg(target_os = "linux")]
#[cfg(target_os = "linux")]
#[test]
fn a_held_agent_may_stop_but_its_checks_run() {
    let sandbox = gated(&json!(true), &["false"]);
    sandbox.trust();
    send(&sandbox, "UserPromptSubmit", &json!({"prompt": "go"}));
    write(&sandbox, "w1", "nothing\n");
    assert_eq!(sandbox.call().args(["hold"]).run().code, Some(0));
    let answer = stop(&sandbox);
    assert!(!is_kept(&answer), "{answer}");
    assert!(answer["systemMessage"].as_str().unwrap_or_default().contains("`false`"), "{answer}");
    assert_eq!(results(&sandbox), [(false, vec!["failed".to_owned()])]);
}

#[test]
fn a_node_that_is_marked_as_pending_again_is_checked() {
    let sandbox = sandbox_with(json!({}));
    sandbox.config(&json!({"doneGate": true, "planGraph-exec": {"plan": "plan.json"}}));
    let plan = json!({"version": 1, "nodes": [
        {"id": "api", "description": "the API", "scope": "src/api/**", "validations": ["test -e src/api/done"]},
    ]});
    sandbox.write("plan.json", plan.to_string());
    sandbox.trust();
    let input = json!({"file_path": sandbox.path("src/api/a.rs"), "content": "x"});
    send(&sandbox, "PreToolUse", &json!({"tool_name": "Write", "tool_use_id": "w", "tool_input": input}));
    assert_eq!(sandbox.call().args(["plan", "mark", "api", "pending"]).run().code, Some(0));
    let kept = stop(&sandbox);
    assert!(kept["reason"].as_str().unwrap_or_default().contains("test -e src/api/done"), "{kept}");
}

#[test]
fn a_command_cannot_end_the_hook_that_checks_it() {
    for command in
        ["kill -9 $PPID", "kill -9 $PPID; false", "sh -c 'kill -KILL $PPID'; kill -9 $PPID; exit 1"]
    {
        let sandbox = gated(&json!(true), &[command]);
        sandbox.trust();
        write(&sandbox, "w1", "x\n");
        let kept = stop(&sandbox);
        assert!(is_kept(&kept), "{command}: {kept}");
    }
}

#[test]
fn intents_that_cannot_be_read_keep_the_agent_once_and_are_reported() {
    let sandbox = gated(&json!(true), &["true"]);
    sandbox.trust();
    send(&sandbox, "UserPromptSubmit", &json!({"prompt": "go"}));
    write(&sandbox, "w1", "x\n");
    sandbox.write(".orchestration/active_intents.yaml", "intents: [");
    let kept = stop(&sandbox);
    assert!(is_kept(&kept), "{kept}");
    assert!(kept["reason"].as_str().unwrap().contains("active_intents.yaml"), "{kept}");
    let second = stop(&sandbox);
    assert!(!is_kept(&second), "{second}");
    assert!(second["systemMessage"].as_str().unwrap().contains("still fails"), "{second}");
}
