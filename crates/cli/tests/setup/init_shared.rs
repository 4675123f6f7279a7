//! Where `steersman init` registers: settings that others share, or those of one checkout.

use crate::project::Project;

#[test]
fn an_editor_without_copilot_is_no_reason_to_register_copilot() {
    let project = Project::new();
    project.write(".vscode/settings.json", "{}");
    project.write_beside("home/.vscode/argv.json", "{}");
    let said = project.run(&["init"]);
    assert_eq!(said.exit, 1, "{}", said.all());
    assert!(said.stderr.contains("run `steersman init --host vscode`"), "{}", said.all());
    assert_eq!(project.files().into_keys().collect::<Vec<_>>(), [".vscode/settings.json"]);
    project.write("CLAUDE.md", "");
    assert_eq!(project.run(&["init"]).exit, 0);
    assert!(!project.path(".github").exists());
}

#[test]
fn the_notes_come_before_the_files_are_written() {
    let project = Project::new();
    let said = project.run(&["init", "--host", "copilot-cli"]).stderr;
    let at = |text: &str| said.find(text).unwrap_or_else(|| panic!("no `{text}` in\n{said}"));
    assert!(at("Copilot denies every tool call") < at("✓ VS Code Copilot and Copilot CLI: registered"));
    assert!(at("everyone who gets this repository shares .github/hooks/steersman.json") < at("✓ VS Code"));
    assert!(!project.run(&["init", "--host", "copilot-cli"]).stderr.contains("everyone"), "nothing is new");
}

#[test]
fn a_registration_of_one_checkout_is_not_shared() {
    let project = Project::new();
    project.write(".claude/settings.local.json", "{\n  \"env\": {}\n}\n");
    let before = project.files();
    let said = project.run(&["init", "--local", "--host", "claude-code"]);
    assert_eq!(said.exit, 0, "{}", said.all());
    assert!(!said.stderr.contains("everyone"), "{}", said.all());
    assert!(project.read(".claude/settings.local.json").contains("steersman dispatch PreToolUse"));
    assert!(!project.path(".claude/settings.json").exists());
    let health = project.run(&["doctor"]).all();
    assert!(health.contains("Claude Code: registered in .claude/settings.local.json"), "{health}");
    assert_eq!(project.run(&["uninstall"]).exit, 0);
    let mut after = project.files();
    after.retain(|name, _| !name.starts_with(".ai/"));
    assert_eq!(after, before);
    let said = project.run(&["init", "--local", "--host", "codex"]);
    assert_eq!(said.exit, 1);
    assert!(said.stderr.contains("cannot register Codex with `--local`"), "{}", said.all());
}

#[test]
fn a_package_of_a_repository_is_registered_with_the_repository() {
    let project = Project::new();
    project.write("packages/a/package.json", "{}");
    let said = project.run_in("packages/a", &["init", "--host", "claude-code"]);
    assert_eq!(said.exit, 0, "{}", said.all());
    assert!(
        said.stderr.contains("the workspace is /app, where .git is; it includes /app/packages/a"),
        "{}",
        said.all()
    );
    assert!(project.path(".claude/settings.json").exists());
}
