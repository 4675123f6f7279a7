//! The shell calls of Copilot CLI, which run confined only by another command in place of the original.
//!
//! The payloads are those of the real program; `cargo xtask clients` plays the same on it.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::session::Session;
use crate::workspace::said;

const EVERYTHING: &str = "--allow-all-tools --allow-all-paths";
const UNPROVEN: &str = "python3 tool.py; echo 'it'\\''s'";

/// A session of Copilot CLI under an intent that owns `src`.
fn session(mode: &str) -> Session {
    let session = Session::with_settings(&format!("{{\"version\": 1, \"confine\": \"{mode}\"}}"));
    let done = session.steersman("init --host copilot-cli");
    assert!(done.status.success(), "{}", said(&done));
    session.targets(&["src/a", "package.json"]);
    // The hook finds the rules of its user on the command line of the program that started it.
    let program = session.workspace.home().join("copilot");
    fs::write(
        &program,
        "#!/bin/bash\n\"$STEERSMAN\" dispatch \"$EVENT\" --host copilot-cli --registration project\n:\n",
    )
    .unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    session
}

/// Runs a hook as a child of Copilot CLI with these options.
fn hook(session: &Session, options: &str, event: &str, command: &str, printed: &str) -> Value {
    let mut payload = json!({
        "hook_event_name": event, "session_id": "5d09cb42-1b4d-42db-acef-df352e00e958",
        "timestamp": "2026-11-18T04:21:21.469Z", "cwd": session.workspace.root(), "tool_name": "Bash",
        "tool_input": {"command": command, "description": "d"},
    });
    if event == "PostToolUse" {
        payload["tool_result"] = json!({"result_type": "success", "text_result_for_llm": printed});
    }
    let program = session.workspace.home().join("copilot");
    let mut child = session
        .workspace
        .program(program.to_str().unwrap())
        .args(options.split_whitespace())
        .env("STEERSMAN", env!("CARGO_BIN_EXE_steersman"))
        .env("EVENT", event)
        .env("COPILOT_CLI", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
    serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap()
}

fn rewritten(answer: &Value) -> Option<&str> {
    answer.pointer("/hookSpecificOutput/updatedInput/command")?.as_str()
}

#[test]
fn a_command_that_copilot_would_not_ask_about_runs_confined_in_place_of_the_original() {
    let session = session("unproven");
    let answer = hook(&session, EVERYTHING, "PreToolUse", UNPROVEN, "");
    assert_eq!(answer.pointer("/hookSpecificOutput/permissionDecision"), None, "{answer}");
    assert_eq!(answer.pointer("/hookSpecificOutput/updatedInput/description"), Some(&json!("d")), "{answer}");
    let command = rewritten(&answer).unwrap_or_else(|| panic!("{answer}"));
    let quoted = format!("'{}'", UNPROVEN.replace('\'', r"'\''"));
    assert!(command.ends_with(&quoted), "a person recognizes the original: {command}");
    assert_eq!(session.records().len(), 1);
    let printed = said(&session.workspace.program("bash").args(["-c", command]).output().unwrap());
    assert!(printed.contains("wrote src/a") && printed.contains("it's"), "{printed}");
    assert!(!printed.contains("wrote package.json"), "{printed}");
    let end = hook(&session, EVERYTHING, "PostToolUse", command, &printed).to_string();
    assert!(!end.contains("unconfined") && end.contains("out of scope of INT-001"), "{end}");
    assert!(session.records().is_empty());
    let shown = session.shown();
    assert!(
        shown.contains("confined: refused package.json") && !shown.contains("steersman-shell"),
        "{shown}"
    );
    // Another registration of the same program sees the new command, and leaves it.
    let answer = hook(&session, EVERYTHING, "PreToolUse", UNPROVEN, "");
    let command = rewritten(&answer).unwrap();
    let again = hook(&session, EVERYTHING, "PreToolUse", command, "");
    assert!(rewritten(&again).is_none_or(|other| other == command), "{again}");
}

#[test]
fn no_command_is_rewritten_that_copilot_or_a_rule_of_the_user_may_speak_about() {
    let session = session("unproven");
    for (options, command) in [
        ("", UNPROVEN),
        ("--allow-all-tools", UNPROVEN),
        ("--allow-tool shell", UNPROVEN),
        ("--allow-all --deny-tool shell(python3:*)", UNPROVEN),
        ("--allow-all --deny-tool=shell", UNPROVEN),
        ("--yolo --plan", UNPROVEN),
        (EVERYTHING, "python3 tool.py https://example.org"),
        // It cannot work confined.
        ("--allow-all", "sudo python3 tool.py"),
        // Its writes are known.
        ("--allow-all", "touch src/known"),
    ] {
        let answer = hook(&session, options, "PreToolUse", command, "");
        assert_eq!(rewritten(&answer), None, "{options} {command}: {answer}");
        assert!(session.records().is_empty(), "{options} {command}");
    }
    for options in ["--allow-all --deny-tool shell(rm)", "--yolo -p x"] {
        let answer = hook(&session, options, "PreToolUse", UNPROVEN, "");
        assert!(rewritten(&answer).is_some(), "{options}: {answer}");
    }
}

#[test]
fn where_confinement_is_required_a_command_that_cannot_be_rewritten_is_asked_about() {
    let session = session("required");
    let answer = hook(&session, "", "PreToolUse", UNPROVEN, "");
    assert_eq!(answer.pointer("/hookSpecificOutput/permissionDecision"), Some(&json!("ask")), "{answer}");
    assert!(answer.to_string().contains("asks about its commands"), "{answer}");
    assert_eq!(rewritten(&answer), None, "{answer}");
    let answer = hook(&session, EVERYTHING, "PreToolUse", UNPROVEN, "");
    assert!(rewritten(&answer).is_some(), "{answer}");
}
