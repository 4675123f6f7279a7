//! §12: phases are tracked always and enforced on request.

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::{js, reading, sandbox, sandbox_with, shell};

fn phase(sandbox: &Sandbox) -> Value {
    sandbox.session().core("phase")
}

fn deny_reason(answer: &Value) -> String {
    assert_eq!(answer["decision"], "deny", "{answer}");
    answer["denyReason"].as_str().unwrap().to_owned()
}

#[test]
fn a_session_goes_from_uninitialized_to_complete() {
    let sandbox = sandbox();
    sandbox.raw("SessionStart", &json!({"source": "startup"}));
    assert_eq!(phase(&sandbox), "UNINITIALIZED");
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "go"}));
    assert_eq!(phase(&sandbox), "PLANNING");
    sandbox.raw("PreToolUse", &reading("t1", "a.txt"));
    assert_eq!(phase(&sandbox), "PLANNING", "reading changes nothing");
    sandbox.raw("PreToolUse", &shell("t2", "touch a.txt"));
    assert_eq!(phase(&sandbox), "EXECUTING");
    sandbox.raw("Stop", &json!({}));
    assert_eq!(phase(&sandbox), "COMPLETE");
    let changes: Vec<_> =
        sandbox.session().events_of("PHASE_CHANGE").iter().map(|it| it["data"]["to"].clone()).collect();
    assert_eq!(changes, ["EXECUTING", "COMPLETE"]);
    sandbox.check_everything();
}

#[test]
fn a_call_that_was_refused_begins_nothing() {
    let sandbox = js::sandbox(&[("no", "return { decision: 'deny', denyReason: 'no' }")], json!({}));
    sandbox.raw("PreToolUse", &shell("t1", "touch a.txt"));
    assert_ne!(phase(&sandbox), "EXECUTING");
}

#[test]
fn when_phases_are_enforced_only_the_listed_tools_pass() {
    let sandbox = sandbox_with(json!({"enforcePhases": true}));
    let task = json!({"tool_name": "Task", "tool_use_id": "t0", "tool_input": {"prompt": "look"}});
    let reason = deny_reason(&sandbox.raw("PreToolUse", &shell("t1", "ls")));
    assert!(reason.contains("UNINITIALIZED") && reason.contains("starts with a prompt"), "{reason}");
    assert_eq!(sandbox.raw("PreToolUse", &reading("t2", "a.txt"))["decision"], "allow");
    deny_reason(&sandbox.raw("PreToolUse", &task));
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "go"}));
    let mut task = task;
    task["tool_use_id"] = json!("t3");
    assert_eq!(sandbox.raw("PreToolUse", &task)["decision"], "allow");
    let reason = deny_reason(&sandbox.raw("PreToolUse", &shell("t4", "ls")));
    assert!(reason.contains("PLANNING") && reason.contains("plan graph is accepted"), "{reason}");
    assert_eq!(phase(&sandbox), "PLANNING", "only a plan begins the execution then");
    sandbox.check_everything();
}

#[test]
fn a_policy_may_warn_or_allow_instead() {
    for (mode, warned) in [("warn", true), ("allow", false)] {
        let rule = json!({"allowTools": ["read"], "mode": mode});
        let sandbox = sandbox_with(json!({"enforcePhases": true, "phasePolicy": {"UNINITIALIZED": rule}}));
        let answer = sandbox.raw("PreToolUse", &shell("t1", "ls"));
        assert_eq!(answer["decision"], "allow", "{mode}");
        assert_eq!(answer["warnings"].to_string().contains("UNINITIALIZED"), warned, "{answer}");
    }
}

#[test]
fn a_policy_without_a_rule_for_the_phase_permits_everything() {
    let sandbox = sandbox_with(
        json!({"enforcePhases": true, "phasePolicy": {"COMPLETE": {"allowTools": [], "mode": "deny"}}}),
    );
    assert_eq!(sandbox.raw("PreToolUse", &shell("t1", "ls"))["decision"], "allow");
}

const REFUSES_RM: &str =
    "if (ctx.event.command?.startsWith('rm')) return { decision: 'deny', denyReason: 'no rm' }";

#[test]
fn after_so_many_refusals_in_a_row_the_work_is_blocked() {
    let sandbox = js::sandbox(&[("no-rm", REFUSES_RM)], json!({"blockAfterDenies": 2}));
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "go"}));
    sandbox.raw("PreToolUse", &shell("t1", "touch x"));
    sandbox.raw("PreToolUse", &shell("t2", "rm x"));
    assert_eq!(phase(&sandbox), "EXECUTING");
    sandbox.raw("PreToolUse", &shell("t3", "rm x"));
    assert_eq!(phase(&sandbox), "BLOCKED");
    assert_eq!(sandbox.session().core("blockedFrom"), "EXECUTING");
    sandbox.check_everything();
}

#[test]
fn a_permitted_call_in_between_resets_the_count() {
    let sandbox = js::sandbox(&[("no-rm", REFUSES_RM)], json!({"blockAfterDenies": 2}));
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "go"}));
    for (id, command) in [("t1", "rm x"), ("t2", "touch y"), ("t3", "rm x"), ("t4", "ls")] {
        sandbox.raw("PreToolUse", &shell(id, command));
    }
    assert_eq!(phase(&sandbox), "EXECUTING");
}

#[test]
fn blocked_work_may_read_and_says_how_to_go_on() {
    let manifest = json!({"blockAfterDenies": 1, "enforcePhases": true});
    let sandbox = js::sandbox(&[("no-rm", REFUSES_RM)], manifest);
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "go"}));
    sandbox.raw("PreToolUse", &shell("t1", "ls"));
    assert_eq!(phase(&sandbox), "BLOCKED");
    assert_eq!(sandbox.raw("PreToolUse", &reading("t2", "a.txt"))["decision"], "allow");
    let reason = deny_reason(&sandbox.raw("PreToolUse", &shell("t3", "ls")));
    assert!(reason.contains(&format!("steersman session unblock {}", sandbox.session().id)), "{reason}");
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "and now?"}));
    assert_eq!(phase(&sandbox), "BLOCKED", "a prompt lifts no block");
    sandbox.check_everything();
}
