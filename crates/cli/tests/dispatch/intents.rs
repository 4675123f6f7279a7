//! Intents through the real binary: under contention, killed at any moment, on a full disk.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use testkit::{Sandbox, in_the_long_run};

use crate::sandbox;

const INTENTS: &str =
    "intents:\n  - id: INT-001\n    name: All\n    status: IN_PROGRESS\n    owned_scope: [src/**]\n";

fn governed() -> Sandbox {
    let sandbox = sandbox();
    sandbox.write(".orchestration/active_intents.yaml", INTENTS);
    let selection = json!({"version": 1, "intentId": "INT-001", "since": "2026-01-01T00:00:00.000Z"});
    sandbox.write(".ai/tmp/intent.json", selection.to_string());
    sandbox.write(".ai/tmp/.gitignore", "*\n");
    sandbox
}

fn payload(sandbox: &Sandbox, session: &str, event: &str, more: &Value) -> Value {
    let mut payload = json!({"session_id": session, "cwd": sandbox.root(), "hook_event_name": event, "permission_mode": "default"});
    payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    payload
}

fn send(sandbox: &Sandbox, session: &str, event: &str, more: &Value) -> Value {
    sandbox.ask("claude-code", event, &payload(sandbox, session, event, more))
}

fn write_of(sandbox: &Sandbox, n: usize) -> Value {
    json!({
        "tool_name": "Write", "tool_use_id": format!("t{n}"), "tool_response": {},
        "tool_input": {"file_path": sandbox.path(format!("src/f{n}.txt")), "content": format!("file {n}\n")},
    })
}

/// Sends the call, and writes the file as the host's tool would.
fn begin(sandbox: &Sandbox, session: &str, n: usize) {
    let answer = send(sandbox, session, "PreToolUse", &write_of(sandbox, n));
    assert_ne!(answer["hookSpecificOutput"]["permissionDecision"], "deny", "{answer}");
    sandbox.write(format!("src/f{n}.txt"), format!("file {n}\n"));
}

/// Returns the lines of the trace, after checking each against its schema.
fn trace(sandbox: &Sandbox) -> Vec<Value> {
    let text = fs::read_to_string(sandbox.path(".orchestration/agent_trace.jsonl")).unwrap_or_default();
    assert!(text.is_empty() || text.ends_with('\n'), "a torn line is left");
    let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
    let lines: Vec<Value> = text.lines().map(parse).collect();
    for line in &lines {
        testkit::schema::check("trace-record", line);
    }
    lines
}

fn files(lines: &[Value]) -> BTreeSet<String> {
    lines.iter().map(|line| line["file_path"].as_str().unwrap().to_owned()).collect()
}

fn expected(numbers: impl Iterator<Item = usize>) -> BTreeSet<String> {
    numbers.map(|n| format!("src/f{n}.txt")).collect()
}

#[test]
fn sixty_four_writers_at_once_lose_no_line_of_the_trace() {
    let sandbox = governed();
    let n_writers = 64;
    let n_each = in_the_long_run(8, 2);
    thread::scope(|scope| {
        for writer in 0..n_writers {
            let sandbox = &sandbox;
            scope.spawn(move || {
                let session = format!("session {}", writer % 8);
                for n in (0..n_each).map(|n| writer * n_each + n) {
                    begin(sandbox, &session, n);
                    send(sandbox, &session, "PostToolUse", &write_of(sandbox, n));
                }
            });
        }
    });
    // Lines that could not be appended wait in a report until the next event.
    for session in 0..8 {
        send(&sandbox, &format!("session {session}"), "Stop", &json!({"stop_hook_active": false}));
    }
    let lines = trace(&sandbox);
    assert_eq!(lines.len(), n_writers * n_each, "each once");
    assert_eq!(files(&lines), expected(0..n_writers * n_each));
    sandbox.check_everything();
}

/// A deterministic pseudo-random sequence.
struct PseudoRandom(u64);

impl PseudoRandom {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

#[test]
fn killed_at_any_moment_every_write_is_traced_when_the_turn_ends() {
    let sandbox = governed();
    let mut dice = PseudoRandom(5);
    let n_writes = in_the_long_run(300, 40);
    for n in 0..n_writes {
        begin(&sandbox, "s", n);
        let mut child = sandbox.dispatch("claude-code", "PostToolUse").start();
        let report = payload(&sandbox, "s", "PostToolUse", &write_of(&sandbox, n)).to_string();
        let _ = child.stdin.take().unwrap().write_all(report.as_bytes());
        thread::sleep(Duration::from_micros(dice.below(8000)));
        let _ = child.kill();
        child.wait().unwrap();
    }
    send(&sandbox, "s", "Stop", &json!({"stop_hook_active": false}));
    assert_eq!(files(&trace(&sandbox)), expected(0..n_writes));
    sandbox.check_everything();
}

/// Sends an event to a process that cannot write files larger than this many blocks.
fn send_with_little_room(sandbox: &Sandbox, blocks: usize, event: &str, more: &Value) -> Value {
    let binary = env!("CARGO_BIN_EXE_steersman");
    let script = format!("ulimit -f {blocks}; exec '{binary}' dispatch {event} --host claude-code");
    let payload = payload(sandbox, "s", event, more);
    testkit::Call::of("/bin/sh", &sandbox.root()).args(["-c", &script]).payload(&payload).run().object()
}

#[test]
fn a_disk_without_room_delays_the_trace_and_loses_nothing() {
    for blocks in 0..6 {
        let sandbox = governed();
        // A trace that is already larger than the available space.
        for n in 100..120 {
            begin(&sandbox, "earlier", n);
            send(&sandbox, "earlier", "PostToolUse", &write_of(&sandbox, n));
        }
        for n in 0..4 {
            begin(&sandbox, "s", n);
            send_with_little_room(&sandbox, blocks, "PostToolUse", &write_of(&sandbox, n));
        }
        assert_eq!(files(&trace(&sandbox)), expected(100..120), "{blocks} blocks");
        begin(&sandbox, "s", 4);
        send(&sandbox, "s", "PostToolUse", &write_of(&sandbox, 4));
        send(&sandbox, "s", "Stop", &json!({"stop_hook_active": false}));
        assert_eq!(files(&trace(&sandbox)), expected((0..5).chain(100..120)), "{blocks} blocks");
    }
}

#[test]
fn with_a_disk_that_takes_nothing_the_gate_still_stands() {
    let sandbox = governed();
    let outside = json!({
        "tool_name": "Write", "tool_use_id": "o",
        "tool_input": {"file_path": sandbox.path("lib/x.txt"), "content": "x"},
    });
    let answer = send_with_little_room(&sandbox, 0, "PreToolUse", &outside);
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny", "{answer}");
}
