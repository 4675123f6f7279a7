//! Every recorded payload of every host, and payloads of no known host.

use serde_json::{Value, json};
use testkit::payload::{every_recorded, recorded};

use crate::{sandbox, sandbox_with, shell};

#[test]
fn every_recorded_payload_is_recognised_recorded_and_answered() {
    let sandbox = sandbox();
    for recording in every_recorded(&sandbox.root()) {
        let answer = sandbox.replay(&recording);
        assert!(answer.as_object().unwrap().keys().all(|key| key != "systemMessage"), "{answer}");
    }
    assert_eq!(sandbox.dispatch_log(), "");
    let hosts: std::collections::BTreeSet<String> =
        sandbox.sessions().iter().map(|it| it.core("host").as_str().unwrap().to_owned()).collect();
    assert_eq!(
        hosts.into_iter().collect::<Vec<_>>(),
        ["claude-code", "codex", "copilot-cli", "gemini", "qwen"]
    );
    sandbox.check_everything();
}

#[test]
fn a_payload_of_an_unknown_host_is_answered_with_a_warning_and_logged() {
    let sandbox = sandbox();
    for args in [vec!["dispatch", "PreToolUse"], vec!["dispatch", "PreToolUse", "--host", "tomorrow"]] {
        let answer = sandbox.call().args(args).payload(&json!({"agent_action_name": "x"})).run().object();
        let said = answer["systemMessage"].as_str().unwrap();
        assert!(said.contains("cannot tell which agent program"), "{said}");
        assert_eq!(answer.as_object().unwrap().len(), 1, "{answer}");
    }
    assert_eq!(
        sandbox
            .dispatch_log()
            .lines()
            .filter(|line| line.contains("cannot tell which agent program"))
            .count(),
        2
    );
    sandbox.check_everything();
}

#[test]
fn a_host_that_is_not_ours_does_not_keep_a_payload_from_being_recognised() {
    let sandbox = sandbox();
    let payload = recorded("claude", "PreToolUse_Bash", &sandbox.root()).payload;
    let call = sandbox.call().args(["dispatch", "PreToolUse", "--host", "tomorrow"]);
    call.payload(&payload).run().object();
    assert_eq!(sandbox.session().core("host"), "claude-code");
}

#[test]
fn an_unknown_event_is_a_fault_and_not_an_allow() {
    let sandbox = sandbox();
    let mut payload = recorded("claude", "PreToolUse_Bash", &sandbox.root()).payload;
    payload["hook_event_name"] = json!("Tomorrow");
    let answer = sandbox.ask("claude-code", "PreToolUse", &payload);
    assert!(answer["systemMessage"].as_str().unwrap().contains("`Tomorrow`"), "{answer}");
    assert!(answer.get("hookSpecificOutput").is_none(), "{answer}");
    assert!(sandbox.dispatch_log().contains("`Tomorrow`"));
}

#[test]
fn an_event_that_is_not_ours_is_answered_with_silence() {
    let sandbox = sandbox();
    let payload = recorded("claude", "SessionEnd_other", &sandbox.root()).payload;
    assert_eq!(sandbox.ask("claude-code", "SessionEnd", &payload), json!({}));
    sandbox.ask("raw", "SessionEnd", &json!({"hook_event_name": "SessionEnd"}));
    assert_eq!(sandbox.dispatch_log(), "");
}

/// A call without a tool name, on a host that is named or recognised.
#[test]
fn a_fault_refuses_a_call_when_the_manifest_says_so() {
    for (on_fault, decision) in [("abstain", Value::Null), ("deny", json!("deny"))] {
        let sandbox = sandbox_with(json!({"onFault": on_fault}));
        let mut payload = recorded("claude", "PreToolUse_Bash", &sandbox.root()).payload;
        payload.as_object_mut().unwrap().remove("tool_name");
        let named = sandbox.ask("claude-code", "PreToolUse", &payload);
        let recognised = sandbox.call().args(["dispatch", "PreToolUse"]).payload(&payload).run().object();
        let unnamed = sandbox.call().args(["dispatch"]).payload(&payload).run().object();
        for answer in [named, recognised, unnamed] {
            assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], decision, "{answer}");
            assert!(answer["systemMessage"].as_str().unwrap().contains("tool_name"), "{answer}");
        }
    }
}

#[test]
fn a_fault_on_another_event_refuses_nothing() {
    let sandbox = sandbox_with(json!({"onFault": "deny"}));
    let answer = sandbox.dispatch("raw", "Stop").stdin("{\"half\":").run().object();
    assert_eq!(answer["decision"], "allow");
    let answer = sandbox.dispatch("raw", "PreToolUse").stdin("{\"half\":").run().object();
    assert_eq!(answer["decision"], "deny");
}

#[test]
fn shell_calls_that_are_judged_elsewhere_pass_unrecorded() {
    let sandbox = sandbox();
    let payload = testkit::payload::raw("PreToolUse", &sandbox.root(), &shell("t1", "ls"));
    let call = sandbox.dispatch("raw", "PreToolUse").args(["--skip-shell"]).payload(&payload);
    testkit::schema::check("hook-output", &call.run().object());
    assert!(sandbox.sessions().is_empty());
}

/// Codex's `write_stdin` fires no hook, so steersman could not judge input to a waiting shell.
#[test]
fn a_shell_that_waits_for_input_is_refused_only_where_no_hook_sees_the_input() {
    let sandbox = sandbox();
    for (host, refused) in [("codex", true), ("claude", false), ("gemini", false)] {
        let call = if host == "gemini" { "BeforeTool_run_shell_command" } else { "PreToolUse_Bash" };
        for command in ["bash", "cat | sh", "python3"] {
            let mut recording = recorded(host, call, &sandbox.root());
            recording.payload["tool_input"]["command"] = json!(command);
            recording.payload["tool_use_id"] = json!(format!("{host} {command}"));
            let answer = sandbox.replay(&recording).to_string();
            assert_eq!(answer.contains("interactive-program"), refused, "{host} `{command}`: {answer}");
        }
    }
}
