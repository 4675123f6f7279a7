//! The records of the events of a session.

use serde_json::json;

use crate::{sandbox, shell};

#[test]
fn a_call_is_recorded_with_its_decision_and_its_outcome() {
    let sandbox = sandbox();
    let write = json!({"tool_name": "Write", "tool_use_id": "t1", "tool_input": {"file_path": "a.rs", "content": "x"}});
    sandbox.raw("PreToolUse", &write);
    let mut failed = write.clone();
    failed["error"] = json!("disk full");
    sandbox.raw("PostToolUse", &failed);
    let session = sandbox.session();
    let decided = &session.events_of("TOOL_DECISION")[0]["data"];
    assert_eq!(decided["tool"], "Write");
    assert_eq!(decided["touches"], json!([{"path": "a.rs", "access": "write"}]));
    let outcome = &session.events_of("TOOL_OUTCOME")[0]["data"];
    assert_eq!(outcome["toolUseId"], "t1");
    assert_eq!(outcome["touches"], decided["touches"]);
    sandbox.check_everything();
}

#[test]
fn a_compaction_leaves_a_snapshot_of_where_the_work_stands() {
    let sandbox = sandbox();
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "go"}));
    sandbox.raw("PreToolUse", &shell("t1", "touch x"));
    sandbox.raw("PreCompact", &json!({"trigger": "manual", "custom_instructions": "keep the plan"}));
    let compaction = &sandbox.session().events_of("COMPACTION")[0]["data"];
    assert_eq!(compaction["trigger"], "manual");
    assert_eq!(compaction["instructions"], "keep the plan");
    assert_eq!(compaction["snapshot"]["phase"], "EXECUTING");
    assert_eq!(compaction["snapshot"]["turnId"], 1);
    sandbox.check_everything();
}

#[test]
fn the_end_of_a_turn_says_whether_a_hook_kept_it_going() {
    let sandbox = sandbox();
    sandbox.raw("Stop", &json!({"stop_hook_active": true}));
    assert_eq!(sandbox.session().events_of("SESSION_STOP")[0]["data"]["keptGoing"], true);
}

#[test]
fn what_replay_needs_is_recorded_within_a_limit() {
    let sandbox = sandbox();
    sandbox.raw("PreToolUse", &shell("t1", &"x".repeat(1_000_000)));
    let run = sandbox.session().last_run();
    let command = run["data"]["input"]["command"].as_str().unwrap();
    assert!(command.len() < 10_000 && command.ends_with("bytes)"));
    let line = run.to_string().len();
    assert!(line < 20_000, "{line} bytes in one line");
    sandbox.check_everything();
}

#[test]
fn a_huge_name_does_not_make_a_huge_record() {
    let sandbox = sandbox();
    let huge = "n".repeat(2_000_000);
    let call = json!({
        "tool_name": huge, "tool_use_id": huge, "agent_id": huge, "agent_type": huge,
        "tool_input": {"file_path": huge},
    });
    sandbox.raw("PreToolUse", &call);
    sandbox.raw("PostToolUse", &call);
    let size = std::fs::metadata(sandbox.session().root.join("events.jsonl")).unwrap().len();
    assert!(size < 100_000, "{size} bytes for two calls");
    sandbox.check_everything();
}
