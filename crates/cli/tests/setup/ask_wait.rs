//! `steersman init --ask-wait`: longer timeouts, the setting, and what the doctor says about them.

use serde_json::Value;

use crate::project::Project;

fn json(project: &Project, file: &str) -> Value {
    serde_json::from_str(&project.read(file)).unwrap()
}

/// Returns command and timeout of an event's first entry.
fn entry(settings: &Value, event: &str) -> (String, u64) {
    let first = &settings["hooks"][event][0];
    let entry = first["hooks"].get(0).unwrap_or(first);
    (entry["command"].as_str().unwrap_or_default().to_owned(), entry["timeout"].as_u64().unwrap_or_default())
}

#[test]
fn each_program_gets_a_timeout_in_which_a_hook_can_wait() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--host", "all"]).exit, 0);
    let before = project.files();
    let said = project.run(&["init", "--host", "all", "--ask-wait", "120"]);
    assert_eq!(said.exit, 0, "{}", said.stderr);
    assert!(said.stderr.contains("✓ ask: `wait` set to 120 in .ai/hooks/config.json"), "{}", said.stderr);
    assert!(said.stderr.contains("Codex skips these hooks until you trust them again"), "{}", said.stderr);
    assert_eq!(json(&project, ".ai/hooks/config.json")["ask"]["wait"], 120);
    for (file, event, timeout) in [
        (".codex/hooks.json", "PreToolUse", 125),
        (".gemini/settings.json", "BeforeTool", 125_000),
        (".qwen/settings.json", "PreToolUse", 125_000),
        (".github/hooks/steersman.json", "PreToolUse", 125),
        (".cursor/hooks.json", "preToolUse", 125),
        (".claude/settings.json", "PermissionRequest", 125),
        // With `-p` Claude Code announces no question.
        (".claude/settings.json", "PreToolUse", 125),
    ] {
        let (command, found) = entry(&json(&project, file), event);
        assert_eq!(found, timeout, "{file}");
        assert!(command.ends_with(" --timeout=125"), "{file}: {command}");
    }
    let waiting = project.files();
    assert_eq!(project.run(&["init", "--host", "all"]).exit, 0);
    assert_eq!(project.files(), waiting, "the setting keeps the timeouts");
    assert_eq!(project.run(&["init", "--host", "all", "--ask-wait", "0"]).exit, 0);
    let mut after = project.files();
    after.remove(".ai/hooks/config.json");
    let mut before = before;
    before.remove(".ai/hooks/config.json");
    assert_eq!(after, before, "without waiting everything is as before");
}

#[test]
fn the_doctor_names_hooks_that_have_no_time_to_wait() {
    let project = Project::new();
    for folder in ["home/.gemini", "home/.claude", "home/.codex"] {
        project.write_beside(&format!("{folder}/x"), "");
    }
    let hosts = ["--host", "gemini", "--host", "claude-code", "--host", "codex"];
    assert_eq!(project.run(&[&["init"][..], &hosts].concat()).exit, 0);
    project.write(".ai/hooks/config.json", r#"{"version": 1, "ask": {"wait": 60}, "approve": "read-only"}"#);
    let report = project.run(&["doctor"]).stdout;
    for line in [
        ": too short a timeout to wait 60 s for a person",
        "hint: run `steersman init --ask-wait 60 --host gemini`",
        "! Claude Code: no hook waits for a person: `PermissionRequest` is not registered",
        "! Claude Code: `approve` is `read-only`, but `PermissionRequest` is not registered",
        "! Codex: `approve` is `read-only`, but `PermissionRequest` is not registered",
        "hint: run `steersman init --approve read-only --host codex`",
        "· Gemini CLI: `approve` has no effect",
    ] {
        assert!(report.contains(line), "{line}\n{report}");
    }
    assert_eq!(project.run(&[&["init", "--ask-wait", "60"][..], &hosts].concat()).exit, 0);
    let report = project.run(&["doctor"]);
    assert!(report.stdout.contains("✓ Gemini CLI: hooks wait up to 60 s for a person"), "{}", report.stdout);
    assert!(report.stdout.contains("✗ Codex: no hook waits for a person: "), "{}", report.stdout);
    assert_eq!(report.exit, 1, "Codex must trust its hooks again");
    let shorter = project.read(".gemini/settings.json").replace("65000", "20000");
    project.write(".gemini/settings.json", &shorter);
    let report = project.run(&["doctor"]).stdout;
    let wrong = "the command names a timeout of 65 s, the entry has 20 s";
    assert!(report.contains(wrong), "{report}");
}
