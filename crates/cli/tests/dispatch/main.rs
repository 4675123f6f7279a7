//! The contract of `steersman dispatch`, tested through the real binary: ordinary cases, bad input, a broken
//! disk, contention, and kills.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper that fails has to fail its test")]

mod after_unknown_command;
mod bad_input;
mod broken_disk;
mod contention;
mod contract;
mod done_gate;
mod escapes;
mod git_governing;
mod graph_pretooluse;
mod guard_tools;
mod intent_observe;
mod intents;
mod js;
mod killed;
#[cfg(target_os = "linux")]
mod killed_at_each_write;
#[cfg(unix)]
mod large_changes;
mod memory_activation;
mod memory_journal;
mod modules_in_js;
mod neo4j;
mod page;
mod plan_commands;
mod plan_contract;
mod plan_faults;
mod plan_graph;
mod plan_work;
#[cfg(unix)]
mod random_programs;
mod rlm_work;
mod session_workspace;
mod state_files;
mod stop_synth;

use serde_json::{Value, json};
use testkit::Sandbox;

/// Returns a workspace with budgets that no run exceeds by accident.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new(env!("CARGO_BIN_EXE_steersman"));
    sandbox.manifest(&patient(json!({})));
    sandbox
}

/// Returns a workspace with this manifest and budgets that no run exceeds by accident.
fn sandbox_with(manifest: Value) -> Sandbox {
    let sandbox = sandbox();
    sandbox.manifest(&patient(manifest));
    sandbox
}

/// Adds budgets that suffice on a busy machine. A test about budgets sets its own.
fn patient(mut manifest: Value) -> Value {
    let events = [
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PreCompact",
        "Stop",
        "SubagentStart",
        "SubagentStop",
    ];
    let mut budgets: serde_json::Map<String, Value> =
        events.into_iter().map(|event| (event.to_owned(), json!(20_000))).collect();
    budgets.extend(manifest["budgets"].as_object().cloned().unwrap_or_default());
    manifest["budgets"] = Value::Object(budgets);
    manifest
}

/// Returns the fields of a shell call with this id.
fn shell(id: &str, command: &str) -> Value {
    json!({"tool_name": "Bash", "tool_use_id": id, "tool_input": {"command": command}})
}

/// Returns the fields of a call that reads a file.
fn reading(id: &str, path: &str) -> Value {
    json!({"tool_name": "Read", "tool_use_id": id, "tool_input": {"file_path": path}})
}
