//! Pastes every file that a page of the documentation shows into a fresh project: `doctor` finds nothing wrong
//! with it, and an everyday session passes.
//!
//! The words after the language of a fenced block say where it goes: `file PATH`. An HTML comment `first: COMMAND` or
//! `then: COMMAND` above a block is a command that the page asks for before or after. The blocks above it on its
//! page, with their commands, belong to the same project.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use serde_json::{Value, json};

use crate::project::Project;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Languages of files that users would paste.
const PASTED: [&str; 9] = ["json", "jsonc", "yaml", "yml", "toml", "js", "mjs", "markdown", "md"];

#[test]
fn every_file_of_the_docs_works_as_pasted() {
    let pages: Vec<Page> = pages().iter().map(|path| Page::read(path)).collect();
    let n_blocks: usize = pages.iter().map(|page| page.blocks.len()).sum();
    assert!(n_blocks >= 20, "only {n_blocks} blocks");
    let failures: Vec<String> = thread::scope(|scope| {
        let pages: Vec<_> = pages.iter().map(|page| scope.spawn(|| page.paste_all())).collect();
        pages.into_iter().flat_map(|page| page.join().unwrap()).collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Returns the pages of the documentation and the README.
pub(crate) fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir(Path::new(ROOT).join("docs")).unwrap();
    let mut pages: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    pages.retain(|path| path.extension().is_some_and(|it| it == "md"));
    pages.push(Path::new(ROOT).join("README.md"));
    pages.sort();
    pages
}

struct Page {
    name: String,
    blocks: Vec<Block>,
}

struct Block {
    line: usize,
    path: String,
    text: String,
    first: Vec<String>,
    then: Vec<String>,
}

impl Page {
    fn read(path: &Path) -> Self {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(path).unwrap();
        let mut page = Self { name, blocks: Vec::new() };
        let (mut first, mut then) = (Vec::new(), Vec::new());
        let mut lines = text.lines().enumerate();
        while let Some((n, line)) = lines.next() {
            let comment = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->"));
            match comment.and_then(|comment| comment.split_once(": ")) {
                Some(("first", command)) => first.push(command.to_owned()),
                Some(("then", command)) => then.push(command.to_owned()),
                _ => {}
            }
            let Some(info) = line.strip_prefix("```") else { continue };
            let body: Vec<&str> =
                lines.by_ref().map(|(_, line)| line).take_while(|line| !line.starts_with("```")).collect();
            let words: Vec<&str> = info.split_whitespace().collect();
            let (first, then) = (std::mem::take(&mut first), std::mem::take(&mut then));
            match words.as_slice() {
                [_, "file", path] => page.blocks.push(Block {
                    line: n + 1,
                    path: (*path).to_owned(),
                    text: body.join("\n") + "\n",
                    first,
                    then,
                }),
                [language, ..] if PASTED.contains(language) => {
                    panic!("{}, line {}: say where this goes: `{language} file PATH`", page.name, n + 1)
                }
                _ => {}
            }
        }
        page
    }

    /// Pastes each block after those above it. Returns the failures.
    fn paste_all(&self) -> Vec<String> {
        (1..=self.blocks.len()).flat_map(|n| self.paste(&self.blocks[..n])).collect()
    }

    fn paste(&self, blocks: &[Block]) -> Vec<String> {
        let project = Project::new();
        project.write("src/main.rs", "fn main() {}\n");
        project.write("README.md", "# app\n");
        // A program that automations of the docs name.
        project.write_beside("bin/claude", "#!/bin/sh\necho 2.1.0\n");
        executable(&project.path("../bin/claude"));
        run(&project, "steersman init --host claude-code --yes");
        let before = complaints(&project);
        for block in blocks {
            block.first.iter().for_each(|command| run(&project, command));
            project.write(&block.path, &block.text);
            block.then.iter().for_each(|command| run(&project, command));
        }
        run(&project, "steersman trust");
        let last = blocks.last().unwrap();
        let place = format!("{}, line {} ({})", self.name, last.line, last.path);
        let mut failures: Vec<String> = complaints(&project)
            .difference(&before)
            .map(|complaint| format!("{place}: doctor says: {complaint}"))
            .collect();
        failures.extend(everyday(&project).iter().map(|objection| format!("{place}: {objection}")));
        failures
    }
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
