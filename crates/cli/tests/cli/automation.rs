//! `automation`, `emit` and `trust`, as users run them.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use testkit::{Sandbox, schema};

/// The output of a command.
struct CommandOutput {
    stdout: String,
    stderr: String,
    code: Option<i32>,
}

fn sandbox() -> Sandbox {
    Sandbox::new(env!("CARGO_BIN_EXE_steersman"))
}

fn run(sandbox: &Sandbox, args: &[&str]) -> CommandOutput {
    let answer = sandbox.call().env("PATH", "/usr/bin:/bin").args(args).run();
    let plain = |bytes: &[u8]| {
        let root = sandbox.root().display().to_string();
        String::from_utf8_lossy(bytes).replace(&root, "<root>")
    };
    CommandOutput { stdout: plain(&answer.stdout), stderr: plain(&answer.stderr), code: answer.code }
}

fn json(sandbox: &Sandbox, args: &[&str]) -> Value {
    serde_json::from_str(&run(sandbox, args).stdout).unwrap()
}

fn check(said: &CommandOutput, code: i32, stderr: &Expect) {
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
            hint: run `steersman init --automations` to create an example file
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
    assert!(all_off, "every example is disabled");
}

#[test]
fn the_list_shows_what_is_declared_and_what_has_to_be_done() {
    let sandbox = sandbox();
    sandbox.write(".akira/hooks.json", TWO);
    let said = run(&sandbox, &["automation", "list"]);
    expect![[r#"
        ID      STATE  WHEN                          DOES     RUNS  LAST RUN
        format  on     onDidSaveTextDocument src/**  command     0
        deploy  off    deploy                        prompt      0
    "#]]
    .assert_eq(&said.stdout);
    check(
        &said,
        0,
        &expect![[r#"
            no automation runs yet: this workspace is not trusted
            hint: review the automations, then run `steersman trust`
        "#]],
    );
    assert_eq!(json(&sandbox, &["automation", "list", "--json"])["trust"], "untrusted");
}

#[test]
fn mistakes_in_a_file_are_reported_with_places_and_exit_code_1() {
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
            error: a commit trigger needs `allowGit`
              --> .akira/hooks.json:3:28
               |
             3 |     {"id": "a", "trigger": "gitCommit", "promt": "x"}
               |                            ^^^^^^^^^^^
            hint: add `"allowGit": true` to permit it
            error: a commit trigger needs `repoRoot`
              --> .akira/hooks.json:3:28
               |
             3 |     {"id": "a", "trigger": "gitCommit", "promt": "x"}
               |                            ^^^^^^^^^^^
            hint: add the path of the repository, such as `"repoRoot": "."`
            warning: unknown key `hooks[0].promt`
              --> .akira/hooks.json:3:41
               |
             3 |     {"id": "a", "trigger": "gitCommit", "promt": "x"}
               |                                         ^^^^^^^
            hint: did you mean `prompt`?
            ✗ .akira/hooks.json: 0 automations, 3 errors, 1 warning
            .akira/hooks.json has errors; none of its automations runs
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
    assert!(run(&sandbox, &["automation", "enable", "deploy"]).stderr.contains("is already on"));
    check(
        &run(&sandbox, &["automation", "disable", "deply"]),
        1,
        &expect![[r#"
            error: unknown automation `deply`
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
            no automation runs: .akira/hooks.json changed since you trusted it
            hint: review the change with `steersman trust --dry-run`, then run `steersman trust`
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
fn emit_queues_an_event_without_a_server() {
    let sandbox = sandbox();
    sandbox.write(".akira/hooks.json", TWO);
    sandbox.trust();
    let said = run(&sandbox, &["emit", "file-save", "--file", "src/a.rs", "--json"]);
    let emitted: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(emitted["triggers"], json!(["format"]));
    check(
        &run(&sandbox, &["emit", "deploy", "--data", "{\"version\": 2}"]),
        0,
        &expect![[r#"
            emitted `deploy`; it triggers no automation
            hint: `deploy` matches but is disabled; run `steersman automation enable deploy` to enable it
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
    assert_eq!((&said["triggers"], &said["refused"][0]["id"]), (&json!([]), &json!("format")));
}

#[test]
fn emit_reports_invalid_events() {
    let sandbox = sandbox();
    for (args, problem) in [
        (vec!["emit", "file-save"], "this trigger needs a file\nhint: name the file with `--file F`"),
        (vec!["emit", "file-save", "--file", "../x"], "`../x` is not a file in this workspace"),
        (vec!["emit", "x", "--data", "[1]"], "`--data` is not a JSON object"),
        (vec!["emit", "speckit.clarfy"], "hint: did you mean `speckit.clarify`?"),
        (vec!["emit", "a b"], "a trigger name has at most 100 characters"),
    ] {
        let said = run(&sandbox, &args);
        assert!(said.stderr.contains(problem), "{args:?}: {}", said.stderr);
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
    assert_eq!(validated["automations"], 5);
    // The sandbox has no PATH, so no program is installed in it.
    let is_of_files = |it: &&Value| it["code"] != "CLI_NOT_INSTALLED";
    let problems: Vec<&Value> =
        validated["problems"].as_array().unwrap().iter().filter(is_of_files).collect();
    assert_eq!(problems, Vec::<&Value>::new());
}

#[test]
fn validate_finds_automations_that_no_event_triggers_or_that_cannot_run_here() {
    let sandbox = sandbox();
    sandbox.write(
        ".akira/hooks.json",
        r#"{"schemaVersion": 1, "hooks": [
            {"id": "elsewhere", "trigger": "onSave", "prompt": "x", "runner": {"type": "command", "command": ["cat"]}},
            {"id": "edited", "trigger": "fileEdited", "prompt": "x", "runner": {"type": "command", "command": ["cat"]}},
            {"id": "no-runner", "trigger": "deploy", "prompt": "x"},
            {"id": "no-program", "trigger": "deploy", "prompt": "x", "runner": {"type": "command", "command": ["no-such-program"]}}
        ]}"#,
    );
    sandbox.write(
        ".vscode/gatomia/hooks.json",
        r#"{"version": 1, "hooks": [{"id": "no-agent", "name": "n", "enabled": true,
            "trigger": {"agent": "speckit", "operation": "plan"},
            "action": {"type": "custom", "parameters": {"agentId": "local:gone", "prompt": "x"}}}]}"#,
    );
    let validated = json(&sandbox, &["automation", "validate", "--json"]);
    let found: Vec<(String, String)> = validated["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["code"].as_str().unwrap().to_owned(), it["message"].as_str().unwrap().to_owned()))
        .collect();
    for (code, message) in [
        ("INVALID_SCHEMA", "only `steersman emit onSave` meets this trigger"),
        ("INVALID_SCHEMA", "only `steersman emit fileEdited` meets this trigger"),
        ("NO_RUNNER", "`no-runner` cannot run: no runner is configured"),
        ("CLI_NOT_INSTALLED", "`no-program` cannot run: the program `no-such-program` is not installed"),
        ("FILE_DELETED", "`no-agent` cannot run: cannot find the agent `local:gone`"),
    ] {
        assert!(found.contains(&(code.to_owned(), message.to_owned())), "{message}: {found:#?}");
    }
    let text = run(&sandbox, &["automation", "validate"]).stderr;
    assert!(text.contains("did you mean `onDidSaveTextDocument`?"), "{text}");
}
