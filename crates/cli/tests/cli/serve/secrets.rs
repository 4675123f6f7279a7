//! Secrets in all texts that an automation handles: none is recorded or printed.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::stage::{Project, hook, until};

/// A secret with a known shape.
const TOKEN: &str = concat!("ghp_", "abcdefghijklmnopqrstuvwxyz0123456789");
/// A secret that only the automation's own pattern matches.
const ORDER: &str = "order-4711-blue";
/// A secret known only as the value of a variable.
const PHRASE: &str = "words without a shape";
/// A secret of two lines, known only as the value of a variable.
const KEY: [&str; 2] = ["the upper half", "and the lower one"];

/// The strings that must not appear anywhere.
fn planted() -> [&'static str; 5] {
    [TOKEN, ORDER, PHRASE, KEY[0], KEY[1]]
}

fn check(place: &str, text: &[u8]) {
    for secret in planted() {
        let is_there = text.windows(secret.len()).any(|window| window == secret.as_bytes());
        assert!(!is_there, "{place} has `{secret}` in it:\n{}", String::from_utf8_lossy(text));
    }
}

/// Searches every file below a folder; returns the number of files.
fn check_files(folder: &Path) -> usize {
    let mut n_files = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            n_files += check_files(&path);
        } else {
            check(&path.display().to_string(), &fs::read(&path).unwrap());
            n_files += 1;
        }
    }
    n_files
}

fn project() -> Project {
    let says = format!(
        "cat; echo; echo out {TOKEN} {ORDER}; echo \"<$DEPLOY_TOKEN>\" >&2; echo \"$SIGNING_KEY\"; \
         touch said; until [ -e go ]; do sleep 0.05; done; exit 3"
    );
    let mut leaky = hook("leaky", "deploy", &says);
    leaky["prompt"] = format!("use {TOKEN} for {ORDER} and {{note}} of {{fileName}}").into();
    leaky["secretPatterns"] = json!(["order-[0-9]+-[a-z]+"]);
    let mut absent = hook("absent", "deploy", "");
    absent["runner"] = json!({"type": "command", "command": [format!("no-{TOKEN}")]});
    let mut unreachable = hook("unreachable", "deploy", "");
    unreachable["runner"] = json!({"type": "http", "url": format!("http://me:{TOKEN}@127.0.0.1:1/{TOKEN}"),
        "headers": {"Authorization": format!("Bearer {TOKEN}")}});
    Project::new(&json!([leaky, absent, unreachable]))
}

#[test]
fn planted_secrets_reach_no_file_no_screen_no_page_and_no_metric() {
    let project = project();
    let server = project.serve_with(&[("DEPLOY_TOKEN", PHRASE), ("SIGNING_KEY", &KEY.join("\n"))]);
    let data = json!({"note": format!("a note with {TOKEN}"), "password": "hunter2-hunter2"}).to_string();
    let file = format!("src/{TOKEN}.rs");
    let emitted = project.run(&["emit", "deploy", "--file", &file, "--data", &data]);
    assert_eq!(emitted.0, 0, "{}", emitted.2);
    until("it has said everything", || project.sandbox.path("said").exists());
    until("what it said is written", || project.read(".ai/tmp/automation/queue.jsonl").contains("printed"));
    check("what is written while it works", project.read(".ai/tmp/automation/queue.jsonl").as_bytes());
    project.sandbox.write("go", "");
    until("all have ended", || project.runs(&[]).len() == 3);
    for page in ["/", "/automations", "/api/v1/automations", "/api/v1/now", "/health", "/metrics"] {
        check(page, project.page(page).as_bytes());
    }
    let screens: &[&[&str]] = &[
        &["automation", "list"],
        &["automation", "list", "--json"],
        &["automation", "show", "leaky"],
        &["automation", "show", "leaky", "--json"],
        &["automation", "show", "unreachable"],
        &["automation", "show", "absent", "--json"],
        &["automation", "logs", "--lines", "1000"],
        &["automation", "logs", "--json"],
        &["automation", "history"],
        &["automation", "history", "--json"],
        &["automation", "validate"],
        &["automation", "run", "absent"],
        &["automation", "run", "unreachable", "--json"],
        &["doctor"],
        &["doctor", "--json"],
    ];
    for args in screens {
        let mut command = project.command();
        command.args(*args).env("DEPLOY_TOKEN", PHRASE).env("SIGNING_KEY", KEY.join("\n"));
        let output = command.output().unwrap();
        check(&format!("{args:?}"), &[output.stdout, output.stderr].concat());
    }
    // A mistake in the file is quoted in its report.
    let broken = json!({"hooks": [{"id": "x", "trigger": "Stop", "prompt": "x", "runner": TOKEN, TOKEN: 1}]});
    project.sandbox.write(".akira/hooks.json", broken.to_string());
    until("the mistake is reported", || !project.log("CONFIGURATION").is_empty());
    let (_, stdout, stderr) = project.run(&["automation", "validate"]);
    check("validate", (stdout + &stderr).as_bytes());
    let (_, stdout, stderr) = project.run(&["trust", "--dry-run"]);
    assert!(stdout.contains("\"prompt\":\"use [REDACTED] for"), "{stdout}");
    let shown = (stdout + &stderr).replace(ORDER, "").replace(PHRASE, "");
    check("what trust would allow", shown.as_bytes());
    assert!(stderr.contains("hint: the diff hides values that look like secrets"), "{stderr}");
    assert_eq!(server.stop(), Some(0));
    check("the server's log", project.read("../elsewhere/serve.log").as_bytes());
    assert!(
        check_files(&project.sandbox.path(".ai")) >= 4,
        "the journal, the index and the rest were searched"
    );
    for copy in fs::read_dir(project.sandbox.user_state().join("trusted")).unwrap() {
        let copy = fs::read_to_string(copy.unwrap().path()).unwrap();
        assert!(!copy.contains(TOKEN) && copy.contains("use [REDACTED] for"), "{copy}");
    }
    let record = project.read(".ai/tmp/automation/queue.jsonl");
    assert!(record.contains("use [REDACTED] for [REDACTED] and a note with [REDACTED]"), "{record}");
}
