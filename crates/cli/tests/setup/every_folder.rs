//! `steersman init --user`: every folder is governed, and none gets our files.

use expect_test::expect;

use crate::project::Project;

const DELETES_HOME: &str = r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash",
    "tool_use_id":"1","tool_input":{"command":"rm -rf ~/"},"cwd":"."}"#;

/// Settings files as users write them.
const BEFORE: [(&str, &str); 5] = [
    ("home/.claude/settings.json", "{\n  // mine\n  \"model\": \"opus\",\n}\n"),
    ("home/.gemini/settings.json", "{\"hooks\":{\"BeforeTool\":[]},\"theme\":\"dark\"}"),
    ("home/.qwen/settings.json", "\u{feff}{\r\n\t\"a\": 1\r\n}\r\n"),
    ("home/.codex/hooks.json", "{}"),
    ("home/.copilot/config.json", "{}"),
];

#[test]
fn the_users_own_settings_are_edited_and_the_project_is_left_alone() {
    let project = Project::new();
    for (file, text) in BEFORE {
        project.write_beside(file, text);
    }
    let said = project.run(&["init", "--user", "--host", "all"]);
    assert!(project.files().is_empty());
    expect![[r#"
          note: ~/.copilot/hooks/steersman.json: VS Code and Copilot CLI both read this file; steersman tells them apart by the payload
          note: ~/.copilot/hooks/steersman.json: Copilot denies every tool call if it cannot start the hook
        ✓ VS Code Copilot and Copilot CLI: registered in ~/.copilot/hooks/steersman.json (9 events)
          note: ~/.claude/settings.json: VS Code with `chat.useClaudeHooks` and Cursor with third-party hooks read this file too: steersman tells them apart by the payload and records a duplicate event once
        ✓ Claude Code: registered in ~/.claude/settings.json (9 events)
          note: ~/.codex/hooks.json: Codex silently skips new and changed hooks until you trust them: run `codex`, open `/hooks` and trust the entries of steersman
        ✓ Codex: registered in ~/.codex/hooks.json (8 events)
        ✓ Gemini CLI: registered in ~/.gemini/settings.json (6 events)
          note: ~/.cursor/hooks.json: Cursor can ask the user only about shell commands; for other tools it supports allow and deny
        ✓ Cursor: registered in ~/.cursor/hooks.json (10 events)
        ✓ Qwen Code: registered in ~/.qwen/settings.json (9 events)
        ✓ Claude Code: commands can run confined (CLAUDE_CODE_SHELL_PREFIX in ~/.claude/settings.json)
        ✓ Codex: commands can run confined (BASH_ENV in ~/.codex/config.toml)
        ✓ Gemini CLI: commands can run confined (BASH_ENV in ~/.gemini/.env)
          note: Qwen Code takes BASH_ENV only from its environment: start it with `BASH_ENV=/state/steersman/shell/bash-env` to let its commands run confined
          note: Copilot CLI: commands run confined if it asks about none of them: start it with `--allow-all`, or with `--allow-all-tools --allow-all-paths`
        ✓ wrote: ~/.config/steersman/config.json
          the previous versions are in /state/steersman/workspaces/HASH/backup/WHEN
        hint: restart running sessions of VS Code Copilot, Copilot CLI, Codex, Gemini CLI, Cursor and Qwen Code, which load hooks only when they start; Claude Code loads the new ones at once
        hint: start an agent in any folder and give it a task, then run `steersman doctor` there; `"scope": "registered"` limits steersman to folders with `.ai/hooks`
        exit 0
    "#]].assert_eq(&said.all());
    let again = project.run(&["init", "--user", "--host", "all"]);
    expect![[r#"
        ✓ VS Code Copilot and Copilot CLI: already registered in ~/.copilot/hooks/steersman.json
        ✓ Claude Code: already registered in ~/.claude/settings.json
        ✓ Codex: already registered in ~/.codex/hooks.json
        ✓ Gemini CLI: already registered in ~/.gemini/settings.json
        ✓ Cursor: already registered in ~/.cursor/hooks.json
        ✓ Qwen Code: already registered in ~/.qwen/settings.json
          note: Qwen Code takes BASH_ENV only from its environment: start it with `BASH_ENV=/state/steersman/shell/bash-env` to let its commands run confined
          note: Copilot CLI: commands run confined if it asks about none of them: start it with `--allow-all`, or with `--allow-all-tools --allow-all-paths`
        nothing to change
        exit 0
    "#]]
    .assert_eq(&again.all());
}

#[test]
fn every_byte_of_the_home_is_as_it_was_before() {
    let project = Project::new();
    for (file, text) in BEFORE {
        project.write_beside(file, text);
    }
    let before = project.files_beside("home");
    assert_eq!(project.run(&["init", "--user", "--host", "all"]).exit, 0);
    assert_ne!(project.files_beside("home"), before);
    let said = project.run(&["uninstall", "--user"]);
    assert_eq!(project.files_beside("home"), before);
    expect![[r#"
        ✓ Claude Code: removed CLAUDE_CODE_SHELL_PREFIX in ~/.claude/settings.json
        ✓ Codex: removed BASH_ENV in ~/.codex/config.toml
        ✓ Gemini CLI: removed BASH_ENV in ~/.gemini/.env
        ✓ VS Code Copilot and Copilot CLI: ~/.copilot/hooks/steersman.json — deleted, it had no other content
        ✓ Claude Code: ~/.claude/settings.json — removed steersman's entries
        ✓ Codex: ~/.codex/hooks.json — removed steersman's entries
        ✓ Gemini CLI: ~/.gemini/settings.json — removed steersman's entries
        ✓ Cursor: ~/.cursor/hooks.json — deleted, it had no other content
        ✓ Qwen Code: ~/.qwen/settings.json — removed steersman's entries
        ✓ ~/.config/steersman/config.json: deleted, unchanged since `init`
          the previous versions are in /state/steersman/workspaces/HASH/backup/WHEN
        exit 0
    "#]]
    .assert_eq(&said.all());
}

#[test]
fn a_dry_run_shows_a_diff_and_writes_nothing() {
    let project = Project::new();
    project.write_beside("home/.codex/config.toml", "");
    let before = project.files_beside("home");
    let said = project.run(&["init", "--user", "--dry-run"]);
    assert_eq!(project.files_beside("home"), before);
    assert!(project.files().is_empty() && !project.path(".ai").exists());
    assert!(said.stdout.starts_with("--- /dev/null\n+++ b/.codex/hooks.json\n"), "{}", said.stdout);
    assert!(said.stderr.contains("would be registered in ~/.codex/hooks.json"), "{}", said.stderr);
}

#[test]
fn a_folder_without_rules_gets_the_defaults_and_its_journal_lies_in_the_users_state() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--user", "--host", "claude-code"]).exit, 0);
    assert!(project.dispatch(DELETES_HOME).contains("\"deny\""));
    assert!(project.files().is_empty() && !project.path(".ai").exists());
    let journals: Vec<String> =
        project.files_beside("state").into_keys().filter(|name| name.ends_with("/events.jsonl")).collect();
    assert_eq!(journals.len(), 1, "{journals:?}");
    assert!(journals[0].starts_with("steersman/workspaces/"), "{journals:?}");
    let listed = project.run(&["session", "list"]);
    assert!(
        listed.stdout.contains("claude-code") || listed.stdout.contains("Claude Code"),
        "{}",
        listed.stdout
    );
    let doctor = project.run(&["doctor"]);
    assert!(
        doctor.stdout.contains("✓ Claude Code: registered in ~/.claude/settings.json; last event"),
        "{}",
        doctor.stdout
    );
    assert_eq!(doctor.exit, 0, "{}", doctor.stdout);
}

#[test]
fn a_registered_workspace_keeps_its_records_to_itself() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--user", "--host", "claude-code"]).exit, 0);
    assert_eq!(project.run(&["init", "--host", "claude-code"]).exit, 0);
    assert!(project.dispatch(DELETES_HOME).contains("\"deny\""));
    let journals =
        project.files_beside("app/.ai/tmp").into_keys().filter(|name| name.ends_with("/events.jsonl"));
    assert_eq!(journals.count(), 1);
}

#[test]
fn the_scope_limits_steersman_to_registered_workspaces() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--user", "--host", "claude-code"]).exit, 0);
    project.write_beside("home/.config/steersman/config.json", "{\"version\": 1, \"scope\": \"registered\"}");
    assert_eq!(project.dispatch(DELETES_HOME), "{}\n");
    assert!(!project.path(".ai").exists());
    assert!(project.files_beside("state").keys().all(|name| !name.ends_with("events.jsonl")));
    let doctor = project.run(&["doctor"]).stdout;
    assert!(
        doctor.contains("steersman judges and records nothing here, because `\"scope\": \"registered\"` in "),
        "{doctor}"
    );
    assert!(
        doctor.contains(".config/steersman/config.json limits it to folders with `.ai/hooks`"),
        "{doctor}"
    );
    assert!(doctor.contains("steersman records nothing here"), "{doctor}");
    project.write(".ai/hooks/config.json", "{}");
    assert!(project.dispatch(DELETES_HOME).contains("\"deny\""));
}

#[test]
fn a_broken_scope_governs_every_folder_and_warns() {
    let project = Project::new();
    project.write_beside("home/.config/steersman/config.json", "{\"scope\": \"most\"}");
    let answer = project.dispatch(DELETES_HOME);
    assert!(answer.contains("\"deny\"") && answer.contains("config.json"), "{answer}");
    assert!(!project.path(".ai").exists());
}

#[test]
fn a_project_file_and_a_registration_for_all_folders_cannot_be_requested_together() {
    let project = Project::new();
    for flag in ["--intents", "--agents", "--automations", "--legacy-hooks-file"] {
        assert_eq!(project.run(&["init", "--user", flag]).exit, 2, "{flag}");
    }
    assert_eq!(project.run(&["init", "--user", "--managed"]).exit, 2);
    assert_eq!(project.run(&["uninstall", "--user", "--purge"]).exit, 2);
}

#[test]
fn without_a_trace_of_an_agent_program_nothing_is_written() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--user"]).exit, 1);
    assert!(project.files_beside("home").is_empty());
}

#[test]
fn the_backup_is_what_the_user_had() {
    let project = Project::new();
    let mine = "{\n  \"model\": \"opus\"\n}\n";
    project.write_beside("home/.claude/settings.json", mine);
    // Registers hooks and, in a second edit of the same file, the shell.
    assert_eq!(project.run(&["init", "--user", "--host", "claude-code"]).exit, 0);
    let state = project.files_beside("state");
    let backups: Vec<&[u8]> = state
        .iter()
        .filter(|(name, _)| name.contains("/backup/") && name.ends_with(".claude/settings.json"))
        .map(|(_, bytes)| bytes.as_slice())
        .collect();
    assert_eq!(backups, [mine.as_bytes()]);
}
