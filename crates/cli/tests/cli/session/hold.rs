//! `hold`, `release`, `stop`

use std::thread;

use serde_json::{Value, json};

use super::scene::{CLAUDE, Scene};

/// Returns the reason of a denial by Claude Code's answer; `None` if the call passes.
fn denial(answer: &Value) -> Option<&str> {
    let specific = &answer["hookSpecificOutput"];
    (specific["permissionDecision"] == "deny").then(|| specific["permissionDecisionReason"].as_str().unwrap())
}

fn started() -> Scene {
    let scene = Scene::new();
    scene.send("claude-code", "UserPromptSubmit", &json!({"prompt": "go"}));
    assert_eq!(scene.shell("claude-code", "1", "ls"), json!({}));
    scene
}

#[test]
fn a_held_session_makes_no_call_until_it_is_released() {
    let scene = started();
    let held = scene.run(&["hold", "--reason", "wait for the review"]);
    assert_eq!(held.code, 0);
    assert_eq!(
        held.stderr,
        format!("held: session {CLAUDE}\nhint: run `steersman release {CLAUDE}` to let it continue\n")
    );
    let answer = scene.shell("claude-code", "2", "ls");
    let reason = denial(&answer).unwrap();
    assert!(
        reason.starts_with("A person holds this session: wait for the review. No tool call passes"),
        "{reason}"
    );
    // Also harmless tools, other spellings, and subagents of the session.
    let read =
        json!({"tool_name": "Read", "tool_use_id": "3", "tool_input": {"file_path": "a"}, "agent_id": "x"});
    assert!(denial(&scene.send("claude-code", "PreToolUse", &read)).is_some());
    let prompt = scene.send("claude-code", "UserPromptSubmit", &json!({"prompt": "go on", "prompt_id": "b"}));
    assert!(prompt["systemMessage"].as_str().unwrap().contains("`steersman release`"), "{prompt}");
    assert!(denial(&scene.shell("claude-code", "4", "ls")).is_some());
    let listed = scene.json(&["list"]);
    assert_eq!(listed["sessions"][0]["held"], true);
    assert!(scene.session(&["list"]).stdout.contains("HELD"));
    let shown = scene.session(&["show"]).stdout;
    assert!(shown.contains("■ order   a person holds the session: wait for the review"), "{shown}");
    assert!(shown.contains("denied by hold"), "{shown}");

    assert_eq!(scene.run(&["release"]).stderr, format!("released: session {CLAUDE}\n"));
    assert_eq!(scene.shell("claude-code", "5", "ls"), json!({}));
    let again = scene.run(&["release", CLAUDE]);
    assert_eq!((again.code, again.stderr), (1, format!("error: session {CLAUDE} is not held\n")));
}

#[test]
fn the_journal_alone_holds_the_session() {
    let scene = started();
    scene.run(&["hold"]);
    std::fs::remove_file(scene.path(&format!(".ai/tmp/{CLAUDE}/state.json"))).unwrap();
    assert!(denial(&scene.shell("claude-code", "2", "ls")).is_some());
}

#[test]
fn no_file_of_the_workspace_releases_a_session() {
    type Edit<'a> = &'a dyn Fn(&Scene);
    let journal = format!(".ai/tmp/{CLAUDE}/events.jsonl");
    let state = format!(".ai/tmp/{CLAUDE}/state.json");
    let edits: [(&str, Edit<'_>); 4] = [
        ("the state says released", &|scene| {
            let path = scene.path(&state);
            let mut value: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            value["core"]["hold"] = json!({"ts": 9_999_999_999_999_u64, "released": true});
            std::fs::write(&path, value.to_string()).unwrap();
        }),
        ("the journal says released", &|scene| {
            let path = scene.path(&journal);
            let text = std::fs::read_to_string(&path).unwrap();
            let held = text.lines().find(|line| line.contains("\"HELD\"")).unwrap();
            let mut line: Value = serde_json::from_str(held).unwrap();
            line["type"] = json!("RELEASED");
            line["data"]["patch"]["core"]["hold"] = json!({"ts": 9_999_999_999_999_u64, "released": true});
            std::fs::write(&path, format!("{text}{line}\n")).unwrap();
            std::fs::remove_file(scene.path(&state)).unwrap();
        }),
        ("the journal has no such line", &|scene| {
            let path = scene.path(&journal);
            let text = std::fs::read_to_string(&path).unwrap();
            let rest: String = text.split_inclusive('\n').filter(|it| !it.contains("\"hold\"")).collect();
            std::fs::write(&path, rest).unwrap();
            std::fs::remove_file(scene.path(&state)).unwrap();
        }),
        ("the session has no files", &|scene| {
            std::fs::remove_dir_all(scene.path(&format!(".ai/tmp/{CLAUDE}"))).unwrap();
        }),
    ];
    for (name, edit) in edits {
        let scene = started();
        assert_eq!(scene.run(&["hold", "--reason", "wait"]).code, 0);
        edit(&scene);
        for id in ["2", "3"] {
            assert!(denial(&scene.shell("claude-code", id, "ls")).is_some(), "{name} {id}");
        }
        assert_eq!(scene.run(&["release"]).code, 0, "{name}");
        assert_eq!(scene.shell("claude-code", "4", "ls"), json!({}), "{name}");
    }
}

#[test]
fn a_spent_leash_stays_spent_and_a_call_without_a_tool_is_denied() {
    let scene = started();
    scene.run(&["hold", "--after", "1"]);
    assert_eq!(denial(&scene.shell("claude-code", "2", "ls")), None);
    std::fs::remove_dir_all(scene.path(&format!(".ai/tmp/{CLAUDE}"))).unwrap();
    assert!(denial(&scene.shell("claude-code", "3", "ls")).is_some());
    assert!(denial(&scene.send("claude-code", "PreToolUse", &json!({"tool_input": {}}))).is_some());
    scene.run(&["release"]);
    assert_eq!(denial(&scene.send("claude-code", "PreToolUse", &json!({"tool_input": {}}))), None);
}

#[test]
fn every_host_denies_a_held_call() {
    let scene = Scene::new();
    let hosts = [
        (
            "claude-code",
            json!({"tool_name": "Bash", "tool_input": {"command": "ls"}}),
            "/hookSpecificOutput/permissionDecision",
        ),
        (
            "codex",
            json!({"tool_name": "Bash", "tool_input": {"command": "ls"}}),
            "/hookSpecificOutput/permissionDecision",
        ),
        (
            "qwen",
            json!({"tool_name": "run_shell_command", "tool_input": {"command": "ls"}}),
            "/hookSpecificOutput/permissionDecision",
        ),
        (
            "vscode",
            json!({"tool_name": "run_in_terminal", "tool_input": {"command": "ls"}}),
            "/hookSpecificOutput/permissionDecision",
        ),
        ("copilot-cli", json!({"tool_name": "bash", "tool_input": {"command": "ls"}}), "/permissionDecision"),
        ("gemini", json!({"tool_name": "run_shell_command", "tool_input": {"command": "ls"}}), "/decision"),
        ("cursor", json!({"tool_name": "Shell", "tool_input": {"command": "ls"}}), "/permission"),
        ("raw", json!({"tool_name": "Bash", "tool_input": {"command": "ls"}}), "/decision"),
    ];
    assert_eq!(scene.run(&["hold", "--all"]).code, 0);
    for (host, call, decision) in hosts {
        let answer = scene.send(host, "PreToolUse", &call);
        assert_eq!(answer.pointer(decision), Some(&json!("deny")), "{host} {answer}");
    }
}

#[test]
fn an_order_about_all_covers_sessions_that_start_later_and_one_may_be_released_alone() {
    let scene = started();
    assert_eq!(scene.run(&["hold", "--all", "--reason", "incident"]).code, 0);
    let call = |session: &str, id: &str| {
        let call = json!({"session_id": session, "tool_name": "Bash", "tool_use_id": id, "tool_input": {"command": "ls"}});
        scene.send("claude-code", "PreToolUse", &call)
    };
    assert!(denial(&call("one", "2")).unwrap().contains("incident"));
    assert!(denial(&call("later", "1")).unwrap().contains("incident"));
    assert_eq!(scene.run(&["release", CLAUDE]).code, 0);
    assert_eq!(call("one", "3"), json!({}));
    assert!(denial(&call("later", "2")).is_some());
    // A new order is later than the release.
    scene.run(&["hold", "--all"]);
    assert!(denial(&call("one", "4")).is_some());
    assert_eq!(scene.run(&["release", "--all"]).code, 0);
    assert_eq!(call("one", "5"), json!({}));
    assert_eq!(call("later", "3"), json!({}));
    assert_eq!(scene.run(&["release", "--all"]).code, 1);
}

#[test]
fn a_leash_lets_exactly_so_many_calls_pass_however_often_each_is_announced() {
    let scene = started();
    scene.run(&["hold", "--after", "3"]);
    let answers: Vec<Value> = thread::scope(|threads| {
        let spawn = |n: usize| {
            threads.spawn({
                let scene = &scene;
                // Each call is announced twice, as by two registrations.
                move || (0..2).map(|_| scene.shell("claude-code", &format!("p{n}"), "ls")).collect::<Vec<_>>()
            })
        };
        let running: Vec<_> = (0..8).map(spawn).collect();
        running.into_iter().flat_map(|run| run.join().unwrap()).collect()
    });
    let passed = answers.iter().filter(|answer| denial(answer).is_none()).count();
    assert_eq!(passed, 6, "three calls, two announcements each: {answers:?}");
    assert!(denial(&scene.shell("claude-code", "last", "ls")).is_some());
}

#[test]
fn a_leash_on_all_sessions_counts_in_each() {
    let scene = Scene::new();
    scene.run(&["hold", "--all", "--after", "1"]);
    for session in ["a", "b"] {
        for (id, passes) in [("1", true), ("2", false)] {
            let call = json!({"session_id": session, "tool_name": "Bash", "tool_use_id": id, "tool_input": {"command": "ls"}});
            let answer = scene.send("claude-code", "PreToolUse", &call);
            assert_eq!(denial(&answer).is_none(), passes, "{session} {id} {answer}");
        }
    }
}

#[test]
fn a_stopped_turn_ends_where_the_host_can_and_the_next_prompt_starts_a_new_one() {
    let scene = started();
    let stopped = scene.run(&["stop", CLAUDE]);
    assert_eq!(stopped.code, 0, "{}", stopped.stderr);
    let answer = scene.shell("claude-code", "2", "ls");
    assert!(denial(&answer).unwrap().starts_with("A person ended this turn"));
    assert_eq!(
        (&answer["continue"], &answer["stopReason"]),
        (&json!(false), &json!("A person ended this turn"))
    );
    scene.send("claude-code", "UserPromptSubmit", &json!({"prompt": "now this", "prompt_id": "2"}));
    assert_eq!(scene.shell("claude-code", "3", "ls"), json!({}));

    let codex = |event: &str, more: Value| scene.send("codex", event, &more);
    let call = json!({"tool_name": "Bash", "tool_use_id": "c1", "tool_input": {"command": "ls"}});
    codex("UserPromptSubmit", json!({"prompt": "go"}));
    assert_eq!(codex("PreToolUse", call.clone()), json!({}));
    assert_eq!(scene.run(&["stop"]).code, 0);
    let mut after = call;
    after["tool_response"] = json!("Exit code: 0\nOutput:\na\n");
    // Codex ends the turn only after a call; `continue` before one would let the tool run.
    assert_eq!(codex("PostToolUse", after)["continue"], false);
    let next = json!({"tool_name": "Bash", "tool_use_id": "c2", "tool_input": {"command": "ls"}});
    let denied = codex("PreToolUse", next);
    assert_eq!(denied["hookSpecificOutput"]["permissionDecision"], "deny");
    assert_eq!(denied.get("continue"), None);
}
