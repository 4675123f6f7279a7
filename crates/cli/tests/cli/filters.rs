//! `shell explain` and `redact`: text in, an answer out, alone or in a batch.

use std::fs;

use serde_json::{Value, json};
use testkit::{Answer, Sandbox};

fn sandbox() -> Sandbox {
    Sandbox::new(env!("CARGO_BIN_EXE_steersman"))
}

fn objects(answer: &Answer) -> Vec<Value> {
    let lines = String::from_utf8_lossy(&answer.stdout).into_owned();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn an_explanation_has_every_key_and_an_exit_code() {
    let sandbox = sandbox();
    let explain = |command: &str| sandbox.call().args(["shell", "explain", "--json", command]).run();
    let answer = explain("rm -rf ~");
    assert_eq!(answer.code, Some(1));
    let reading = &objects(&answer)[0];
    for key in [
        "verdict",
        "reasons",
        "class",
        "programs",
        "reads",
        "writes",
        "deletes",
        "network",
        "privilege",
        "unknown",
        "parsed",
    ] {
        assert!(!reading[key].is_null(), "{key} is missing: {reading}");
    }
    assert_eq!(
        (&reading["verdict"], &reading["reasons"][0]["rule"]),
        (&json!("deny"), &json!("delete-home"))
    );
    assert_eq!(reading["reasons"][0]["span"], json!([0, 8]));
    assert_eq!(explain("eval \"$(ssh-agent -s)\"").code, Some(0));
}

#[test]
fn a_batch_answers_every_line_in_order_even_invalid_ones() {
    let sandbox = sandbox();
    let input = b"{\"command\":\"ls\"}\n{\"command\":5}\n\xff\xfe\n\n{\"command\":\"rm -rf /\"}";
    let answer = sandbox.call().args(["shell", "explain", "--batch"]).stdin(&input[..]).run();
    let answers = objects(&answer);
    let verdicts: Vec<_> = answers.iter().map(|answer| answer["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["allow", "ask", "ask", "deny"]);
    let keys = |answer: &Value| answer.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    for broken in &answers[1..3] {
        assert_eq!(broken["parsed"], false, "{broken}");
        assert!(keys(&answers[0]).iter().all(|key| broken.get(key).is_some()), "{broken}");
    }
    assert_eq!(answer.code, Some(1), "not every line was understood");
}

#[test]
fn a_batch_reads_each_line_in_its_own_dialect() {
    let sandbox = sandbox();
    let line = |dialect: &str| {
        format!("{}\n", json!({"command": "Get-ChildItem | Remove-Item", "dialect": dialect}))
    };
    let input = [line("powershell"), line("posix"), line("perl")].concat();
    let answers = objects(&sandbox.call().args(["shell", "explain", "--batch"]).stdin(input).run());
    let programs: Vec<_> = answers.iter().map(|answer| answer["class"].as_str().unwrap()).collect();
    assert_eq!(programs, ["destructive", "unknown", "unknown"]);
    assert!(answers[2]["error"].as_str().unwrap().contains("unknown variant `perl`"), "{}", answers[2]);
}

#[test]
fn a_long_batch_is_answered_in_order() {
    let sandbox = sandbox();
    let request = |n: usize| format!("{}\n", json!({"command": format!("cat file-{n}.txt")}));
    let input: Vec<String> = (0..2000).map(request).collect();
    let answer = sandbox.call().args(["shell", "explain", "--batch"]).stdin(input.concat()).run();
    let answers = objects(&answer);
    assert_eq!(answers.len(), 2000);
    for (n, answer) in answers.iter().enumerate() {
        let read = answer["reads"][0].as_str().unwrap();
        assert!(read.ends_with(&format!("/file-{n}.txt")), "{n}: {answer}");
    }
    assert_eq!(answer.code, Some(0));
}

/// A command is judged in the workspace of its folder, wherever the process runs.
#[test]
fn the_workspace_is_the_one_around_the_folder_of_the_command() {
    let sandbox = sandbox();
    let above = sandbox.root().parent().unwrap().to_owned();
    let root = sandbox.root().display().to_string();
    let input = format!("{}\n", json!({"command": "rm -rf .", "cwd": root}));
    let batch = sandbox.call().folder(&above).args(["shell", "explain", "--batch"]).stdin(input).run();
    assert_eq!(objects(&batch)[0]["reasons"][0]["rule"], "delete-workspace");
    sandbox.config(&json!({"shell-guard": {"rules": {"publish": "off"}}}));
    let explain = |more: &[&str]| {
        let call = sandbox.call().folder(&above).args(["shell", "explain", "--json"]);
        objects(&call.args(more).args(["npm publish"]).run())[0]["verdict"].clone()
    };
    assert_eq!(explain(&[]), "ask");
    assert_eq!(explain(&["--cwd", &root]), "allow");
    assert_eq!(explain(&["--workspace", &root]), "allow");
}

#[test]
fn redact_keeps_the_text_and_takes_the_secrets() {
    let sandbox = sandbox();
    let key = ["AKIA", "Q3EGRTYUIOPLKJHG"].concat();
    let text = format!("id {key} of 550e8400-e29b-41d4-a716-446655440000\n");
    let answer = sandbox.call().args(["redact"]).stdin(text.clone()).run();
    let clean = "id [REDACTED] of 550e8400-e29b-41d4-a716-446655440000\n";
    assert_eq!(String::from_utf8_lossy(&answer.stdout), clean);
    let mut input = format!("{}\n", json!({"text": text})).into_bytes();
    input.extend_from_slice(b"\xff\n{\"text\":\"plain\"}\n");
    let answers = objects(&sandbox.call().args(["redact", "--batch"]).stdin(input).run());
    assert_eq!((&answers[0]["text"], &answers[2]["text"]), (&json!(clean), &json!("plain")));
    assert!(answers[1]["error"].is_string(), "{}", answers[1]);
    assert!(fs::read_dir(sandbox.path(".ai")).is_err(), "a filter leaves no trace");
}
