//! The proof that `steersman dispatch` keeps its contract, through the real binary: in every
//! ordinary case, with bad input, on a broken disk, in a crowd, and when it is killed.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper that fails has to fail its test")]

mod bad_input;
mod broken_disk;
mod contract;
mod crowd;
mod escapes;
mod git_governing;
mod graph_pretooluse;
mod intents;
mod js;
mod killed;
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
mod rlm_work;
mod session_workspace;
mod state_files;
mod stop_synth;

use serde_json::{Value, json};
use testkit::Sandbox;

/// Returns a workspace in which nothing runs out of time by accident.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new(env!("CARGO_BIN_EXE_steersman"));
    sandbox.manifest(&patient(json!({})));
    sandbox
}

/// Returns a workspace with this manifest, in which nothing runs out of time by accident.
fn sandbox_with(manifest: Value) -> Sandbox {
    let sandbox = sandbox();
    sandbox.manifest(&patient(manifest));
    sandbox
}

/// Adds budgets that hold on a machine with many other things to do. A test about budgets
/// names its own.
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

/// Returns what every call of a shell says; `id` tells calls apart.
fn shell(id: &str, command: &str) -> Value {
    json!({"tool_name": "Bash", "tool_use_id": id, "tool_input": {"command": command}})
}

/// Returns what every call that reads a file says.
fn reading(id: &str, path: &str) -> Value {
    json!({"tool_name": "Read", "tool_use_id": id, "tool_input": {"file_path": path}})
}
