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
          kept: .ai/hooks (rules), .ai/tmp (records)
        hint: run `steersman uninstall --purge` to delete them too
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

    for part in ["--module=guard", "--agents", "--automations", "--schemas"] {
        assert_eq!(project.run(&["init", part]).exit, 0, "{part}");
    }
    assert!(project.files().len() > 60, "the schemas are there on request");
    let dry = project.run(&["uninstall", "--purge", "--dry-run"]);
    assert!(!dry.all().contains("kept:"), "{}", dry.all());
    let purged = project.run(&["uninstall", "--purge"]);
    assert_eq!(purged.exit, 0, "{}", purged.all());
    assert!(project.files().is_empty(), "{:?} {}", project.files().keys(), purged.all());
}

#[test]
fn purging_removes_every_record_and_names_what_it_keeps() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--host", "claude-code", "--intents", "--yes"]).exit, 0);
    assert_eq!(project.run(&["init", "--module", "guard"]).exit, 0);
    let script = project.read(".ai/hooks/features/guard/hook.mjs") + "// mine\n";
    project.write(".ai/hooks/features/guard/hook.mjs", &script);
    let new = project.run(&["intent", "new", "Add a form", "--scope", "src/**"]);
    assert_eq!(new.exit, 0, "{}", new.all());
    project.write(".ai/memory/m1.md", "---\nversion: 1\nid: m1\ntitle: x\npaths: []\nwords: []\n---\n\nx\n");
    let call = r#"{"session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}"#;
    let args = ["dispatch", "PreToolUse", "--host", "claude-code"];
    assert_eq!(project.run_program(&project.program(), &args, call).exit, 0);
    assert_eq!(project.run(&["trust"]).exit, 0);
    assert!(!state_of_workspaces(&project).is_empty());
    let purged = project.run(&["uninstall", "--purge"]);
    assert_eq!(purged.exit, 0, "{}", purged.all());
    for line in [
        "✓ this workspace is no longer trusted",
        "  .ai/hooks/dispatch.manifest.json — changed since `init`",
        "  .ai/hooks/features/guard/hook.mjs — you wrote or changed it",
        "  .ai/memory/m1.md — a memory that you accepted",
        "  .orchestration/active_intents.yaml — your intents",
    ] {
        assert!(purged.all().contains(line), "{line}: {}", purged.all());
    }
    assert!(!project.path(".ai/tmp").exists());
    assert_eq!(state_of_workspaces(&project), Vec::<String>::new());
    assert!(!purged.all().contains("previous versions"), "the backups are gone: {}", purged.all());
}

#[test]
fn purging_names_a_registration_for_every_folder() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--user", "--host", "claude-code", "--yes"]).exit, 0);
    let purged = project.run(&["uninstall", "--purge"]);
    assert!(
        purged.all().contains("~/.claude/settings.json — it registers steersman for every folder"),
        "{}",
        purged.all()
    );
}

/// Lists what the user's state folder has about single workspaces.
fn state_of_workspaces(project: &Project) -> Vec<String> {
    let folders = ["intents", "plans", "hosts", "holds", "governed", "persons", "workspaces"];
    let mut found = Vec::new();
    for folder in folders {
        let entries =
            std::fs::read_dir(project.path("../state/steersman").join(folder)).into_iter().flatten();
        found.extend(entries.map(|entry| format!("{folder}/{}", entry.unwrap().file_name().display())));
    }
    found
}
