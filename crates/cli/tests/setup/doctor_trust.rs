//! `steersman doctor`: whether an agent program runs the registered hooks, in this folder.

use std::fs;

use expect_test::{Expect, expect};

use crate::project::Project;

/// Returns the doctor's lines on one agent program, with their hints.
pub(crate) fn about(project: &Project, folder: &str, title: &str) -> String {
    let report = project.run_in(folder, &["doctor"]).stdout;
    let start = format!("{title}: ");
    let mut lines = report.lines().skip_while(|line| !line.contains(&start));
    let first = lines.next().unwrap_or_default();
    let hint = lines.next().filter(|line| line.contains("hint:")).unwrap_or_default();
    format!("{}\n{}", first.trim(), hint.trim())
}

fn check(project: &Project, folder: &str, title: &str, expected: &Expect) {
    expected.assert_eq(&about(project, folder, title));
}

#[test]
fn a_program_that_reads_no_project_settings_from_a_subfolder_is_not_governed_there() {
    let project = Project::new();
    for folder in ["home/.claude", "home/.gemini", "home/.qwen", "home/.codex", "app/src"] {
        project.write_beside(&format!("{folder}/x"), "");
    }
    assert_eq!(project.run(&["init", "--host", "all"]).exit, 0);
    check(
        &project,
        "src",
        "Claude Code",
        &expect![[r#"
        ! Claude Code: not governed in this folder: it reads .claude/settings.json only if you start it in /app
        hint: start it in /app, or run `steersman init --user` to register for every folder"#]],
    );
    check(
        &project,
        "src",
        "Gemini CLI",
        &expect![[r#"
        ! Gemini CLI: not governed in this folder: it reads .gemini/settings.json only if you start it in /app
        hint: start it in /app, or run `steersman init --user` to register for every folder"#]],
    );
    check(
        &project,
        "src",
        "Qwen Code",
        &expect![[r#"
        ! Qwen Code: not governed in this folder: it reads .qwen/settings.json only if you start it in /app
        hint: start it in /app, or run `steersman init --user` to register for every folder"#]],
    );
    check(
        &project,
        "src",
        "Codex",
        &expect![[r#"
        ! Codex: registered in .codex/hooks.json; no event seen yet: it reads no settings of this project until it is trusted (~/.codex/config.toml)
        hint: run `codex` here, trust the project (`codex exec` with a sandbox that may write does that itself), then open `/hooks` and trust the entries of steersman"#]],
    );
    assert_eq!(project.run(&["init", "--user", "--host", "claude-code"]).exit, 0);
    check(
        &project,
        "src",
        "Claude Code",
        &expect![[r#"
        ! Claude Code: registered in ~/.claude/settings.json; no event seen yet
        hint: start Claude Code here, restart it if it was running, and give it a task"#]],
    );
}

#[test]
fn a_linked_checkout_without_committed_settings_is_not_governed() {
    let project = Project::new();
    project.write_beside("home/.claude/x", "");
    assert_eq!(project.run(&["init", "--host", "claude-code"]).exit, 0);
    fs::create_dir_all(project.path(".git/worktrees/side")).unwrap();
    let git = format!("gitdir: {}\n", project.path(".git/worktrees/side").display());
    project.write_beside("app/../side/.git", &git);
    let said = project.run_in("../side", &["doctor"]);
    assert!(said.stdout.contains("✗ no agent program calls steersman here"), "{}", said.stdout);
    assert_eq!(said.exit, 1);
}

#[test]
fn copilot_runs_project_hooks_only_in_a_folder_that_it_trusts() {
    let project = Project::new();
    project
        .write_beside("home/.copilot/config.json", "// Copilot's\n{\"trusted_folders\": [\"/elsewhere\"]}");
    assert_eq!(project.run(&["init", "--host", "copilot-cli"]).exit, 0);
    check(
        &project,
        "",
        "Copilot CLI",
        &expect![[r#"
        ! Copilot CLI: registered in .github/hooks/steersman.json; no event seen yet: it runs no project hooks, because you have not trusted this folder (~/.copilot/config.json)
        hint: start Copilot CLI here and trust the folder, or run `steersman init --user --host copilot-cli`"#]],
    );
    let real = project.path("").canonicalize().unwrap();
    let config = format!("{{\"trusted_folders\": [\"{}\"]}}", real.display());
    project.write_beside("home/.copilot/config.json", &config);
    check(
        &project,
        "",
        "Copilot CLI",
        &expect![[r#"
        ! Copilot CLI: registered in .github/hooks/steersman.json; no event seen yet
        hint: start Copilot CLI here, restart it if it was running, and give it a task"#]],
    );
    project.write_beside("home/.copilot/config.json", "{}");
    assert_eq!(project.run(&["init", "--user", "--host", "copilot-cli"]).exit, 0);
    check(
        &project,
        "",
        "Copilot CLI",
        &expect![[r#"
        ! Copilot CLI: registered in .github/hooks/steersman.json and ~/.copilot/hooks/steersman.json; no event seen yet
        hint: start Copilot CLI here, restart it if it was running, and give it a task"#]],
    );
}

#[test]
fn codex_skips_hooks_that_are_not_trusted_in_their_present_form() {
    let project = Project::new();
    project.write_beside("home/.codex/config.toml", "");
    assert_eq!(project.run(&["init", "--host", "codex"]).exit, 0);
    check(
        &project,
        "",
        "Codex",
        &expect![[r#"
        ! Codex: registered in .codex/hooks.json; no event seen yet: it reads no settings of this project until it is trusted (~/.codex/config.toml)
        hint: run `codex` here, trust the project (`codex exec` with a sandbox that may write does that itself), then open `/hooks` and trust the entries of steersman"#]],
    );
    let real = project.path("").canonicalize().unwrap();
    let real = real.to_str().unwrap().trim_end_matches('/');
    let trusted = format!("[projects.\"{real}\"]\ntrust_level = \"trusted\"\n");
    project.write_beside("home/.codex/config.toml", &trusted);
    check(
        &project,
        "",
        "Codex",
        &expect![[r#"
        ! Codex: registered in .codex/hooks.json; no event seen yet: it skips hooks of .codex/hooks.json that you have not trusted: SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, PreCompact, Stop, SubagentStart, SubagentStop
        hint: run `codex` here, trust the project (`codex exec` with a sandbox that may write does that itself), then open `/hooks` and trust the entries of steersman"#]],
    );
    let changed = format!(
        "{trusted}[hooks.state.\"{real}/.codex/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:00\"\n"
    );
    project.write_beside("home/.codex/config.toml", &changed);
    check(
        &project,
        "",
        "Codex",
        &expect![[r#"
        ! Codex: registered in .codex/hooks.json; no event seen yet: it skips hooks of .codex/hooks.json that you have not trusted in this form: Stop, SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, PreCompact, SubagentStart, SubagentStop
        hint: run `codex` here, trust the project (`codex exec` with a sandbox that may write does that itself), then open `/hooks` and trust the entries of steersman"#]],
    );
}

#[test]
fn gemini_and_qwen_run_project_hooks_only_in_a_folder_that_they_trust() {
    let project = Project::new();
    project.write_beside("home/.gemini/settings.json", "{}");
    project.write_beside("home/.qwen/settings.json", "{}");
    assert_eq!(project.run(&["init", "--host", "gemini", "qwen"]).exit, 0);
    check(
        &project,
        "",
        "Gemini CLI",
        &expect![[r#"
            ! Gemini CLI: registered in .gemini/settings.json; no event seen yet: it runs no hooks at all, because you have not trusted this folder (~/.gemini/trustedFolders.json)
            hint: start Gemini CLI here and trust the folder"#]],
    );
    // Qwen Code asks for trust only if its user switched that on.
    check(
        &project,
        "",
        "Qwen Code",
        &expect![[r#"
        ! Qwen Code: registered in .qwen/settings.json; no event seen yet
        hint: start Qwen Code here, restart it if it was running, and give it a task"#]],
    );
    project.write_beside("home/.qwen/settings.json", r#"{"security": {"folderTrust": {"enabled": true}}}"#);
    let real = project.path("").canonicalize().unwrap();
    let list = |level: &str| format!("{{\"{}\": \"{level}\"}}", real.display());
    project.write_beside("home/.gemini/trustedFolders.json", &list("TRUST_FOLDER"));
    project.write_beside("home/.qwen/trustedFolders.json", &list("DO_NOT_TRUST"));
    check(
        &project,
        "",
        "Gemini CLI",
        &expect![[r#"
        ! Gemini CLI: registered in .gemini/settings.json; no event seen yet
        hint: start Gemini CLI here, restart it if it was running, and give it a task"#]],
    );
    check(
        &project,
        "",
        "Qwen Code",
        &expect![[r#"
        ! Qwen Code: registered in .qwen/settings.json; no event seen yet: it runs no project hooks, because you refused to trust this folder (~/.qwen/trustedFolders.json)
        hint: start Qwen Code here and trust the folder, or run `steersman init --user --host qwen`"#]],
    );
}
