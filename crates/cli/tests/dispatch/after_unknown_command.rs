//! What follows an unknown command: the suggested undo, and who wrote the lines of a file that it moved.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::sandbox;

const INTENTS: &str =
    "intents:\n  - id: INT-001\n    name: Some\n    status: IN_PROGRESS\n    owned_scope: [src/**]\n";

fn governed() -> Sandbox {
    let sandbox = sandbox();
    sandbox.manifest(&json!({"budgets": {"PreToolUse": 20_000, "PostToolUse": 20_000, "Stop": 20_000}}));
    sandbox.write(".orchestration/active_intents.yaml", INTENTS);
    let selection = json!({"version": 1, "intentId": "INT-001", "since": "2026-01-01T00:00:00.000Z"});
    sandbox.write(".ai/tmp/intent.json", selection.to_string());
    for file in ["lib/b.txt", "lib/c.txt", "lib/[bc].txt", "src/p.ts"] {
        sandbox.write(file, "one\ntwo\n");
    }
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    for args in [&["init", "-q"][..], &["add", "-f", "-A"], &["commit", "-q", "-m", "all"]] {
        let done = Command::new("git").args(identity).args(args).current_dir(sandbox.root()).status();
        assert!(done.unwrap().success(), "{args:?}");
    }
    thread::sleep(Duration::from_millis(20));
    sandbox
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

/// Runs `make`, which does something; returns the report.
fn make(sandbox: &Sandbox, host: &str, id: &str, does: impl FnOnce()) -> String {
    let input = json!({"command": "make"});
    assert_eq!(decision(&send(sandbox, host, "PreToolUse", id, "Bash", &input)), "none");
    thread::sleep(Duration::from_millis(20));
    does();
    send(sandbox, host, "PostToolUse", id, "Bash", &input).to_string()
}

#[test]
fn the_suggested_undo_passes_once_on_hosts_that_can_ask_and_on_those_that_cannot() {
    for host in ["claude-code", "codex"] {
        let sandbox = governed();
        let before = |id: &str, command: &str| {
            let answer = send(&sandbox, host, "PreToolUse", id, "Bash", &json!({"command": command}));
            decision(&answer).to_owned()
        };
        let said = make(&sandbox, host, "1", || {
            for file in ["lib/b.txt", "lib/[bc].txt"] {
                sandbox.write(file, "changed\n");
            }
        });
        assert!(said.contains("git restore -- 'lib/b.txt'"), "{host}: {said}");
        // Another file beside it, in scope or not, is no part of the undo.
        for (id, command) in [
            ("2", "git restore -- 'lib/c.txt'"),
            ("3", "git restore -- 'lib/b.txt' 'lib/c.txt'"),
            ("4", "git restore -- lib"),
            ("5", "git restore -- 'lib/[bc].txt'"),
            ("6", "git restore --source=HEAD~0 -- 'lib/b.txt'"),
            ("7", "git checkout -- 'lib/b.txt'"),
            ("8", "rm -- 'lib/b.txt'"),
        ] {
            assert_ne!(before(id, command), "none", "{host}: {command}");
        }
        assert_eq!(before("20", "git restore -- 'lib/b.txt'"), "none", "{host}");
        assert_ne!(before("21", "git restore -- 'lib/b.txt'"), "none", "{host}: once");
    }
}

#[test]
fn a_suggested_undo_with_a_file_in_scope_beside_it_is_asked_about() {
    let sandbox = governed();
    sandbox.write("src/p.ts", "a person's work\n");
    make(&sandbox, "claude-code", "1", || sandbox.write("lib/b.txt", "changed\n"));
    let input = json!({"command": "git restore -- 'lib/b.txt' src/p.ts"});
    assert_eq!(decision(&send(&sandbox, "claude-code", "PreToolUse", "2", "Bash", &input)), "ask");
}

#[test]
fn the_governor_cannot_be_removed_together_with_its_records() {
    let sandbox = governed();
    send(&sandbox, "claude-code", "PostToolUse", "0", "Read", &json!({"file_path": "src/p.ts"}));
    let said = make(&sandbox, "claude-code", "1", || {
        fs::remove_dir_all(sandbox.path(".ai/tmp")).unwrap();
        fs::remove_dir_all(sandbox.path(".orchestration")).unwrap();
        sandbox.write("lib/b.txt", "changed\n");
    });
    assert!(said.contains("active_intents.yaml"), "{said}");
    assert_eq!(sandbox.session().events_of("FORGED").len(), 1);
}

#[test]
fn a_hook_in_a_repository_that_the_command_made_in_scope_is_reported() {
    let sandbox = governed();
    let said = make(&sandbox, "claude-code", "1", || {
        let init =
            Command::new("git").args(["init", "-q", "src/nested"]).current_dir(sandbox.root()).status();
        assert!(init.unwrap().success());
    });
    assert_eq!(said, "{}", "git made it");
    let said = make(&sandbox, "claude-code", "2", || {
        let init = Command::new("git").args(["init", "-q", "src/other"]).current_dir(sandbox.root()).status();
        assert!(init.unwrap().success());
        sandbox.write("src/other/.git/hooks/pre-commit", "#!/bin/sh\n");
    });
    assert!(said.contains("src/other/.git/hooks/pre-commit"), "{said}");
}

#[test]
fn every_line_keeps_its_author_when_an_unknown_command_moves_the_file() {
    let sandbox = governed();
    let path = sandbox.path("src/p.ts");
    let input = json!({"file_path": path, "content": "one\nagent\ntwo\n"});
    send(&sandbox, "claude-code", "PreToolUse", "1", "Write", &input);
    sandbox.write("src/p.ts", "one\nagent\ntwo\n");
    send(&sandbox, "claude-code", "PostToolUse", "1", "Write", &input);
    // Twice, the second time into another folder.
    for (n, (from, to)) in [("src/p.ts", "src/q.ts"), ("src/q.ts", "src/deep/r.ts")].into_iter().enumerate() {
        make(&sandbox, "claude-code", &format!("m{n}"), || {
            fs::create_dir_all(sandbox.path("src/deep")).unwrap();
            fs::rename(sandbox.path(from), sandbox.path(to)).unwrap();
        });
        let done = Command::new(env!("CARGO_BIN_EXE_steersman"))
            .args(["trace", "blame", to, "--json"])
            .current_dir(sandbox.root())
            .env("STEERSMAN_STATE_DIR", sandbox.user_state())
            .output()
            .unwrap();
        let blame: Value = serde_json::from_slice(&done.stdout).unwrap();
        let authors: Vec<String> = blame["lines"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| format!("{} {}", line["text"].as_str().unwrap(), line["author"].as_str().unwrap()))
            .collect();
        assert_eq!(authors, ["one person", "agent agent", "two person"], "{to}");
        assert_eq!(blame["lines"][1]["tool"], "Write", "{to}");
    }
}
