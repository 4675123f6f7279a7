//! `session coverage`: the host's own transcript against the journal.

use std::time::{Duration, Instant};
use std::{fs, thread};

use serde_json::{Value, json};

use super::scene::{CLAUDE, Scene};

/// Writes a transcript of Claude Code for the session `one`, with a call per id.
fn transcript(scene: &Scene, ids: &[&str]) {
    let lines = ids.iter().map(|id| {
        json!({"type": "assistant", "timestamp": "2026-01-01T00:00:00Z", "message": {"content": [
            {"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "ls"}}]}})
    });
    let text: Vec<String> = lines.map(|line| format!("{line}\n")).collect();
    write(scene, ".claude/projects/-project/one.jsonl", &text.concat());
}

fn write(scene: &Scene, file: &str, text: &str) {
    let path = scene.home().join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn coverage(scene: &Scene, args: &[&str]) -> (i32, Value) {
    let args: Vec<_> = ["session", "coverage", "--json"].iter().chain(args).copied().collect();
    let said = scene.run(&args);
    (said.code, serde_json::from_str(&said.stdout).unwrap())
}

#[test]
fn a_call_that_no_hook_judged_is_ungoverned() {
    let scene = Scene::new();
    scene.shell("claude-code", "t1", "ls");
    scene.shell("claude-code", "t2", "ls");
    transcript(&scene, &["t1", "t2"]);
    let (code, found) = coverage(&scene, &["--require", "100"]);
    assert_eq!((code, &found["percent"]), (0, &json!(100)), "{found}");
    transcript(&scene, &["t1", "t2", "t3"]);
    let (code, found) = coverage(&scene, &["--require", "100"]);
    assert_eq!((code, &found["calls"], &found["governed"]), (1, &json!(3), &json!(2)), "{found}");
    let missed = &found["sessions"][0]["ungoverned"][0];
    assert_eq!((&missed["id"], &missed["tool"]), (&json!("t3"), &json!("Bash")));
    assert_eq!(coverage(&scene, &["--require", "60"]).0, 0);
    let text = scene.run(&["session", "coverage"]).stdout;
    assert!(text.starts_with(&format!("{CLAUDE}  Claude Code: hooks judged 2 of 3 calls (66 %)")), "{text}");
    assert!(text.contains("UNGOVERNED  2026-01-01T00:00:00Z  Bash"), "{text}");
    // A subagent has its own file.
    let line =
        json!({"message": {"content": [{"type": "tool_use", "id": "s1", "name": "Read", "input": {}}]}});
    write(&scene, ".claude/projects/-project/one/subagents/agent-a1.jsonl", &format!("{line}\n"));
    let (_, found) = coverage(&scene, &[]);
    let missed = found["sessions"][0]["ungoverned"].as_array().unwrap();
    let of_subagent = missed.iter().find(|call| call["id"] == "s1").unwrap();
    assert_eq!(of_subagent["cause"], "a call of a subagent, whose hooks did not run");
}

/// Waits until the background checks of stops have recorded so many comparisons.
fn checks(scene: &Scene, n: usize) -> Vec<Value> {
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        let journal = fs::read_to_string(scene.path(&format!(".ai/tmp/{CLAUDE}/events.jsonl"))).unwrap();
        let lines: Vec<Value> = journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        if lines.iter().filter(|line| line["type"] == "COVERAGE").count() >= n {
            return lines;
        }
        assert!(Instant::now() < until, "no check ran: {journal}");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn each_stop_compares_what_the_turn_added_and_names_an_ungoverned_call_once() {
    let scene = Scene::new();
    scene.shell("claude-code", "t1", "ls");
    transcript(&scene, &["t1"]);
    scene.send("claude-code", "Stop", &json!({}));
    let of = |lines: &[Value], kind: &str| -> Vec<Value> {
        lines.iter().filter(|line| line["type"] == kind).map(|line| line["data"].clone()).collect()
    };
    let lines = checks(&scene, 1);
    assert_eq!(of(&lines, "UNGOVERNED"), Vec::<Value>::new());
    assert_eq!(of(&lines, "COVERAGE")[0]["calls"], 1);
    scene.shell("claude-code", "t2", "ls");
    transcript(&scene, &["t1", "t2", "t3"]);
    scene.send("claude-code", "Stop", &json!({"prompt_id": "2"}));
    let lines = checks(&scene, 2);
    let missed = of(&lines, "UNGOVERNED");
    assert_eq!((missed.len(), &missed[0]["id"], &missed[0]["tool"]), (1, &json!("t3"), &json!("Bash")));
    // What is known is not read again.
    scene.shell("claude-code", "t4", "ls");
    transcript(&scene, &["t1", "t2", "t3", "t4"]);
    scene.send("claude-code", "Stop", &json!({"prompt_id": "3"}));
    let lines = checks(&scene, 3);
    assert_eq!(of(&lines, "UNGOVERNED").len(), 1);
    assert_eq!(of(&lines, "COVERAGE")[2]["calls"], 1, "only the new call");
    let shown = scene.run(&["session", "show", CLAUDE]).stdout;
    assert!(shown.contains("no hook judged a call of `Bash` at 2026-01-01T00:00:00Z"), "{shown}");
}

#[test]
fn an_absent_or_empty_transcript_proves_nothing() {
    let scene = Scene::new();
    scene.shell("claude-code", "t1", "ls");
    assert_eq!(coverage(&scene, &["--require", "100"]).0, 3, "no transcript");
    transcript(&scene, &[]);
    assert_eq!(coverage(&scene, &["--require", "100"]).0, 3, "an empty file");
    write(&scene, ".claude/projects/-project/one.jsonl", "not json\n");
    assert_eq!(coverage(&scene, &[]).0, 3);
    write(&scene, ".claude/projects/-project/one.jsonl", "{\"type\":\"user\"}\n");
    assert_eq!(coverage(&scene, &["--require", "100"]).0, 3, "no call, although hooks judged one");
    let (code, found) = coverage(&scene, &["--all"]);
    assert_eq!((code, &found["sessions"][0]["problem"]), (3, &json!("its transcript is empty")));
}

#[test]
fn calls_without_ids_are_found_by_their_input() {
    let scene = Scene::new();
    let call = |command: &str| json!({"tool_name": "run_shell_command", "tool_input": {"command": command}});
    scene.send("gemini", "BeforeTool", &call("ls"));
    scene.send("gemini", "BeforeTool", &json!({"timestamp": "2026-01-01T00:00:01Z", "tool_name": "run_shell_command", "tool_input": {"command": "ls"}}));
    let calls = |commands: &[&str]| {
        let calls: Vec<Value> = commands.iter().enumerate()
            .map(|(n, command)| json!({"id": format!("c{n}"), "name": "run_shell_command", "args": {"command": command}}))
            .collect();
        format!("{}\n", json!({"type": "gemini", "toolCalls": calls}))
    };
    write(&scene, ".gemini/tmp/project/chats/session-2026-one.jsonl", &calls(&["ls", "ls"]));
    assert_eq!(coverage(&scene, &[]).1["percent"], 100);
    write(&scene, ".gemini/tmp/project/chats/session-2026-one.jsonl", &calls(&["ls", "ls", "ls", "pwd"]));
    let (_, found) = coverage(&scene, &[]);
    assert_eq!((&found["calls"], &found["governed"]), (&json!(4), &json!(2)), "{found}");
}
