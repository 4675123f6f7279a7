//! `automation`, `emit` and `trust`, as people use them.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use testkit::{Sandbox, schema};

/// What a command said.
struct Said {
    stdout: String,
    stderr: String,
    code: Option<i32>,
}

fn sandbox() -> Sandbox {
    Sandbox::new(env!("CARGO_BIN_EXE_steersman"))
}

fn run(sandbox: &Sandbox, args: &[&str]) -> Said {
    let answer = sandbox.call().args(args).run();
    let plain = |bytes: &[u8]| {
        let root = sandbox.root().display().to_string();
        String::from_utf8_lossy(bytes).replace(&root, "<root>")
    };
    Said { stdout: plain(&answer.stdout), stderr: plain(&answer.stderr), code: answer.code }
}

fn json(sandbox: &Sandbox, args: &[&str]) -> Value {
    serde_json::from_str(&run(sandbox, args).stdout).unwrap()
}

fn check(said: &Said, code: i32, stderr: &Expect) {
    stderr.assert_eq(&said.stderr);
    assert_eq!(said.code, Some(code));
}

const TWO: &str = r#"{
  // ours
  "hooks": [
    {"id": "format", "trigger": "onDidSaveTextDocument", "pattern": "src/**", "prompt": "{filePath}", "runner": {"type": "command", "command": ["cat"]}},
    {"id": "deploy", "trigger": "deploy", "prompt": "{version}", "enabled": false}
  ]
}
"#;

#[test]
fn a_workspace_without_automations_says_how_to_begin() {
    let sandbox = sandbox();
    check(
        &run(&sandbox, &["automation", "list"]),
        0,
        &expect![[r#"
            no automations yet
            hint: `steersman init --automations` writes a file to start from
        "#]],
    );
    let written = run(&sandbox, &["init", "--automations"]);
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    let validated = json(&sandbox, &["automation", "validate", "--json"]);
    assert_eq!(
        validated,
        json!({"valid": true, "files": [".akira/hooks.json"], "automations": 3, "problems": []})
    );
    assert!(!sandbox.path(".ai/hooks").exists(), "only what was asked for is made");
    let listed = json(&sandbox, &["automation", "list", "--json"]);
    let all_off = listed["automations"].as_array().unwrap().iter().all(|it| it["enabled"] == json!(false));
    assert!(all_off, "nothing runs before somebody turned it on");
}

#[test]
fn the_list_shows_what_is_declared_and_what_has_to_be_done() {
    let sandbox = sandbox();
    sandbox.write(".akira/hooks.json", TWO);
    let said = run(&sandbox, &["automation", "list"]);
    expect![[r#"
        ID      STATE  WHEN                          DOES    RUNNER   DECLARED IN
        format  on     onDidSaveTextDocument src/**  prompt  command  .akira/hooks.json:4
        deploy  off    deploy                        prompt  default  .akira/hooks.json:5
    "#]]
    .assert_eq(&said.stdout);
    check(
        &said,
        0,
        &expect![[r#"
            nothing runs yet: this workspace is not trusted
            hint: look at what is declared, then run `steersman trust`
        "#]],
    );
    assert_eq!(json(&sandbox, &["automation", "list", "--json"])["trust"], "untrusted");
}

#[test]
fn a_file_with_mistakes_is_told_with_places_and_the_answer_is_no() {
    let sandbox = sandbox();
    sandbox.write(
        ".akira/hooks.json",
        "{\n  \"hooks\": [\n    {\"id\": \"a\", \"trigger\": \"gitCommit\", \"promt\": \"x\"}\n  ]\n}\n",
    );
    check(
        &run(&sandbox, &["automation", "validate"]),
        1,
        &expect![[r#"
            error: missing key `hooks[0].prompt`
              --> .akira/hooks.json:3:5
               |
             3 |     {"id": "a", "trigger": "gitCommit", "promt": "x"}
               |     ^
            hint: add `"prompt": …`
            error: a trigger about commits needs `allowGit`
              --> .akira/hooks.json:3:28
               |
             3 |     {"id": "a", "trigger": "gitCommit", "promt": "x"}
               |                            ^^^^^^^^^^^
            hint: add `"allowGit": true` to permit it
            error: a trigger about commits needs `repoRoot`
              --> .akira/hooks.json:3:28
               |
             3 |     {"id": "a", "trigger": "gitCommit", "promt": "x"}
               |                            ^^^^^^^^^^^
            hint: add `"repoRoot": "."`, the repository it is about
            warning: unknown key `hooks[0].promt`
              --> .akira/hooks.json:3:41
               |
             3 |     {"id": "a", "trigger": "gitCommit", "promt": "x"}
               |                                         ^^^^^^^
            hint: did you mean `prompt`?
            ✗ .akira/hooks.json: 0 automations, 3 errors, 1 warning
        "#]],
    );
    let problems = &json(&sandbox, &["automation", "validate", "--json"])["problems"];
    assert_eq!((&problems[0]["file"], &problems[0]["line"]), (&json!(".akira/hooks.json"), &json!(3)));
}

#[test]
fn a_switch_keeps_the_comments_and_the_trust() {
    let sandbox = sandbox();
    sandbox.write(".akira/hooks.json", TWO);
    sandbox.trust();
    let said = run(&sandbox, &["automation", "enable", "deploy"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let text = fs::read_to_string(sandbox.path(".akira/hooks.json")).unwrap();
    assert_eq!(text, TWO.replace("false", "true"));
    assert_eq!(json(&sandbox, &["automation", "list", "--json"])["trust"], "trusted");
    assert!(run(&sandbox, &["automation", "enable", "deploy"]).stderr.contains("is on already"));
    check(
        &run(&sandbox, &["automation", "disable", "deply"]),
        1,
        &expect![[r#"
            error: there is no automation `deply`
            hint: did you mean `deploy`?
        "#]],
    );
}

#[test]
fn a_change_asks_for_trust_again_and_shows_itself() {
    let sandbox = sandbox();
    sandbox.write(".akira/hooks.json", TWO);
    sandbox.trust();
    sandbox.write(".akira/hooks.json", TWO.replace("[\"cat\"]", "[\"curl\", \"evil\"]"));
    check(
        &run(&sandbox, &["automation", "show", "format"]),
        0,
        &expect![[r#"
            nothing runs now: .akira/hooks.json changed since it was trusted
            hint: `steersman trust --dry-run` shows the change, `steersman trust` allows it
        "#]],
    );
    let shown = run(&sandbox, &["trust", "--dry-run"]).stdout;
    assert!(shown.contains("-    {\"id\": \"format\"") && shown.contains("\"curl\", \"evil\""), "{shown}");
    assert_eq!(json(&sandbox, &["automation", "list", "--json"])["trust"], "changed");
    sandbox.trust();
    assert_eq!(json(&sandbox, &["automation", "list", "--json"])["trust"], "trusted");
    sandbox
        .config(&json!({"version": 1, "automation": {"runner": {"type": "command", "command": ["evil"]}}}));
    assert_eq!(
        json(&sandbox, &["automation", "list", "--json"])["trust"],
        "changed",
        "the runner counts too"
    );
}

#[test]
fn emit_hands_an_event_in_although_nobody_listens() {
    let sandbox = sandbox();
    sandbox.write(".akira/hooks.json", TWO);
    sandbox.trust();
    let said = run(&sandbox, &["emit", "file-save", "--file", "src/a.rs", "--json"]);
    let emitted: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(emitted["setsOff"], json!(["format"]));
    check(
        &run(&sandbox, &["emit", "deploy", "--data", "{\"version\": 2}"]),
        0,
        &expect![[r#"
            handed in: `deploy`; it sets nothing off
            hint: `deploy` waits for it but is off; `steersman automation enable deploy` lets it run
        "#]],
    );
    let queue = fs::read_to_string(sandbox.path(".ai/tmp/automation/queue.jsonl")).unwrap();
    let lines: Vec<Value> = queue.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    for line in &lines {
        schema::check("automation-queue", line);
    }
    assert_eq!(lines[0]["occurrence"]["id"], emitted["occurrence"]);
}

#[test]
fn emit_within_a_run_does_not_lead_to_the_same_automation_again() {
    let sandbox = sandbox();
    sandbox.write(".akira/hooks.json", TWO);
    let answer = sandbox
        .call()
        .args(["emit", "file-save", "--file", "src/a.rs", "--json"])
        .env("STEERSMAN_AUTOMATION_CHAIN", "[\"format\"]")
        .run();
    let said: Value = serde_json::from_slice(&answer.stdout).unwrap();
    assert_eq!((&said["setsOff"], &said["refused"][0]["id"]), (&json!([]), &json!("format")));
}

#[test]
fn emit_says_what_it_cannot_take() {
    let sandbox = sandbox();
    for (args, complaint) in [
        (vec!["emit", "file-save"], "a file has to be named with it\nhint: `--file F` names it"),
        (vec!["emit", "file-save", "--file", "../x"], "`../x` is no file of this workspace"),
        (vec!["emit", "x", "--data", "[1]"], "the data is no JSON object"),
        (vec!["emit", "speckit.clarfy"], "hint: did you mean `speckit.clarify`?"),
        (vec!["emit", "a b"], "a trigger is letters"),
    ] {
        let said = run(&sandbox, &args);
        assert!(said.stderr.contains(complaint), "{args:?}: {}", said.stderr);
        assert_eq!(said.code, Some(1));
        assert!(!sandbox.path(".ai").exists(), "nothing is written");
    }
}

#[test]
fn the_examples_are_valid_for_us_and_for_their_schemas() {
    let examples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/automations");
    let sandbox = sandbox();
    let files = [(".akira/hooks.json", "automations"), (".vscode/gatomia/hooks.json", "custom-hooks")];
    for (file, schema) in files {
        let text = fs::read_to_string(examples.join(Path::new(file))).unwrap();
        let plain: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        schema::check(schema, &serde_json::from_str(&plain).unwrap());
        sandbox.write(file, text);
    }
    let validated = json(&sandbox, &["automation", "validate", "--json"]);
    assert_eq!((&validated["automations"], &validated["problems"]), (&json!(5), &json!([])));
}
