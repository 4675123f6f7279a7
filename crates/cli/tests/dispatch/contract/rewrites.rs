//! §9: one module may rewrite a tool input, and only `session` may stamp it.

use serde_json::json;

use crate::{js, sandbox_with, shell};

const CLAMP: (&str, &str) = ("clamp", "return { updatedInput: { command: 'ls | head' } }");

#[test]
fn the_owners_rewrite_is_printed_as_the_complete_input() {
    let sandbox = js::sandbox(&[CLAMP], json!({"rewriteOwner": "clamp"}));
    let mut call = shell("t1", "ls");
    call["tool_input"]["description"] = json!("list");
    let answer = sandbox.raw("PreToolUse", &call);
    assert_eq!(answer["updatedInput"], json!({"command": "ls | head", "description": "list"}));
    assert_eq!(sandbox.session().last_run()["data"]["rewrite"], answer["updatedInput"]);
    sandbox.check_everything();
}

#[test]
fn an_owner_may_be_named_for_each_event() {
    for (owner, rewritten) in [(json!({"PreToolUse": "clamp"}), true), (json!({"Stop": "clamp"}), false)] {
        let sandbox = js::sandbox(&[CLAMP], json!({"rewriteOwner": owner}));
        let answer = sandbox.raw("PreToolUse", &shell("t1", "ls"));
        assert_eq!(answer["updatedInput"].is_object(), rewritten, "{answer}");
    }
}

#[test]
fn a_rewrite_of_any_other_module_is_ignored_with_a_warning() {
    let sandbox = js::sandbox(&[CLAMP], json!({}));
    let answer = sandbox.raw("PreToolUse", &shell("t1", "ls"));
    assert!(answer.get("updatedInput").is_none(), "{answer}");
    assert!(answer["warnings"].to_string().contains("rewriteOwner"), "{answer}");
    assert!(sandbox.session().last_run()["data"]["ignored"].to_string().contains("planGraph-exec"));
}

#[test]
fn a_refused_call_is_not_rewritten() {
    let body = "return { decision: 'deny', denyReason: 'no', updatedInput: { command: 'true' } }";
    let sandbox = js::sandbox(&[("clamp", body)], json!({"rewriteOwner": "clamp", "stampInput": true}));
    let answer = sandbox.raw("PreToolUse", &shell("t1", "ls"));
    assert_eq!(answer["decision"], "deny");
    assert!(answer.get("updatedInput").is_none(), "{answer}");
}

#[test]
fn stamps_are_recorded_always_and_put_into_the_input_on_request() {
    for stamp_input in [false, true] {
        let sandbox = sandbox_with(json!({"stampInput": stamp_input}));
        let answer = sandbox.raw("PreToolUse", &shell("t1", "ls"));
        let session = sandbox.session();
        let stamps = session.last_run()["data"]["stamps"].clone();
        assert_eq!(stamps["_hookSessionId"], *session.id);
        assert_eq!(stamps["_hookWorkId"], "w001");
        if stamp_input {
            assert_eq!(answer["updatedInput"]["_hookSessionId"], *session.id);
            assert_eq!(answer["updatedInput"]["command"], "ls");
        } else {
            assert!(answer.get("updatedInput").is_none(), "{answer}");
        }
    }
}

#[test]
fn a_rewrite_lies_on_top_of_the_stamps() {
    let sandbox = js::sandbox(&[CLAMP], json!({"rewriteOwner": "clamp", "stampInput": true}));
    let input = sandbox.raw("PreToolUse", &shell("t1", "ls"))["updatedInput"].clone();
    assert_eq!(input["command"], "ls | head");
    assert_eq!(input["_hookAgentId"], "u00");
}

#[test]
fn stamps_of_any_other_module_are_ignored_with_a_warning() {
    let body = "return { inputMetadata: { _hookMine: 1 } }";
    let sandbox = js::sandbox(&[("stamper", body)], json!({"stampInput": true}));
    let answer = sandbox.raw("PreToolUse", &shell("t1", "ls"));
    assert!(answer["updatedInput"].get("_hookMine").is_none(), "{answer}");
    assert!(answer["warnings"].to_string().contains("inputMetadata"), "{answer}");
}
