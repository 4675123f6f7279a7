//! A run that reports changes is killed before each of its writing system calls in turn. The next event completes it: no line of
//! the trace is lost or doubled, no drift goes unreported, and nothing looks forged.

mod traced_process;

use std::fs;

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::sandbox;
use traced_process::Ending;

const INTENTS: &str =
    "intents:\n  - id: INT-001\n    name: Some\n    status: IN_PROGRESS\n    owned_scope: [src/**]\n";

/// A call, and what it does.
struct Case {
    name: &'static str,
    tool: &'static str,
    input: fn(&Sandbox) -> Value,
    act: fn(&Sandbox),
    /// The events that are killed: the call's end, or the turn's if its end was never reported.
    event: &'static str,
    traced: &'static [&'static str],
    drifted: Option<&'static str>,
}

const CASES: &[Case] = &[
    Case {
        name: "a file tool",
        tool: "Write",
        input: |sandbox| json!({"file_path": sandbox.path("src/a.ts"), "content": "x\n"}),
        act: |sandbox| sandbox.write("src/a.ts", "x\n"),
        event: "PostToolUse",
        traced: &["src/a.ts"],
        drifted: None,
    },
    Case {
        name: "an unknown command",
        tool: "Bash",
        input: |_| json!({"command": "make all"}),
        act: |sandbox| {
            sandbox.write("src/a.ts", "x\n");
            sandbox.write("src/deep/b.ts", "y\n");
            sandbox.write("lib/c.ts", "z\n");
        },
        event: "PostToolUse",
        traced: &["src/a.ts", "src/deep/b.ts"],
        drifted: Some("lib/c.ts"),
    },
    Case {
        name: "calls without an end",
        tool: "Bash",
        input: |_| json!({"command": "make all"}),
        act: |sandbox| {
            sandbox.write("src/a.ts", "x\n");
            sandbox.write("lib/c.ts", "z\n");
        },
        event: "Stop",
        traced: &["src/a.ts"],
        drifted: Some("lib/c.ts"),
    },
];

fn governed() -> Sandbox {
    let sandbox = sandbox();
    sandbox.write(".orchestration/active_intents.yaml", INTENTS);
    let selection = json!({"version": 1, "intentId": "INT-001", "since": "2026-01-01T00:00:00.000Z"});
    sandbox.write(".ai/tmp/intent.json", selection.to_string());
    sandbox
}

fn payload(sandbox: &Sandbox, event: &str, case: &Case) -> Value {
    let mut payload = json!({"session_id": "s", "cwd": sandbox.root(), "hook_event_name": event});
    if event != "Stop" {
        let call = json!({
            "tool_name": case.tool, "tool_use_id": "t1", "tool_input": (case.input)(sandbox), "tool_response": {},
        });
        payload.as_object_mut().unwrap().extend(call.as_object().unwrap().clone());
    }
    payload
}

fn traced(sandbox: &Sandbox) -> Vec<String> {
    let text = fs::read_to_string(sandbox.path(".orchestration/agent_trace.jsonl")).unwrap_or_default();
    let file = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["file_path"].as_str().unwrap().to_owned()
    };
    let mut files: Vec<String> = text.lines().map(file).collect();
    files.sort();
    files
}

/// Checks that a run has all its lines in the journal or none: it appends them with one system call.
fn assert_journal_is_whole(sandbox: &Sandbox, event: &str, number: usize) {
    let journal = fs::read_to_string(sandbox.session().root.join("events.jsonl")).unwrap();
    assert!(journal.ends_with('\n'), "{event}, killed before call {number}: {journal}");
    let lines = journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let of_run = |line: &Value| line["hookRunId"].as_str().unwrap().starts_with(&format!("{event}-"));
    let lines: Vec<Value> = lines.filter(of_run).collect();
    let is_complete = lines.iter().any(|line| line["type"] == "HOOK_RUN");
    assert!(lines.is_empty() || is_complete, "{event}, killed before call {number}: {lines:?}");
}

/// Kills the run before the writing call with this number. Returns the name of that call; `None` if there are fewer.
fn killed_before(case: &Case, number: usize) -> Option<String> {
    let sandbox = governed();
    // Another event first, so that the session has begun.
    let prompt = json!({"session_id": "s", "cwd": sandbox.root(), "hook_event_name": "UserPromptSubmit", "prompt": "go"});
    sandbox.ask("claude-code", "UserPromptSubmit", &prompt);
    let answer = sandbox.ask("claude-code", "PreToolUse", &payload(&sandbox, "PreToolUse", case));
    assert_ne!(answer["hookSpecificOutput"]["permissionDecision"], "deny", "{answer}");
    (case.act)(&sandbox);
    let command = sandbox.dispatch("claude-code", case.event).command();
    let ending =
        traced_process::run(command, payload(&sandbox, case.event, case).to_string().as_bytes(), number);
    assert_journal_is_whole(&sandbox, case.event, number);
    // The first completes or repeats the report, the second finds nothing left to do.
    for _ in 0..2 {
        sandbox.ask("claude-code", "Stop", &payload(&sandbox, "Stop", case));
    }
    let at = format!("{}, killed before call {number}: {ending:?}", case.name);
    assert_eq!(traced(&sandbox), case.traced, "{at}");
    let session = sandbox.session();
    assert_eq!(session.events_of("FORGED"), [] as [Value; 0], "{at}");
    if let Some(file) = case.drifted {
        let drifts = session.events_of("SCOPE_DRIFT");
        assert!(drifts.iter().any(|drift| drift.to_string().contains(file)), "{at}");
    }
    let reports = sandbox.path(".ai/tmp").join(session.root.file_name().unwrap()).join("intent/reports");
    assert_eq!(fs::read_dir(reports).map_or(0, Iterator::count), 0, "{at}");
    let verified = sandbox.call().args(["trace", "verify"]).run();
    assert_eq!(verified.code, Some(0), "{at}: {}", String::from_utf8_lossy(&verified.stdout));
    sandbox.check_everything();
    match ending {
        Ending::Exited => None,
        Ending::KilledBefore(call) => Some(call),
    }
}

#[test]
fn each_line_of_the_trace_is_there_once_whenever_the_run_was_killed() {
    for case in CASES {
        let calls: Vec<String> = (0..).map_while(|number| killed_before(case, number)).collect();
        // At least the staged report, the journal, the trace and the pending call.
        assert!(calls.len() > 6, "{}: {calls:?}", case.name);
    }
}
