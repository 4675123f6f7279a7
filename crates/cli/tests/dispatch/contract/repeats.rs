//! A host that reads the registration twice fires every hook twice; only one run is recorded.

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

/// The key by which a repeated call is recognised, as a model might compute it.
#[test]
fn an_input_that_looks_like_a_record_speaks_for_no_other_call() {
    let sandbox = js::sandbox(&[NO_RM], json!({}));
    sandbox.raw("PreToolUse", &shell("t2", "rm x"));
    let key = sandbox.session().last_run()["data"]["callKey"].clone();
    // In another session: the harmless call first, with the key of the other call in its input.
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
fn a_prompt_that_qwen_repeats_before_every_model_call_is_one_turn() {
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
fn a_second_event_of_copilot_within_a_second_is_recorded_too() {
    let sandbox = js::sandbox(&[NO_RM], json!({}));
    let event = |name: &str, stamp: &str, more: Value| {
        let mut payload = json!({
            "session_id": "c", "cwd": sandbox.root(), "hook_event_name": name,
            "timestamp": format!("2026-01-01T00:00:00.{stamp}Z"),
        });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        sandbox.ask("copilot-cli", name, &payload);
        runs(&sandbox)
    };
    let write = || json!({"tool_name": "Write", "tool_input": {"path": "a", "file_text": "1"}});
    let list = || json!({"tool_name": "Bash", "tool_input": {"command": "ls"}});
    assert_eq!(event("PreToolUse", "001", write()), 1);
    assert_eq!(event("PreToolUse", "001", write()), 1, "the same call");
    assert_eq!(event("PreToolUse", "002", list()), 2);
    assert_eq!(event("PreToolUse", "003", write()), 3, "the model tries again");
    assert_eq!(event("PreToolUse", "003", write()), 3);
    assert_eq!(event("Stop", "004", json!({})), 4);
    assert_eq!(event("Stop", "004", json!({})), 4);
    assert_eq!(event("Stop", "005", json!({})), 5, "a second stop");
    let mut without = list();
    without["timestamp"] = Value::Null;
    assert_eq!(event("PreToolUse", "006", without.clone()), 6);
    assert_eq!(event("PreToolUse", "006", without), 7, "nothing tells whether it is the same call");
}

#[test]
fn two_registrations_leave_one_trace_of_each_event_on_every_host() {
    for (folder, names) in [
        ("claude", ["UserPromptSubmit", "PreToolUse_Bash", "PostToolUse_Bash", "PreToolUse_Write"]),
        ("codex", ["UserPromptSubmit", "PreToolUse_Bash", "PostToolUse_Bash", "PreToolUse_apply_patch"]),
        ("gemini", ["SessionStart_startup", "BeforeAgent", "BeforeTool_run_shell_command", "AfterAgent"]),
        ("qwen", ["SessionStart_startup", "UserPromptSubmit", "PreToolUse_run_shell_command", "Stop"]),
        ("copilot", ["SessionStart_new", "UserPromptSubmit", "PreToolUse_Write", "Stop"]),
    ] {
        let sandbox = crate::sandbox();
        for name in names {
            let recorded = testkit::payload::recorded(folder, name, &sandbox.root());
            thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| sandbox.replay(&recorded));
                }
            });
        }
        let session = sandbox.session();
        assert_eq!((runs(&sandbox), session.prompts().len()), (names.len(), 1), "{folder}");
        assert_eq!(session.core("lastTurnId"), 1, "{folder}");
    }
}

/// Sends a payload in the name of a registration, as its command line does.
fn announce(sandbox: &Sandbox, host: &str, registration: Option<&str>, payload: &Value) -> Value {
    let event = payload["hook_event_name"].as_str().unwrap();
    let flag = registration.map(|name| ["--registration", name]).into_iter().flatten();
    sandbox.dispatch(host, event).args(flag).payload(payload).run().object()
}

#[test]
fn a_registration_announces_an_event_once_so_its_second_announcement_is_a_second_event() {
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}});
    let agent = json!({"agent_id": "a", "agent_type": "task"});
    for (event, more) in
        [("PreToolUse", &call), ("PostToolUse", &call), ("SubagentStart", &agent), ("SubagentStop", &agent)]
    {
        let sandbox = crate::sandbox();
        let mut payload = json!({
            "session_id": "c", "cwd": sandbox.root(), "hook_event_name": event,
            "timestamp": "2026-01-01T00:00:00.001Z",
        });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        // Equal calls of one message, each announced by three registrations.
        let mut expected = 0;
        for order in [["project", "user", "managed"], ["project", "managed", "user"]] {
            expected += 1;
            for registration in order {
                announce(&sandbox, "copilot-cli", Some(registration), &payload);
                assert_eq!(runs(&sandbox), expected, "{event} by {registration}");
            }
        }
        announce(&sandbox, "copilot-cli", None, &payload);
        assert_eq!(runs(&sandbox), expected, "{event}: another program's settings announce it, too");
    }
}

/// Copilot announces a session's start and its first prompt at once, to one registration after the other.
#[test]
fn events_that_copilot_announces_at_once_are_recorded_once_each() {
    let sandbox = crate::sandbox();
    let recorded = |name: &str| testkit::payload::recorded("copilot", name, &sandbox.root()).payload;
    let (start, prompt) = (recorded("SessionStart_new"), recorded("UserPromptSubmit"));
    // As seen: the prompt reached the second registration before the start reached the third.
    for registration in ["managed", "user", "project"] {
        for payload in [&start, &prompt] {
            announce(&sandbox, "copilot-cli", Some(registration), payload);
        }
    }
    announce(&sandbox, "copilot-cli", None, &start);
    assert_eq!((runs(&sandbox), sandbox.session().prompts().len()), (2, 1));
    assert_eq!(sandbox.session().core("lastTurnId"), 1);
    // Calls of two subagents.
    let call = |agent: &str| {
        let mut call = recorded("PreToolUse_Bash");
        call["agent_id"] = json!(agent);
        call["parent_agent_id"] = call["session_id"].clone();
        call
    };
    for registration in ["managed", "user", "project"] {
        for agent in ["one", "other"] {
            announce(&sandbox, "copilot-cli", Some(registration), &call(agent));
        }
    }
    assert_eq!(runs(&sandbox), 4);
}

#[test]
fn every_kept_stop_of_claude_code_is_recorded_although_its_transcript_grows_late() {
    let keeper = ("keeper", "if (eventName === 'Stop') return { decision: 'deny', denyReason: 'go on' }");
    for registrations in [&[None][..], &[None, Some("managed")]] {
        let sandbox = js::sandbox(&[keeper], json!({}));
        sandbox.write("transcript.jsonl", "{}\n");
        let stop = json!({
            "session_id": "s", "cwd": sandbox.root(), "hook_event_name": "Stop", "stop_hook_active": true,
            "transcript_path": sandbox.path("transcript.jsonl"),
        });
        for n_stops in 1..=5 {
            for (n, registration) in registrations.iter().enumerate() {
                // The transcript may grow between two announcements, and need not between two stops.
                sandbox.write("transcript.jsonl", "{}\n".repeat(n + 1));
                let answer = announce(&sandbox, "claude-code", *registration, &stop);
                assert_eq!(answer["decision"], "block", "{answer}");
            }
            assert_eq!(runs(&sandbox), n_stops, "{registrations:?}");
        }
        let answer = announce(&sandbox, "claude-code", None, &stop);
        assert_eq!(answer["decision"], Value::Null, "{answer}");
    }
}

#[test]
fn a_second_stop_of_a_host_without_timestamps_is_recorded_once_its_transcript_has_grown() {
    for host in ["claude-code", "codex"] {
        let sandbox = crate::sandbox();
        let transcript = sandbox.path("transcript.jsonl");
        let stop = || {
            let payload = json!({"session_id": "s", "cwd": sandbox.root(), "hook_event_name": "Stop",
                "transcript_path": transcript, "stop_hook_active": true, "last_assistant_message": "done"});
            sandbox.ask(host, "Stop", &payload);
        };
        sandbox.write("transcript.jsonl", "{}\n");
        stop();
        stop();
        sandbox.write("transcript.jsonl", "{}\n{}\n");
        stop();
        // The second is a repetition only if it came within a second.
        assert!((2..=3).contains(&runs(&sandbox)), "{host}");
    }
}
