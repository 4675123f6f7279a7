//! `automation add`, `edit` and `remove`, as scripts and editors run them.

use std::fs;

use serde_json::{Value, json};
use testkit::Sandbox;

const FILE: &str = ".akira/hooks.json";
const CUSTOM: &str = ".vscode/gatomia/hooks.json";

const TWO: &str = r#"{
  // ours
  "hooks": [
    {"id": "format", "trigger": "onDidSaveTextDocument", "pattern": "src/**", "prompt": "{filePath}", "runner": {"type": "command", "command": ["cat"]}}, // every save
    {
      "id": "deploy",
      "trigger": "deploy", // by hand
      "prompt": "{version}",
      "runner": { "type": "command", "command": ["cat"] },
      "enabled": false
    }
  ]
}
"#;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new(env!("CARGO_BIN_EXE_steersman"));
    sandbox.write(FILE, TWO);
    sandbox
}

/// Runs a command with JSON on stdin. Returns its JSON and its exit code.
fn with_input(sandbox: &Sandbox, args: &[&str], input: &str) -> (Value, Option<i32>) {
    let answer = sandbox
        .call()
        .env("PATH", "/usr/bin:/bin")
        .args(["automation"])
        .args(args)
        .args(["--json"])
        .stdin(input)
        .run();
    let text = String::from_utf8_lossy(&answer.stdout);
    let parsed = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{error}: {text}{}", String::from_utf8_lossy(&answer.stderr)));
    (parsed, answer.code)
}

fn text(sandbox: &Sandbox, file: &str) -> String {
    fs::read_to_string(sandbox.path(file)).unwrap()
}

fn listed(sandbox: &Sandbox) -> Value {
    let answer = sandbox.call().args(["automation", "list", "--json"]).run();
    serde_json::from_slice(&answer.stdout).unwrap()
}

#[test]
fn an_automation_is_added_by_options_or_stdin_and_runs_after_trust() {
    let sandbox = sandbox();
    sandbox.trust();
    let options = [
        "add",
        "--id",
        "note",
        "--trigger",
        "onDidSaveTextDocument",
        "--pattern",
        "*.md",
        "--pattern",
        "!old/**",
        "--prompt",
        "{filePath}",
        "--runner",
        r#"{"type": "command", "command": ["cat"]}"#,
        "--set",
        "retry.count=2",
        "--set",
        "name=Notes",
    ];
    let (said, code) = with_input(&sandbox, &options, "");
    assert_eq!(code, Some(0), "{said:#}");
    assert_eq!(
        said,
        json!({
            "written": true, "valid": true, "id": "note", "file": FILE, "line": 12,
            "definition": {
                "id": "note", "trigger": "onDidSaveTextDocument", "pattern": ["*.md", "!old/**"],
                "prompt": "{filePath}", "runner": {"type": "command", "command": ["cat"]},
                "retry": {"count": 2}, "name": "Notes",
            },
            "trust": "changed", "problems": [],
        })
    );
    let now = text(&sandbox, FILE);
    assert!(now.starts_with(TWO.trim_end_matches("\n  ]\n}\n")), "the rest stays: {now}");
    assert_eq!(listed(&sandbox)["trust"], "changed", "what it runs must be trusted");

    let custom = r#"{"id": "c1", "name": "Push", "trigger": {"agent": "speckit", "operation": "plan"},
        "action": {"type": "command", "parameters": {"command": ["cat"]}}}"#;
    let (said, code) = with_input(&sandbox, &["add"], custom);
    assert_eq!((code, &said["file"]), (Some(0), &json!(CUSTOM)), "{said:#}");
    let file: Value = serde_json::from_str(&text(&sandbox, CUSTOM)).unwrap();
    assert_eq!((&file["version"], &file["hooks"][0]["name"]), (&json!(1), &json!("Push")));
    assert!(file["hooks"][0]["createdAt"].is_u64(), "the order of its runs");
    let ids: Vec<String> =
        listed(&sandbox)["automations"].as_array().unwrap().iter().map(|it| it["id"].to_string()).collect();
    assert_eq!(ids, ["\"format\"", "\"deploy\"", "\"note\"", "\"c1\""]);
}

#[test]
fn an_edit_changes_only_what_it_names() {
    let sandbox = sandbox();
    let patch = r#"{"timeoutMs": 5000, "pattern": null, "runner": {"command": ["tee", "-a", "log"]}}"#;
    let (said, code) = with_input(&sandbox, &["edit", "format"], patch);
    assert_eq!((code, &said["written"]), (Some(0), &json!(true)), "{said:#}");
    let expected = TWO.replace(", \"pattern\": \"src/**\"", "").replace(
        "\"command\": [\"cat\"]}}, // every save",
        "\"command\": [\"tee\", \"-a\", \"log\"]}, \"timeoutMs\": 5000}, // every save",
    );
    assert_eq!(text(&sandbox, FILE), expected);

    let (said, _) =
        with_input(&sandbox, &["edit", "deploy", "--prompt", "v{version}", "--unset", "enabled"], "");
    assert_eq!(said["definition"]["prompt"], "v{version}", "{said:#}");
    let expected = expected
        .replace("\"prompt\": \"{version}\"", "\"prompt\": \"v{version}\"")
        .replace("},\n      \"enabled\": false", "}");
    assert_eq!(text(&sandbox, FILE), expected);

    let whole = r#"{"id": "release", "trigger": "deploy", "prompt": "x", "runner": "claude"}"#;
    let (said, _) = with_input(&sandbox, &["edit", "deploy", "--replace"], whole);
    assert_eq!(said["definition"], serde_json::from_str::<Value>(whole).unwrap(), "{said:#}");
    assert!(text(&sandbox, FILE).contains("\"trigger\": \"deploy\", // by hand\n      \"prompt\": \"x\","));
    let (said, code) = with_input(&sandbox, &["edit", "release", "--prompt", "x"], "");
    assert_eq!((code, &said["written"], &said["valid"]), (Some(0), &json!(false), &json!(true)), "no change");
}

#[test]
fn an_invalid_definition_is_not_written_and_its_problems_have_places_and_keys() {
    let sandbox = sandbox();
    let hook = |more: &str| {
        format!(r#"{{"id": "n", "trigger": "deploy", "prompt": "x", "runner": "claude"{more}}}"#)
    };
    for (args, input, code, key, message) in [
        (vec!["add"], hook(r#", "timeoutMs": 5"#), "INVALID_SCHEMA", "timeoutMs", "from 1000"),
        (
            vec!["add"],
            hook(r#", "runner2": 1, "retry": {"count": -1}"#),
            "INVALID_SCHEMA",
            "retry.count",
            "count",
        ),
        (
            vec!["add"],
            hook("").replace("\"n\"", "\"deploy\""),
            "INVALID_SCHEMA",
            "id",
            "duplicate id `deploy`",
        ),
        (
            vec!["edit", "format"],
            r#"{"dependsOn": ["nobody"]}"#.to_owned(),
            "INVALID_SCHEMA",
            "dependsOn",
            "nobody",
        ),
        (vec!["add"], "{\n \"id\": }".to_owned(), "PARSE_ERROR", "", "cannot parse JSON"),
        (vec!["add"], "[]".to_owned(), "INVALID_SCHEMA", "", "must be an object, not an array"),
        (
            vec!["edit", "formt"],
            "{\"prompt\": \"x\"}".to_owned(),
            "UNKNOWN_AUTOMATION",
            "",
            "unknown automation",
        ),
        (vec!["remove", "formt"], String::new(), "UNKNOWN_AUTOMATION", "", "unknown automation `formt`"),
    ] {
        let (said, exit) = with_input(&sandbox, &args, &input);
        assert_eq!(
            (exit, &said["written"], &said["valid"]),
            (Some(1), &json!(false), &json!(false)),
            "{input}"
        );
        let problems = said["problems"].as_array().unwrap();
        let found = problems.iter().find(|it| it["severity"] == "error").unwrap();
        assert!(found["message"].as_str().unwrap().contains(message), "{input}: {said:#}");
        assert_eq!(found["code"], code, "{said:#}");
        assert_eq!(found["key"].as_str().unwrap_or_default(), key, "{input}: {said:#}");
        if code != "UNKNOWN_AUTOMATION" {
            assert!(
                found["line"].is_u64() && found["column"].is_u64() && found["file"].is_string(),
                "{said:#}"
            );
        }
        assert_eq!(text(&sandbox, FILE), TWO, "nothing is written");
    }
}

#[test]
fn a_file_with_errors_can_be_repaired_but_not_broken_further() {
    let sandbox = sandbox();
    sandbox.write(FILE, TWO.replace("\"deploy\", // by hand", "7, // by hand"));
    let (said, code) = with_input(&sandbox, &["edit", "format", "--prompt", "y"], "");
    assert_eq!(
        (code, &said["problems"][0]["key"]),
        (Some(1), &Value::Null),
        "another one is wrong: {said:#}"
    );
    let (said, code) = with_input(&sandbox, &["edit", "deploy", "--trigger", "deploy"], "");
    assert_eq!(code, Some(0), "{said:#}");
    assert_eq!(text(&sandbox, FILE), TWO);
    sandbox.write(FILE, "{\"hooks\": [");
    let (said, code) = with_input(&sandbox, &["add", "--id", "a", "--trigger", "x", "--prompt", "y"], "");
    assert_eq!((code, &said["problems"][0]["code"]), (Some(1), &json!("PARSE_ERROR")), "{said:#}");
    assert_eq!(text(&sandbox, FILE), "{\"hooks\": [");
}

#[test]
fn a_removal_keeps_the_rest_and_its_trust() {
    let sandbox = sandbox();
    sandbox.trust();
    let (said, code) = with_input(&sandbox, &["remove", "format", "--dry-run"], "");
    assert_eq!((code, &said["written"]), (Some(0), &json!(false)));
    assert!(said["diff"].as_str().unwrap().contains("-    {\"id\": \"format\""), "{said:#}");
    assert_eq!(text(&sandbox, FILE), TWO);
    let (said, code) = with_input(&sandbox, &["remove", "format"], "");
    assert_eq!((code, &said["trust"], &said["definition"]), (Some(0), &json!("trusted"), &Value::Null));
    let line = TWO.lines().find(|line| line.contains("\"format\"")).unwrap();
    assert_eq!(text(&sandbox, FILE), TWO.replace(&format!("{line}\n"), ""));
    assert_eq!(listed(&sandbox)["trust"], "trusted");
}

#[test]
fn text_output_names_the_change_and_the_trust_that_it_needs() {
    let sandbox = sandbox();
    sandbox.trust();
    let answer = sandbox.call().args(["automation", "edit", "deploy", "--set", "timeoutMs=2000"]).run();
    let said = String::from_utf8_lossy(&answer.stderr).into_owned();
    assert!(said.contains("✓ changed `deploy` in .akira/hooks.json"), "{said}");
    assert!(
        said.contains("hint: review the change with `steersman trust --dry-run`, then run `steersman trust`"),
        "{said}"
    );
    let answer = sandbox.call().args(["automation", "edit", "deploy", "--set", "timeoutMs=2"]).run();
    let said = String::from_utf8_lossy(&answer.stderr).into_owned();
    assert!(said.contains("  --> .akira/hooks.json:") && said.contains("nothing was written"), "{said}");
    assert_eq!(answer.code, Some(1));
}
