//! Lessons from sessions: recorded during the session, ranked when a turn ends, accepted by a user.

use std::fs;

use serde_json::{Value, json};
use testkit::{Answer, Sandbox, schema};

use crate::{reading, sandbox_with, shell};

const CANDIDATES: &str = "memory-journal/candidates.json";

fn sandbox() -> Sandbox {
    sandbox_with(json!({"modules": {"memory-journal": {}}}))
}

/// Sends a call of a session and its result.
fn call(sandbox: &Sandbox, session: &str, mut call: Value, error: Option<&str>) {
    call["session_id"] = json!(session);
    sandbox.raw("PreToolUse", &call);
    match error {
        Some(error) => call["error"] = json!(error),
        None => call["tool_response"] = json!("fine"),
    }
    sandbox.raw("PostToolUse", &call);
}

fn write(id: &str, path: &str) -> Value {
    json!({"tool_name": "Write", "tool_use_id": id, "tool_input": {"file_path": path, "content": "x"}})
}

fn prompt(sandbox: &Sandbox, session: &str, text: &str) {
    sandbox.raw("UserPromptSubmit", &json!({"session_id": session, "prompt": text}));
}

/// A session in which a test fails, a file is fixed, and the test passes.
fn fixed_test(sandbox: &Sandbox, session: &str) {
    prompt(sandbox, session, "make the tests pass");
    call(
        sandbox,
        session,
        shell(&format!("{session}1"), "cargo test"),
        Some("error[E0432]: unresolved import"),
    );
    call(sandbox, session, write(&format!("{session}2"), "src/lib.rs"), None);
    call(sandbox, session, shell(&format!("{session}3"), "cargo test"), None);
    sandbox.raw("Stop", &json!({"session_id": session}));
}

fn memory(sandbox: &Sandbox, args: &[&str]) -> Answer {
    sandbox.call().args(["memory"].iter().chain(args)).run()
}

fn lessons(sandbox: &Sandbox) -> Vec<Value> {
    let answer = memory(sandbox, &["list", "--json"]);
    let listed: Value = serde_json::from_slice(&answer.stdout).unwrap();
    listed["lessons"].as_array().unwrap().clone()
}

fn said(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.stderr).into_owned()
}

#[test]
fn what_was_tried_failed_and_fixed_it_is_written_down() {
    let sandbox = sandbox();
    fixed_test(&sandbox, "one");
    let session = sandbox.session();
    let kinds: Vec<_> = session.experience().iter().map(|line| line["kind"].clone()).collect();
    assert_eq!(kinds, ["asked", "failed", "tried", "fixed"]);
    let fixed = &session.experience()[3];
    assert_eq!(fixed["subject"], "cargo test");
    assert_eq!(fixed["paths"], json!(["src/lib.rs"]));
    assert_eq!(fixed["text"], "error[E0432]: unresolved import");
    let candidates = session.output(CANDIDATES).unwrap();
    schema::check("memory-candidates", &candidates);
    assert_eq!(candidates["candidates"].as_array().unwrap().len(), 1);
    let lesson = &candidates["candidates"][0];
    assert_eq!(lesson["title"], "When `cargo test` fails, look at `src/lib.rs`");
    assert_eq!((&lesson["kind"], &lesson["times"]), (&json!("fix"), &json!(1)));
    sandbox.check_everything();
}

#[test]
fn a_stop_reports_new_lessons_once() {
    let sandbox = sandbox();
    let stop = |session: &str| sandbox.raw("Stop", &json!({"session_id": session}))["warnings"].to_string();
    prompt(&sandbox, "one", "build it");
    call(&sandbox, "one", shell("1", "npm run biuld"), Some("missing script"));
    call(&sandbox, "one", shell("2", "make all"), Some("no rule"));
    let told = stop("one");
    assert!(told.contains("2 new lessons (") && told.contains("`steersman memory list`"), "{told}");
    assert!(!stop("one").contains("new lesson"), "reported once");
    call(&sandbox, "one", shell("3", "tsc -p ."), Some("error TS1005"));
    let told = stop("one");
    assert!(told.contains("1 new lesson ("), "{told}");
    prompt(&sandbox, "two", "build it");
    call(&sandbox, "two", shell("4", "make all"), Some("no rule"));
    assert!(!stop("two").contains("new lesson"), "an earlier session taught it");
}

#[test]
fn another_command_that_works_is_the_fix_of_the_one_that_did_not() {
    let sandbox = sandbox();
    prompt(&sandbox, "one", "build it");
    call(&sandbox, "one", shell("1", "npm run biuld"), Some("missing script: biuld"));
    call(&sandbox, "one", reading("2", "package.json"), None);
    call(&sandbox, "one", shell("3", "npm run build"), None);
    let experience = sandbox.session().experience();
    assert_eq!(experience.last().unwrap()["worked"], "npm run build");
    let titles: Vec<_> = lessons(&sandbox).iter().map(|lesson| lesson["title"].clone()).collect();
    assert!(titles.contains(&json!("`npm run build` instead of `npm run biuld`")), "{titles:?}");
}

#[test]
fn lessons_are_ranked_over_all_sessions_of_the_workspace() {
    let sandbox = sandbox();
    for session in ["one", "two", "three"] {
        fixed_test(&sandbox, session);
    }
    prompt(&sandbox, "three", "now the build");
    for id in ["b1", "b2"] {
        call(&sandbox, "three", shell(id, "make all"), Some("no rule to make target"));
    }
    sandbox.raw("Stop", &json!({"session_id": "three"}));
    let lessons = lessons(&sandbox);
    let shown: Vec<_> =
        lessons.iter().map(|it| (it["kind"].as_str().unwrap(), it["sessions"].as_u64().unwrap())).collect();
    assert_eq!(shown, [("fix", 3), ("failure", 1)]);
    assert!(lessons[0]["score"].as_f64() > lessons[1]["score"].as_f64());
    assert_eq!(lessons[1]["times"], 2);
    assert_eq!(sandbox.sessions().len(), 3);
    sandbox.check_everything();
}

#[test]
fn denials_recorded_while_the_module_was_off_are_collected_once_later() {
    let sandbox = sandbox();
    prompt(&sandbox, "one", "clean up");
    for id in ["1", "2"] {
        let mut call = shell(id, "rm -rf /");
        call["session_id"] = json!("one");
        sandbox.raw("PreToolUse", &call);
    }
    sandbox.raw("Stop", &json!({"session_id": "one"}));
    prompt(&sandbox, "one", "go on");
    sandbox.raw("Stop", &json!({"session_id": "one"}));
    let session = sandbox.session();
    let frictions = session.experience().iter().filter(|line| line["kind"] == "friction").count();
    assert_eq!(frictions, 2);
    let lessons = lessons(&sandbox);
    assert_eq!((&lessons[0]["kind"], &lessons[0]["times"]), (&json!("refusal"), &json!(2)));
    assert!(lessons[0]["lesson"].as_str().unwrap().contains("Instead:"), "{}", lessons[0]);
    assert!(session.state()["memory"]["harvestedTo"].as_u64() > Some(0));
    sandbox.check_everything();
}

#[test]
fn a_correction_is_a_lesson_only_where_the_project_keeps_prompts() {
    for (audit, expected) in [("raw", 1), ("hash", 0)] {
        let sandbox = sandbox();
        sandbox.config(&json!({"session": {"promptAudit": audit}}));
        prompt(&sandbox, "one", "install it");
        prompt(&sandbox, "one", "No, use pnpm here");
        sandbox.raw("Stop", &json!({"session_id": "one"}));
        let session = sandbox.session();
        assert_eq!(session.experience().last().unwrap()["kind"], "corrected");
        assert_eq!(session.output(CANDIDATES).unwrap()["total"], expected, "{audit}");
        let text = session.output_text("memory-journal/experience.jsonl").unwrap();
        assert_eq!(text.contains("use pnpm here"), audit == "raw");
    }
}

#[test]
fn an_accepted_lesson_becomes_a_file_and_is_not_listed_again() {
    let sandbox = sandbox();
    fixed_test(&sandbox, "one");
    let id = lessons(&sandbox)[0]["id"].as_str().unwrap().to_owned();
    let shown = memory(&sandbox, &["show", &id[..5]]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("steersman session explain PostToolUse-1-"));
    let answer = memory(&sandbox, &["accept", &id]);
    assert_eq!(answer.code, Some(0), "{}", said(&answer));
    let file = fs::read_dir(sandbox.path(".ai/memory")).unwrap().flatten().next().unwrap().path();
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with(&format!("---\nversion: 1\nid: {id}\n")), "{text}");
    assert_eq!(lessons(&sandbox), Vec::<Value>::new());
    let again = memory(&sandbox, &["accept", &id]);
    assert_eq!(again.code, Some(1));
    assert!(said(&again).contains("this lesson is already a memory"));
    fixed_test(&sandbox, "two");
    let totals: Vec<_> =
        sandbox.sessions().iter().map(|it| it.output(CANDIDATES).unwrap()["total"].clone()).collect();
    assert!(totals.contains(&json!(0)) && totals.contains(&json!(1)), "{totals:?}");
    let listed: Value = serde_json::from_slice(&memory(&sandbox, &["list", "--json"]).stdout).unwrap();
    let mut head = listed["memories"][0].clone();
    assert_eq!(head["id"], id);
    for more in ["text", "file"] {
        head.as_object_mut().unwrap().remove(more);
    }
    schema::check("memory", &head);
    assert_eq!(memory(&sandbox, &["drop", &id]).code, Some(0));
    assert!(!file.exists());
    assert_eq!(lessons(&sandbox), Vec::<Value>::new());
    let dropped = fs::read_to_string(sandbox.path(".ai/memory/dropped.json")).unwrap();
    schema::check("memory-dropped", &serde_json::from_str(&dropped).unwrap());
}

#[test]
fn what_is_not_there_is_a_no_with_a_hint() {
    let sandbox = sandbox();
    for verb in ["show", "accept", "drop"] {
        let answer = memory(&sandbox, &[verb, "m00000000"]);
        assert_eq!(answer.code, Some(1), "{verb}");
        assert!(said(&answer).contains("hint: run `steersman memory list`"), "{}", said(&answer));
    }
    let empty = memory(&sandbox, &["list"]);
    assert_eq!(empty.code, Some(0));
    assert!(said(&empty).contains("no lessons yet"));
}

#[test]
fn a_broken_memory_is_reported_with_its_place_and_the_session_continues() {
    let sandbox = sandbox();
    sandbox.write(".ai/memory/mine.md", "---\nid: mine\nwords: npm\n---\n");
    fixed_test(&sandbox, "one");
    let answer = sandbox.raw("Stop", &json!({"session_id": "one"}));
    let told = answer["warnings"][0].as_str().unwrap();
    assert!(told.contains("mine.md`, line 3, column 8: must be an array of strings"), "{told}");
    assert_eq!(answer["warnings"].as_array().unwrap().len(), 1);
    assert_eq!(sandbox.session().experience().len(), 4);
    let listed = memory(&sandbox, &["list"]);
    assert_eq!(listed.code, Some(1));
    assert!(said(&listed).contains("line 3, column 8"), "{}", said(&listed));
}

#[test]
fn secrets_do_not_reach_the_experience() {
    let sandbox = sandbox();
    let secret = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    let command = format!("curl -H 'Authorization: Bearer {secret}' https://example.com");
    call(&sandbox, "one", shell("1", &command), Some(&format!("401 for {secret}")));
    call(&sandbox, "one", shell("2", &command), None);
    sandbox.raw("Stop", &json!({"session_id": "one"}));
    let session = sandbox.session();
    assert_eq!(session.experience()[1]["kind"], "fixed", "what is redacted is still known again");
    for file in ["memory-journal/experience.jsonl", CANDIDATES] {
        assert!(!session.output_text(file).unwrap().contains(&secret), "{file}");
    }
}
