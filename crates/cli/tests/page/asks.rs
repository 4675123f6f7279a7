//! A person answers a hook that waits, through the page.

use std::io::{Read, Write};
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::scene::{Scene, until};

/// Starts a hook of Codex before a call about which the guard asks.
fn hook(scene: &Scene, call: &str) -> Child {
    let payload = json!({
        "session_id": "asks", "cwd": scene.sandbox.root(), "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": format!("git push --force origin {call}")}, "tool_use_id": call,
    });
    // The agent program is a separate process: the person is not beneath it.
    let script = scene.sandbox.elsewhere().join("agent-program.sh");
    if !script.exists() {
        std::fs::write(&script, "steersman=$1; shift; \"$steersman\" \"$@\"\nexit $?\n").unwrap();
    }
    let mut hook = scene.command("sh");
    hook.arg(script).arg(env!("CARGO_BIN_EXE_steersman"));
    hook.args(["dispatch", "PreToolUse", "--host", "codex", "--timeout=600"]);
    let mut hook = hook.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    hook.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
    hook
}

fn asks(scene: &Scene) -> Vec<Value> {
    let found: Value = serde_json::from_str(&scene.get("/api/v1/asks").1).unwrap();
    found["asks"].as_array().unwrap().clone()
}

fn answer(mut hook: Child) -> String {
    let mut text = String::new();
    hook.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    hook.wait().unwrap();
    text
}

#[test]
fn a_person_allows_and_denies_calls_that_wait() {
    let scene = Scene::serving();
    scene.sandbox.write(
        ".ai/hooks/config.json",
        r#"{"version": 1, "ask": {"wait": 600}, "intent": {"mode": "observe"}}"#,
    );
    let (one, other) = (hook(&scene, "one"), hook(&scene, "other"));
    until("two hooks wait", || asks(&scene).len() == 2);
    let id = |call: &str| {
        let found = asks(&scene).into_iter().find(|ask| ask["call"].as_str().unwrap().ends_with(call));
        found.unwrap()["id"].as_str().unwrap().to_owned()
    };
    let (one_id, other_id) = (id(" one"), id(" other"));
    let browsed = Scene::browse(&json!({"steps": [
        {"goto": scene.link()},
        {"until": "asks you"},
        {"press": "k"},
        {"until": "2 agents wait for your decision."},
        {"axe": true},
        {"click": format!("#allow-{one_id}")},
        {"until": "One agent waits for your decision."},
        {"click": format!("#deny-{other_id}")},
        {"until": "No agent waits for your decision."},
    ]}));
    assert_eq!(browsed.messages, json!([]));
    assert_eq!(browsed.found[4]["violations"], json!([]));
    assert!(!answer(one).contains("deny"));
    assert!(answer(other).contains("A person refused this call"));
    // A request without our cookie changes nothing.
    let third = hook(&scene, "third");
    until("a hook waits", || asks(&scene).len() == 1);
    let id = id(" third");
    let (status, _) = scene.request(&format!(
        "POST /asks/{id}/allow HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nContent-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n\r\n"
    ));
    assert_eq!((status, asks(&scene).len()), (403, 1));
    let denied = scene.command(env!("CARGO_BIN_EXE_steersman")).args(["ask", "deny", &id]).status().unwrap();
    assert!(denied.success());
    assert!(answer(third).contains("deny"));
}
