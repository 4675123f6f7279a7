//! A host that reads our registration twice fires every hook twice; one trace is left.

use std::thread;

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::{js, shell};

const NO_RM: (&str, &str) = (
    "no-rm",
    "if (ctx.event.command?.startsWith('rm')) return { decision: 'deny', denyReason: 'Use trash instead.' }",
);

fn runs(sandbox: &Sandbox) -> usize {
    sandbox.session().events_of("HOOK_RUN").len()
}

#[test]
fn the_second_announcement_of_a_call_is_answered_like_the_first_and_not_recorded() {
    let sandbox = js::sandbox(&[NO_RM], json!({}));
    for (event, command) in [("PreToolUse", "rm x"), ("PreToolUse", "ls"), ("PostToolUse", "ls")] {
        let call = shell(&format!("{event} {command}"), command);
        let first = sandbox.raw(event, &call);
        let n_runs = runs(&sandbox);
        assert_eq!(sandbox.raw(event, &call), first);
        assert_eq!(runs(&sandbox), n_runs, "{event} of {command}");
    }
    sandbox.check_everything();
}

#[test]
fn the_same_id_with_another_input_is_another_call() {
    let sandbox = js::sandbox(&[NO_RM], json!({}));
    assert_eq!(sandbox.raw("PreToolUse", &shell("t1", "ls"))["decision"], "allow");
    assert_eq!(sandbox.raw("PreToolUse", &shell("t1", "rm x"))["decision"], "deny");
    assert_eq!(runs(&sandbox), 2);
}

#[test]
fn calls_without_an_id_are_each_their_own() {
    let sandbox = js::sandbox(&[NO_RM], json!({}));
    let mut call = shell("", "ls");
    call.as_object_mut().unwrap().remove("tool_use_id");
    sandbox.raw("PreToolUse", &call);
    sandbox.raw("PreToolUse", &call);
    assert_eq!(runs(&sandbox), 2);
}

#[test]
fn eight_announcements_at_once_leave_one_trace() {
    let sandbox = js::sandbox(&[NO_RM], json!({}));
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "go"}));
    let call = shell("t1", "rm x");
    let answers: Vec<Value> = thread::scope(|scope| {
        let announce = || scope.spawn(|| sandbox.raw("PreToolUse", &call));
        let threads: Vec<_> = (0..8).map(|_| announce()).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    assert_eq!(answers[0]["decision"], "deny");
    assert_eq!(runs(&sandbox), 2, "the prompt and the call");
    sandbox.check_everything();
}

/// The key a call is known by when it is announced again, as a model might work it out.
#[test]
fn an_input_that_looks_like_a_record_speaks_for_no_other_call() {
    let sandbox = js::sandbox(&[NO_RM], json!({}));
    sandbox.raw("PreToolUse", &shell("t2", "rm x"));
    let key = sandbox.session().last_run()["data"]["callKey"].clone();
    // In another session: the harmless call first, with the key of the other in its input.
    let elsewhere = |call: &Value| {
        let mut payload = testkit::payload::raw("PreToolUse", &sandbox.root(), call);
        payload["session_id"] = json!("session-2");
        sandbox.ask("raw", "PreToolUse", &payload)["decision"].clone()
    };
    let mut harmless = shell("t1", "ls");
    harmless["tool_input"]["callKey"] = key;
    assert_eq!(elsewhere(&harmless), "allow");
    assert_eq!(elsewhere(&shell("t2", "rm x")), "deny");
}

#[test]
fn copilot_that_reads_two_files_leaves_one_trace_of_each_event() {
    let sandbox = crate::sandbox();
    for name in ["UserPromptSubmit", "PreToolUse_Bash", "PostToolUse_Bash", "Stop"] {
        let recorded = testkit::payload::recorded("copilot", name, &sandbox.root());
        // The registration in `.claude/settings.json` names no host either.
        let first = sandbox.replay(&recorded);
        assert_eq!(sandbox.replay(&recorded), first, "{name}");
    }
    let session = sandbox.session();
    assert_eq!(session.core("host"), "copilot-cli");
    assert_eq!(session.core("lastTurnId"), 1);
    assert_eq!((runs(&sandbox), session.prompts().len()), (4, 1));
}

#[test]
fn a_prompt_that_qwen_tells_before_every_call_of_the_model_is_one_turn() {
    let sandbox = crate::sandbox();
    let event = |name: &str, more: Value| {
        let mut payload = json!({"session_id": "q", "cwd": sandbox.root(), "hook_event_name": name});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        sandbox.ask("qwen", name, &payload);
    };
    let prompt = || event("UserPromptSubmit", json!({"prompt": "go on"}));
    for _ in 0..3 {
        prompt();
        let call = json!({"tool_name": "read_file", "tool_input": {"file_path": "x"}, "tool_use_id": "t"});
        event("PreToolUse", call);
    }
    assert_eq!(sandbox.session().core("lastTurnId"), 1);
    assert_eq!(sandbox.session().prompts().len(), 1);
    event("Stop", json!({}));
    prompt();
    assert_eq!(sandbox.session().core("lastTurnId"), 2, "after a stop the same words are a new turn");
}

#[test]
fn gemini_telling_of_a_compression_before_every_call_is_recorded_once_a_turn() {
    let sandbox = crate::sandbox();
    let event = |name: &str, more: Value| {
        let mut payload = json!({"session_id": "g", "cwd": sandbox.root(), "hook_event_name": name});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        sandbox.ask("gemini", name, &payload);
    };
    for turn in 1..=2 {
        event("BeforeAgent", json!({"prompt": "go"}));
        for _ in 0..3 {
            event("PreCompress", json!({"trigger": "auto"}));
        }
        let compressions = sandbox.session().events_of("HOOK_RUN");
        let compressions = compressions.iter().filter(|run| run["data"]["event"] == "PreCompact").count();
        assert_eq!(compressions, turn);
    }
}
