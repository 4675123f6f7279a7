//! `steersman uninstall`

use expect_test::expect;

use crate::project::Project;

/// Settings files as users write them, some of which are hard to restore.
const BEFORE: [(&str, &str); 6] = [
    (".claude/settings.json", "{\n  // mine\n  \"model\": \"opus\",\n}\n"),
    (".gemini/settings.json", "{\"hooks\":{\"BeforeTool\":[]},\"theme\":\"dark\"}"),
    (".qwen/settings.json", "\u{feff}{\r\n\t\"a\": 1\r\n}\r\n"),
    (".cursor/hooks.json", ""),
    (".codex/hooks.json", "{}"),
    (".github/hooks/other.json", "{\"hooks\": {}}\n"),
];

#[test]
fn every_byte_is_as_it_was_before() {
    let project = Project::new();
    for (file, text) in BEFORE {
        project.write(file, text);
    }
    let before = project.files();
    assert_eq!(project.run(&["init", "--host", "all", "--legacy-hooks-file"]).exit, 0);
    assert_ne!(project.files(), before);
    let said = project.run(&["uninstall"]);
    let mut after = project.files();
    after.retain(|name, _| !name.starts_with(".ai/"));
    assert_eq!(after, before);
    assert!(project.path(".ai/hooks/dispatch.manifest.json").exists());
    expect![[r#"
        ✓ VS Code Copilot and Copilot CLI: .github/hooks/steersman.json — deleted, it had no other content
        ✓ Claude Code: .claude/settings.json — removed steersman's entries
        ✓ Codex: .codex/hooks.json — removed steersman's entries
        ✓ Gemini CLI: .gemini/settings.json — removed steersman's entries
        ✓ Cursor: .cursor/hooks.json — removed steersman's entries
        ✓ Qwen Code: .qwen/settings.json — removed steersman's entries
        ✓ the contract's own form: .github/hooks.json — deleted, it had no other content
          the previous versions are in .ai/tmp/backup/WHEN
        exit 0
    "#]]
    .assert_eq(&said.all());
}

#[test]
fn what_others_added_since_stays() {
    let project = Project::new();
    project.write(".claude/settings.json", "{\n  \"model\": \"opus\"\n}\n");
    assert_eq!(project.run(&["init"]).exit, 0);
    let changed = project.read(".claude/settings.json").replace("opus", "haiku");
    project.write(".claude/settings.json", &changed);
    assert_eq!(project.run(&["uninstall", "--host", "claude-code"]).exit, 0);
    assert_eq!(project.read(".claude/settings.json"), "{\n  \"model\": \"haiku\"\n}\n");
}

#[test]
fn only_the_named_program_is_unregistered() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--host", "codex", "cursor"]).exit, 0);
    assert_eq!(project.run(&["uninstall", "--host", "codex"]).exit, 0);
    assert!(!project.path(".codex").exists() && project.path(".cursor/hooks.json").exists());
}

#[test]
fn a_dry_run_changes_nothing() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--host", "all"]).exit, 0);
    let files = project.files();
    let said = project.run(&["uninstall", "--purge", "--dry-run"]);
    assert_eq!(project.files(), files);
    assert!(said.stdout.contains("+++ /dev/null"), "{}", said.stdout);
}

#[test]
fn where_nothing_is_registered_nothing_happens() {
    let said = Project::new().run(&["uninstall"]);
    expect![[r#"
        nothing to change
        exit 0
    "#]]
    .assert_eq(&said.all());
}

#[test]
fn purging_leaves_what_a_person_wrote_and_nothing_else() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--host", "all"]).exit, 0);
    assert_eq!(project.run(&["uninstall", "--purge"]).exit, 0);
    assert!(project.files().is_empty() && !project.path(".ai").exists());

    assert_eq!(project.run(&["init", "--module", "guard"]).exit, 0);
    assert_eq!(project.run(&["uninstall", "--purge"]).exit, 0);
    let left: Vec<String> = project.files().into_keys().collect();
    assert_eq!(left, [".ai/hooks/dispatch.manifest.json", ".ai/hooks/features/guard/hook.mjs"]);
}
