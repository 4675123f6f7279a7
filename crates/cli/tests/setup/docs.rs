//! Pastes every file that a page of the documentation shows into a fresh project: `doctor` finds nothing wrong
//! with it, and an everyday session passes. The blocks above it on its page, with their commands, belong to the same project.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::thread;

use serde_json::{Value, json};

use crate::docs_page::{self, Kind, Page, PastedFile};
use crate::project::Project;

#[test]
fn every_file_of_the_docs_works_as_pasted() {
    let pages = docs_page::all();
    let n_files: usize = pages.iter().map(|page| files(page).len()).sum();
    assert!(n_files >= 20, "only {n_files} files");
    let failures: Vec<String> = thread::scope(|scope| {
        let pages: Vec<_> = pages.iter().map(|page| scope.spawn(|| paste_all(page))).collect();
        pages.into_iter().flat_map(|page| page.join().unwrap()).collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A rule whose module is off.
const RULE: &str = r#"{ "version": 1, "rules": [{ "id": "a", "when": [{ "field": "event.command", "op": "exists" }],
    "action": { "type": "warn", "text": "t" } }] }"#;

/// The test above would find a file that denies everything, one that `doctor` rejects, and one that has no effect.
#[test]
fn a_file_that_does_not_work_is_found() {
    let file = |path: &str, text: &str| PastedFile {
        path: path.to_owned(),
        text: text.to_owned(),
        first: Vec::new(),
        then: Vec::new(),
    };
    for (path, text, expected) in [
        (".ai/hooks/config.json", r#"{ "agents": { "active": "planner" } }"#, "PreToolUse"),
        (".ai/hooks/config.json", r#"{ "bounds": { "preset": "stric" } }"#, "doctor says"),
        (".ai/hooks/followup-rules.json", RULE, "doctor says"),
    ] {
        let failures = paste("page.md", &[(1, &file(path, text))]);
        assert!(failures.iter().any(|failure| failure.contains(expected)), "{text}: {failures:?}");
    }
}

/// Returns the files of a page with their lines.
fn files(page: &Page) -> Vec<(usize, &PastedFile)> {
    let mut files = Vec::new();
    for block in &page.blocks {
        if let Kind::File(file) = &block.kind {
            files.push((block.line, file));
        }
    }
    files
}

/// Pastes each file after those above it. Returns the failures.
fn paste_all(page: &Page) -> Vec<String> {
    let files = files(page);
    (1..=files.len()).flat_map(|n| paste(&page.name, &files[..n])).collect()
}

fn paste(page: &str, files: &[(usize, &PastedFile)]) -> Vec<String> {
    let project = Project::new();
    project.write("src/main.rs", "fn main() {}\n");
    project.write("README.md", "# app\n");
    // A program that automations of the docs name.
    project.write_beside("bin/claude", "#!/bin/sh\necho 2.1.0\n");
    executable(&project.path("../bin/claude"));
    run(&project, "steersman init --host claude-code --yes");
    let before = complaints(&project);
    for (_, file) in files {
        file.first.iter().for_each(|command| run(&project, command));
        project.write(&file.path, &file.text);
        file.then.iter().for_each(|command| run(&project, command));
    }
    run(&project, "steersman trust");
    let (line, last) = files.last().unwrap();
    let place = format!("{page}, line {line} ({})", last.path);
    let mut failures: Vec<String> = complaints(&project)
        .difference(&before)
        .map(|complaint| format!("{place}: doctor says: {complaint}"))
        .collect();
    failures.extend(everyday(&project).iter().map(|objection| format!("{place}: {objection}")));
    failures
}

fn executable(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    #[cfg(not(unix))]
    let _ = path;
}

/// Runs a command of a page, in which arguments are separated by spaces.
fn run(project: &Project, command: &str) {
    let words: Vec<&str> = command.split_whitespace().collect();
    assert_eq!(words[0], "steersman", "{command}");
    let output = project.run(&words[1..]);
    assert_eq!(output.exit, 0, "{command}: {}", output.all());
}

/// Returns what `doctor` finds wrong or worth a warning.
fn complaints(project: &Project) -> BTreeSet<String> {
    let output = project.run(&["doctor", "--json"]);
    let report: Value = serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{}", output.all()));
    let findings = report["findings"].as_array().unwrap().iter();
    let bad = findings.filter(|found| matches!(found["level"].as_str(), Some("warning" | "wrong")));
    bad.map(|found| found["message"].as_str().unwrap().to_owned()).collect()
}

/// Plays a session as developers have it every day. Returns the calls that did not pass.
fn everyday(project: &Project) -> Vec<String> {
    be_patient(project);
    let path = |file: &str| project.path(file).to_str().unwrap().to_owned();
    let shell = |command: &str| ("Bash", json!({ "command": command }));
    let calls = [
        shell("ls"),
        ("Read", json!({ "file_path": path("README.md") })),
        ("Grep", json!({ "pattern": "main", "path": path("src") })),
        shell("git status --short"),
        ("Read", json!({ "file_path": path("src/main.rs") })),
        (
            "Edit",
            json!({ "file_path": path("src/main.rs"), "old_string": "fn main", "new_string": "pub fn main" }),
        ),
        ("Write", json!({ "file_path": path("src/new.rs"), "content": "// new\n" })),
        shell("npm test"),
        shell("cargo test 2>&1 | tail -20"),
        shell("git add -A && git commit -m 'Add new'"),
    ];
    let mut objections = Vec::new();
    let mut send = |event: &str, more: Value| {
        let mut payload = json!({ "session_id": "everyday", "cwd": path(""), "hook_event_name": event });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let args = ["dispatch", event, "--host", "claude-code"];
        let answer = project.run_program(&project.program(), &args, &payload.to_string()).stdout;
        let answer: Value = serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{answer}"));
        let specific = &answer["hookSpecificOutput"];
        if specific["permissionDecision"].is_string()
            || answer["decision"].is_string()
            || answer["systemMessage"].is_string()
        {
            objections.push(format!("{event} {more}: {answer}"));
        }
    };
    send("SessionStart", json!({ "source": "startup" }));
    send("UserPromptSubmit", json!({ "prompt": "Make main public" }));
    for (n, (tool, input)) in calls.into_iter().enumerate() {
        let call = json!({ "tool_name": tool, "tool_input": input, "tool_use_id": format!("toolu_{n}") });
        send("PreToolUse", call);
    }
    send("Stop", json!({ "stop_hook_active": false }));
    objections
}

/// Raises the budgets: the defaults are for a user's machine, not for one that runs a thousand tests.
pub(crate) fn be_patient(project: &Project) {
    let file = ".ai/hooks/dispatch.manifest.json";
    let exists = project.path(file).exists();
    let mut manifest: Value =
        if exists { serde_json::from_str(&project.read(file)).unwrap() } else { json!({ "version": 1 }) };
    for event in ["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop"] {
        manifest["budgets"][event] = json!(60_000);
    }
    project.write(file, &manifest.to_string());
}
