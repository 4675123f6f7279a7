//! Calls that change thousands of files, within the usual budgets: nothing passes without a record, and nothing is
//! silently dropped.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;
use std::thread;

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::sandbox;

const INTENTS: &str =
    "intents:\n  - id: INT-001\n    name: Some\n    status: IN_PROGRESS\n    owned_scope: [src/**]\n";

fn governed() -> Sandbox {
    let sandbox = sandbox();
    sandbox.write(".orchestration/active_intents.yaml", INTENTS);
    let selection = json!({"version": 1, "intentId": "INT-001", "since": "2026-01-01T00:00:00.000Z"});
    sandbox.write(".ai/tmp/intent.json", selection.to_string());
    sandbox
}

/// The usual budgets of an event, which the sandbox raises.
fn with_usual_budgets(sandbox: &Sandbox) {
    sandbox.manifest(&json!({}));
}

fn send(sandbox: &Sandbox, host: &str, event: &str, id: &str, tool: &str, input: &Value) -> Value {
    let payload = json!({
        "session_id": "s", "cwd": sandbox.root(), "hook_event_name": event, "tool_use_id": id,
        "tool_name": tool, "tool_input": input, "tool_response": {},
    });
    sandbox.ask(host, event, &payload)
}

fn decision(answer: &Value) -> &str {
    answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or("none")
}

/// Returns the number of reported files and folders, named or counted.
fn n_drifted(sandbox: &Sandbox) -> u64 {
    let counted = |drift: &Value| {
        let data = &drift["data"];
        data["files"].as_array().unwrap().len() as u64 + data["more"].as_u64().unwrap_or(0)
    };
    sandbox.session().events_of("SCOPE_DRIFT").iter().map(counted).sum()
}

fn shell(sandbox: &Sandbox, script: &str) {
    let done = Command::new("bash").arg("-ec").arg(script).current_dir(sandbox.root()).output().unwrap();
    assert!(done.status.success(), "{script}: {}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn a_patch_of_twenty_thousand_files_with_one_out_of_scope_does_not_pass() {
    let sandbox = governed();
    with_usual_budgets(&sandbox);
    let patch = |last: &str| {
        let mut patch = "*** Begin Patch\n".to_owned();
        for n in 0..20_000 {
            write!(patch, "*** Add File: src/f{n}.ts\n+x\n").unwrap();
        }
        write!(patch, "*** Add File: {last}\n+x\n*** End Patch\n").unwrap();
        json!({"input": patch})
    };
    let answer = send(&sandbox, "codex", "PreToolUse", "1", "apply_patch", &patch("lib/evil.ts"));
    assert_eq!(decision(&answer), "deny", "{answer}");
    // In scope it passes with a record, or is denied because the time is not enough.
    let answer = send(&sandbox, "codex", "PreToolUse", "2", "apply_patch", &patch("src/last.ts"));
    let is_recorded = || sandbox.session().events_of("CALL_PENDING").len() == 1;
    assert!(decision(&answer) == "deny" || is_recorded(), "{answer}");
}

#[test]
fn globs_of_thousands_of_files_then_a_redirect_out_of_scope_are_caught() {
    let sandbox = governed();
    with_usual_budgets(&sandbox);
    for n in 0..4000 {
        sandbox.write(format!("src/m/f{n}"), "x");
    }
    let command = "rm -f src/m/*; rm -f src/m/*; rm -f src/m/*; rm -f src/m/*; echo x > lib/evil.ts";
    let answer = send(&sandbox, "claude-code", "PreToolUse", "1", "Bash", &json!({"command": command}));
    assert!(matches!(decision(&answer), "deny" | "ask"), "{answer}");
    let alone = json!({"command": "rm -f src/m/*; rm -f src/m/*; rm -f src/m/*; rm -f src/m/*"});
    let answer = send(&sandbox, "claude-code", "PreToolUse", "2", "Bash", &alone);
    let is_recorded = || sandbox.session().events_of("CALL_PENDING").len() == 1;
    assert!(matches!(decision(&answer), "deny" | "ask") || is_recorded(), "{answer}");
}

#[test]
fn twenty_thousand_files_of_one_command_are_reported_and_traced_at_last() {
    let sandbox = governed();
    sandbox.manifest(&json!({"budgets": {"PreToolUse": 20_000, "PostToolUse": 15_000, "Stop": 15_000}}));
    let input = json!({"command": "make all"});
    let answer = send(&sandbox, "claude-code", "PreToolUse", "1", "Bash", &input);
    assert_eq!(decision(&answer), "none", "{answer}");
    thread::sleep(std::time::Duration::from_millis(20));
    shell(
        &sandbox,
        "mkdir -p lib src; for d in $(seq 50); do mkdir lib/d$d src/d$d; for f in $(seq 200); do \
         echo $f > lib/d$d/f$f; echo $d-$f > src/d$d/f$f; done; done",
    );
    let answer = send(&sandbox, "claude-code", "PostToolUse", "1", "Bash", &input);
    assert!(answer.to_string().contains("Scope Drift"), "{answer}");
    let traced = || {
        let text = fs::read_to_string(sandbox.path(".orchestration/agent_trace.jsonl")).unwrap_or_default();
        text.lines().count()
    };
    for _ in 0..200 {
        if traced() == 10_000 && n_drifted(&sandbox) >= 10_050 {
            break;
        }
        let stop = json!({"session_id": "s", "cwd": sandbox.root(), "hook_event_name": "Stop"});
        sandbox.ask("claude-code", "Stop", &stop);
    }
    assert_eq!(traced(), 10_000);
    // Ten thousand files in fifty folders, and the folders.
    assert!(n_drifted(&sandbox) >= 10_050, "{}", n_drifted(&sandbox));
    let incomplete = sandbox.session().events_of("SCAN_INCOMPLETE");
    let drifts = sandbox.session().events_of("SCOPE_DRIFT");
    let is_said = drifts.iter().any(|it| it["data"]["complete"] == false);
    assert!(incomplete.is_empty() || is_said, "an incomplete search says so");
}

/// Sends Stop until this many lines are traced and this many changes reported.
fn stop_until(sandbox: &Sandbox, host: &str, n_traced: usize, n_reported: u64) {
    let traced = || {
        let text = fs::read_to_string(sandbox.path(".orchestration/agent_trace.jsonl")).unwrap_or_default();
        text.lines().count()
    };
    for _ in 0..200 {
        if traced() >= n_traced && n_drifted(sandbox) >= n_reported {
            break;
        }
        let stop = json!({"session_id": "s", "cwd": sandbox.root(), "hook_event_name": "Stop"});
        sandbox.ask(host, "Stop", &stop);
    }
    assert_eq!(traced(), n_traced, "each file once");
    assert!(n_drifted(sandbox) >= n_reported, "{}", n_drifted(sandbox));
}

#[test]
fn the_model_reads_that_a_search_was_cut_short_and_later_what_it_would_have_found() {
    let sandbox = governed();
    let input = json!({"command": "make all"});
    let answer = send(&sandbox, "claude-code", "PreToolUse", "1", "Bash", &input);
    assert_eq!(decision(&answer), "none", "{answer}");
    thread::sleep(std::time::Duration::from_millis(20));
    sandbox.write("lib/new.ts", "x");
    // No run is so short: the watchdog ends it, or the search records how far it came.
    sandbox.manifest(&json!({"budgets": {"PostToolUse": 1}}));
    let answer = send(&sandbox, "claude-code", "PostToolUse", "1", "Bash", &input);
    let is_cut = !sandbox.session().events_of("BUDGET_EXCEEDED").is_empty();
    assert!(is_cut || !sandbox.session().events_of("SCAN_INCOMPLETE").is_empty());
    let answer = answer.to_string();
    if answer.contains("lib/new.ts") {
        // It came as far as this file, and says that it may have missed others.
        assert!(answer.contains("The search is not finished"), "{answer}");
        return;
    }
    assert!(answer.contains("Scan Incomplete"), "{answer}");
    // This host passes on no text at the end of a turn.
    let event = |event: &str, more: Value| {
        let mut payload = json!({"session_id": "s", "cwd": sandbox.root(), "hook_event_name": event});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        sandbox.ask("claude-code", event, &payload).to_string()
    };
    assert!(!event("Stop", json!({})).contains("lib/new.ts"));
    let told = event("UserPromptSubmit", json!({"prompt": "go on"}));
    assert!(
        told.contains("Found when the last turn had ended. Scope Drift") && told.contains("lib/new.ts"),
        "{told}"
    );
    let told = event("UserPromptSubmit", json!({"prompt": "and on"}));
    assert!(!told.contains("Scope Drift"), "{told}");
}

#[test]
fn within_the_usual_budgets_later_events_finish_what_one_cannot() {
    let sandbox = governed();
    with_usual_budgets(&sandbox);
    let input = json!({"command": "make all"});
    let answer = send(&sandbox, "claude-code", "PreToolUse", "1", "Bash", &input);
    assert_eq!(decision(&answer), "none", "{answer}");
    thread::sleep(std::time::Duration::from_millis(20));
    shell(
        &sandbox,
        "mkdir -p lib src/m; for f in $(seq 6000); do echo $f > src/m/f$f; done; \
         for f in $(seq 3000); do echo $f > lib/f$f; done",
    );
    send(&sandbox, "claude-code", "PostToolUse", "1", "Bash", &input);
    // The files and their folder.
    stop_until(&sandbox, "claude-code", 6000, 3001);
}

#[test]
fn within_the_usual_budgets_every_file_of_a_large_patch_is_traced_once() {
    let sandbox = governed();
    let mut patch = "*** Begin Patch\n".to_owned();
    for n in 0..3000 {
        write!(patch, "*** Add File: src/f{n}.ts\n+{n}\n").unwrap();
    }
    patch.push_str("*** End Patch\n");
    let input = json!({"input": patch});
    // A debug build needs more time to permit it; without a permission there is nothing to trace.
    sandbox.manifest(&json!({"budgets": {"PreToolUse": 20_000}}));
    let answer = send(&sandbox, "codex", "PreToolUse", "1", "apply_patch", &input);
    assert_eq!(decision(&answer), "none", "{answer}");
    thread::sleep(std::time::Duration::from_millis(20));
    shell(&sandbox, "mkdir -p src; for n in $(seq 0 2999); do echo $n > src/f$n.ts; done");
    send(&sandbox, "codex", "PostToolUse", "1", "apply_patch", &input);
    stop_until(&sandbox, "codex", 3000, 0);
}

#[test]
fn sixty_four_unknown_commands_at_once_give_sixty_four_lines_for_sixty_four_files() {
    let sandbox = governed();
    fs::create_dir(sandbox.path("src")).unwrap();
    fs::create_dir_all(sandbox.elsewhere()).unwrap();
    thread::scope(|scope| {
        for n in 0..64 {
            let sandbox = &sandbox;
            scope.spawn(move || {
                let (id, input) = (format!("c{n}"), json!({"command": format!("make f{n}")}));
                let answer = send(sandbox, "claude-code", "PreToolUse", &id, "Bash", &input);
                assert_eq!(decision(&answer), "none", "{answer}");
                // Complete at once: a search may look at any moment.
                let ready = sandbox.elsewhere().join(format!("f{n}"));
                fs::write(&ready, format!("{n}\n")).unwrap();
                fs::rename(ready, sandbox.path(format!("src/f{n}.ts"))).unwrap();
                send(sandbox, "claude-code", "PostToolUse", &id, "Bash", &input);
            });
        }
    });
    let text = fs::read_to_string(sandbox.path(".orchestration/agent_trace.jsonl")).unwrap();
    let name = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["file_path"].as_str().unwrap().to_owned()
    };
    let mut files: Vec<String> = text.lines().map(name).collect();
    files.sort();
    let n_lines = files.len();
    files.dedup();
    assert_eq!((n_lines, files.len()), (64, 64));
    assert_eq!(sandbox.session().events_of("FORGED"), [] as [Value; 0]);
    assert_eq!(n_drifted(&sandbox), 0);
}
