//! Calls that are denied or fail again and again.

use serde_json::{Value, json};

use super::scene::{CLAUDE, Scene};

fn reason(answer: &Value) -> Option<String> {
    let specific = &answer["hookSpecificOutput"];
    (specific["permissionDecision"] == "deny")
        .then(|| specific["permissionDecisionReason"].as_str().unwrap().to_owned())
}

/// Sends the result of a command and returns the context for the model.
fn result(scene: &Scene, id: usize, command: &str, error: Option<&str>) -> Option<String> {
    let id = format!("r{id}");
    scene.shell("claude-code", &id, command);
    let mut call = json!({"tool_name": "Bash", "tool_use_id": id, "tool_input": {"command": command}});
    let event = if let Some(error) = error {
        call["error"] = json!(error);
        "PostToolUseFailure"
    } else {
        call["tool_response"] = json!({"stdout": "", "stderr": ""});
        "PostToolUse"
    };
    let answer = scene.send("claude-code", event, &call);
    answer["hookSpecificOutput"]["additionalContext"].as_str().map(str::to_owned)
}

#[test]
fn a_call_that_is_denied_again_and_again_gets_a_stronger_answer_and_then_holds_the_session() {
    let scene = Scene::new();
    for n in 1..=6 {
        let answer = scene.shell("claude-code", &n.to_string(), "rm -rf /");
        let text = reason(&answer).unwrap();
        assert_eq!(text.contains("You repeat a call that does not work"), n >= 3, "{n}: {text}");
        let is_warned =
            answer["systemMessage"].as_str().is_some_and(|text| text.contains("`steersman release`"));
        assert_eq!(is_warned, n == 6, "{n}: {answer}");
    }
    let held = reason(&scene.shell("claude-code", "7", "ls")).unwrap();
    assert!(
        held.starts_with("steersman holds this session, because Bash was denied or failed 6 times"),
        "{held}"
    );
    assert_eq!(scene.run(&["release", CLAUDE]).code, 0);
    assert_eq!(scene.shell("claude-code", "8", "ls"), json!({}));
}

#[test]
fn failures_and_alternation_count_and_a_write_in_between_resets_them() {
    let scene = Scene::new();
    let fails = |n: usize, command: &str| {
        result(&scene, n, command, Some("Exit code 1\nno such target (took 0.3 s)"))
    };
    assert_eq!(fails(1, "make x"), None);
    assert_eq!(fails(2, "make x"), None);
    let advice = fails(3, "make x").unwrap();
    assert!(advice.contains("`make x` failed 3 times in a row") && advice.contains("Instead:"), "{advice}");
    // An edit–test cycle is no loop.
    let scene = Scene::new();
    for n in 0..8 {
        let context = result(&scene, 2 * n, "make x", Some("Exit code 1\nbroken"));
        assert_eq!(context, None, "{n}");
        assert_eq!(result(&scene, 2 * n + 1, "touch src.c", None), None);
    }
    // Two calls in alternation.
    let scene = Scene::new();
    let mut advice = Vec::new();
    for n in 0..6 {
        let command = if n % 2 == 0 { "make x" } else { "make y" };
        advice.push(result(&scene, n, command, Some("Exit code 1\nbroken")).is_some());
    }
    assert_eq!(advice, [false, false, false, false, false, true]);
}

#[test]
fn polling_is_no_loop() {
    let scene = Scene::new();
    for (command, error) in [
        ("sleep 5 && curl -fsS http://localhost:8080/health", "Exit code 22"),
        ("gh run watch 42 --exit-status", "Exit code 1\nin progress"),
        ("timeout 10 ./wait-for-build", "Exit code 124"),
        ("test -f out/x", "Exit code 1"),
        ("grep -q done build.log", "Exit code 1"),
        ("pgrep -x cargo", "Exit code 1"),
        ("pg_isready", "Exit code 2\nno response"),
        ("nc -z localhost 5432", "Exit code 1"),
        ("cargo test", "[Request interrupted by user for tool use]"),
    ] {
        for n in 0..8 {
            assert_eq!(result(&scene, n, command, Some(error)), None, "{command}");
        }
    }
    // Other results each time, and calls that work.
    for n in 0..8 {
        let error = format!("Exit code 1\nwaiting for {}", ["a", "b", "c", "d", "e", "f", "g", "h"][n]);
        assert_eq!(result(&scene, 100 + n, "./status", Some(&error)), None);
        assert_eq!(result(&scene, 200 + n, "cat log", None), None);
    }
}

#[test]
fn a_loop_in_other_words_is_one() {
    for (name, commands) in [
        ("a time limit", vec!["timeout 60 cargo test"; 3]),
        ("a comment", vec!["cargo test # wait for it", "cargo test # 2", "cargo  test"]),
        ("a word in quotes", vec!["git commit -m 'wait for x'"; 3]),
        ("a file that is not there", vec!["cat nowhere"; 3]),
    ] {
        let scene = Scene::new();
        let mut advice = Vec::new();
        for (n, command) in commands.iter().enumerate() {
            advice.push(result(&scene, n, command, Some("Exit code 1\nbroken")).is_some());
        }
        assert_eq!(advice, [false, false, true], "{name}");
    }
}

#[test]
fn a_new_prompt_starts_the_count_again() {
    let scene = Scene::new();
    for n in 0..8 {
        let prompt = json!({"prompt": format!("try again {n}"), "prompt_id": format!("p{n}")});
        scene.send("claude-code", "UserPromptSubmit", &prompt);
        assert_eq!(result(&scene, n, "make x", Some("Exit code 1\nbroken")), None, "{n}");
    }
}

#[test]
fn the_eighteenth_agent_is_counted_too() {
    let scene = Scene::new();
    let denied = |agent: usize, n: usize| {
        let call = json!({"tool_name": "Bash", "tool_use_id": format!("{agent}-{n}"), "agent_id": format!("s{agent}"),
            "tool_input": {"command": "rm -rf /"}});
        reason(&scene.send("claude-code", "PreToolUse", &call)).unwrap()
    };
    for agent in 0..17 {
        denied(agent, 0);
    }
    let texts: Vec<bool> = (0..3).map(|n| denied(17, n).contains("You repeat")).collect();
    assert_eq!(texts, [false, false, true]);
}

#[test]
fn agents_are_counted_apart_and_the_breaker_can_be_switched_off() {
    let scene = Scene::new();
    for n in 0..4 {
        for agent in ["a", "b"] {
            let call = json!({"tool_name": "Bash", "tool_use_id": format!("{agent}{n}"), "agent_id": agent,
                "tool_input": {"command": "rm -rf /"}});
            let text = reason(&scene.send("claude-code", "PreToolUse", &call)).unwrap();
            assert_eq!(text.contains("You repeat"), n >= 2, "{agent}{n}: {text}");
        }
    }
    let scene = Scene::new();
    scene.config(&json!({"version": 1, "loop": {"after": 0}}));
    for n in 0..8 {
        let text = reason(&scene.shell("claude-code", &n.to_string(), "rm -rf /")).unwrap();
        assert!(!text.contains("You repeat"), "{text}");
    }
}
