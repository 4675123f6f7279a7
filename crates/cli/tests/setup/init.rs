//! `steersman init` without failures.

use std::fs;

use expect_test::expect;
use serde_json::Value;

use crate::project::Project;

#[test]
fn without_a_trace_of_an_agent_program_nothing_is_written() {
    let project = Project::new();
    let said = project.run(&["init"]);
    assert!(project.files().is_empty());
    expect![[r#"
        error: cannot find an agent program in use in /app: no files of one there or in your home folder, and none on the PATH
        hint: name one with `--host`: vscode, copilot-cli, claude-code, codex, gemini, cursor, qwen, or all
        exit 1
    "#]].assert_eq(&said.all());
}

#[test]
fn the_programs_in_use_are_registered_and_reported() {
    let project = Project::new();
    project.write("CLAUDE.md", "");
    project.write_beside("home/.codex/config.toml", "");
    let said = project.run(&["init"]);
    expect![[r#"
          note: .claude/settings.json: Copilot CLI reads this file too, and so do VS Code with `chat.useClaudeHooks` and Cursor with third-party hooks: steersman tells them apart by the payload and records a duplicate event once
          note: .codex/hooks.json: Codex skips new and changed hooks until you trust them: run `codex` here, trust the project, and answer "Hooks need review" with "Trust all and continue" (later: `/hooks`); `codex exec` skips untrusted hooks silently
          note: everyone who gets this repository shares .claude/settings.json, .codex/hooks.json once it is committed
        ✓ Claude Code: registered in .claude/settings.json (9 events)
        ✓ Codex: registered in .codex/hooks.json (8 events)
        ✓ wrote: .ai/hooks/dispatch.manifest.json
        ✓ wrote: .ai/hooks/config.json
        hint: restart running sessions of Codex, which load hooks only when they start; Claude Code loads the new ones at once
        Try it:
          steersman shell explain 'rm -rf ~'  how the guard judges a command
          steersman status                    the rules in force here, last sessions
          steersman log                       each call of the agent, decision, reason
        exit 0
    "#]].assert_eq(&said.all());
    let names: Vec<String> = project.files().into_keys().filter(|name| !name.contains("schema")).collect();
    expect![[r#"
        [
            ".ai/hooks/config.json",
            ".ai/hooks/dispatch.manifest.json",
            ".claude/settings.json",
            ".codex/hooks.json",
            "CLAUDE.md",
        ]
    "#]]
    .assert_debug_eq(&names);
    assert_eq!(project.read(".ai/tmp/.gitignore"), "*\n");
    assert!(project.read(".claude/settings.json").contains("\"steersman dispatch PreToolUse\""));
}

#[test]
fn comments_order_and_layout_of_existing_settings_stay() {
    let project = Project::new();
    let before = "{\n\t// ours since 2024\n\t\"model\": \"opus\",\n\t\"env\": {\"A\": \"1\"}, // last\n}\n";
    project.write(".claude/settings.json", before);
    assert_eq!(project.run(&["init"]).exit, 0);
    let after = project.read(".claude/settings.json");
    let (head, tail) = before.split_at(before.len() - 2);
    assert!(after.starts_with(head) && after.ends_with(tail), "{after}");
    let moment = fs::read_dir(project.path(".ai/tmp/backup")).unwrap().next().unwrap().unwrap();
    assert_eq!(fs::read_to_string(moment.path().join(".claude/settings.json")).unwrap(), before);
}

#[test]
fn a_second_run_changes_no_byte_and_says_so() {
    let project = Project::new();
    project.write(".claude/settings.json", "{\n  \"hooks\": {}\n}\n");
    assert_eq!(project.run(&["init", "--host", "all", "--legacy-hooks-file"]).exit, 0);
    let files = project.files();
    let said = project.run(&["init", "--host", "all", "--legacy-hooks-file"]);
    assert_eq!(project.files(), files);
    expect![[r#"
        ✓ VS Code Copilot and Copilot CLI: already registered in .github/hooks/steersman.json
        ✓ Claude Code: already registered in .claude/settings.json
        ✓ Codex: already registered in .codex/hooks.json
        ✓ Gemini CLI: already registered in .gemini/settings.json
        ✓ Cursor: already registered in .cursor/hooks.json
        ✓ Qwen Code: already registered in .qwen/settings.json
        ✓ the contract's own form: already registered in .github/hooks.json
        nothing to change
        exit 0
    "#]]
    .assert_eq(&said.all());
}

#[test]
fn schemas_are_written_on_request_and_named_by_files_that_nobody_has_edited() {
    let project = Project::new();
    project.run(&["init", "--host", "claude-code"]);
    assert!(!project.path(".ai/hooks/schema").exists());
    for file in [".ai/hooks/dispatch.manifest.json", ".ai/hooks/config.json"] {
        assert!(!project.read(file).contains("$schema"), "{file}");
    }
    let said = project.run(&["init", "--schemas", "--agents"]);
    assert!(said.all().contains("✓ wrote: the JSON Schemas in .ai/hooks/schema"), "{}", said.all());
    let agent = project.read(".rawko/agents/planner.yaml");
    let named = agent.lines().next().unwrap().split_once("$schema=../../").unwrap().1;
    assert!(project.path(named).exists(), "{agent}");
    assert_eq!(project.run(&["agent", "validate"]).exit, 0);
    for (file, schema) in [("dispatch.manifest.json", "dispatch-manifest"), ("config.json", "config")] {
        let written: Value = serde_json::from_str(&project.read(&format!(".ai/hooks/{file}"))).unwrap();
        testkit::schema::check(schema, &written);
        let named = written["$schema"].as_str().unwrap().trim_start_matches("./");
        let beside: Value = serde_json::from_str(&project.read(&format!(".ai/hooks/{named}"))).unwrap();
        assert_eq!(beside["type"], "object", "{file}");
    }
}

#[test]
fn in_a_package_of_a_monorepo_init_says_what_it_found_where() {
    let project = Project::new();
    project.write("packages/a/CLAUDE.md", "# a\n");
    project.write("packages/b/GEMINI.md", "# b\n");
    let said = project.run_in("packages/a", &["init", "--yes"]);
    assert_eq!(said.exit, 0, "{}", said.all());
    for part in [
        "where .git is; it includes /app/packages/a",
        "note: found packages/a/CLAUDE.md (Claude Code)",
        "pass `--workspace .`",
        "✓ Claude Code: registered in .claude/settings.json",
    ] {
        assert!(said.all().contains(part), "{part}: {}", said.all());
    }
    assert!(!said.all().contains("Gemini"), "another package's program: {}", said.all());
    assert!(project.path(".claude/settings.json").exists() && !project.path("packages/a/.claude").exists());
    let said = project.run_in("packages/b", &["init", "--yes", "--workspace", "."]);
    assert!(said.all().contains("✓ Gemini CLI: registered in .gemini/settings.json"), "{}", said.all());
    assert!(project.path("packages/b/.gemini/settings.json").exists());
}

#[test]
fn a_dry_run_shows_a_diff_and_writes_nothing() {
    let project = Project::new();
    project.write(".gemini/settings.json", "{\n  \"theme\": \"dark\"\n}\n");
    let files = project.files();
    let said = project.run(&["init", "--dry-run"]);
    assert_eq!(project.files(), files);
    assert!(!project.path(".ai").exists());
    let start: Vec<&str> = said.stdout.lines().take(18).collect();
    expect![[r#"
        --- a/.gemini/settings.json
        +++ b/.gemini/settings.json
        @@ -1,3 +1,77 @@
         {
        -  "theme": "dark"
        +  "theme": "dark",
        +  "hooks": {
        +    "SessionStart": [
        +      {
        +        "hooks": [
        +          {
        +            "type": "command",
        +            "name": "steersman",
        +            "command": "steersman dispatch SessionStart --host gemini",
        +            "timeout": 15000
        +          }
        +        ]
        +      }"#]]
    .assert_eq(&start.join("\n"));
    expect![[r#"
          note: .gemini/settings.json: Gemini CLI warns once about new project hooks and runs them only in a folder you trust; `/hooks` lists them
        ✓ Gemini CLI: would be registered in .gemini/settings.json (6 events)
        ✓ would write: .ai/hooks/dispatch.manifest.json
        ✓ would write: .ai/hooks/config.json
        dry run: nothing was written
    "#]].assert_eq(&said.stderr);
}

#[test]
fn a_program_that_is_not_on_the_path_is_named_by_its_place() {
    let project = Project::new();
    let elsewhere = project.path("../opt/steersman");
    fs::create_dir_all(elsewhere.parent().unwrap()).unwrap();
    fs::rename(project.program(), &elsewhere).unwrap();
    let said = project.run_program(&elsewhere, &["init", "--host", "qwen"], "");
    assert!(project.read(".qwen/settings.json").contains("/opt/steersman dispatch PreToolUse --host qwen\""));
    expect![[r#"
          note: `steersman` is not on your PATH, so the settings start /opt/steersman; other users of this repository need it at the same path
          note: .qwen/settings.json: Qwen Code runs project hooks only in a folder you trust; `/hooks` lists them
          note: everyone who gets this repository shares .qwen/settings.json once it is committed
        ✓ Qwen Code: registered in .qwen/settings.json (9 events)
        ✓ wrote: .ai/hooks/dispatch.manifest.json
        ✓ wrote: .ai/hooks/config.json
        hint: restart running sessions of Qwen Code, which load hooks only when they start
        Try it:
          steersman shell explain 'rm -rf ~'  how the guard judges a command
          steersman status                    the rules in force here, last sessions
          steersman log                       each call of the agent, decision, reason
    "#]].assert_eq(&said.stderr);
}

#[test]
fn the_program_can_be_named_and_an_entry_follows_it() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--host", "cursor", "--program", "/opt/a b/steersman"]).exit, 0);
    assert!(
        project.read(".cursor/hooks.json").contains("\"'/opt/a b/steersman' dispatch Stop --host cursor\"")
    );
    let said = project.run(&["init", "--host", "cursor", "--program", "steersman"]);
    assert!(said.stderr.contains("Cursor: updated in .cursor/hooks.json"), "{}", said.stderr);
    assert!(project.read(".cursor/hooks.json").contains("\"steersman dispatch Stop --host cursor\""));
}

#[test]
fn what_a_person_wrote_into_manifest_and_settings_is_never_touched() {
    let project = Project::new();
    project.write(".ai/hooks/dispatch.manifest.json", "{ \"onFault\": \"deny\" }");
    project.write(".ai/hooks/config.json", "{}");
    assert_eq!(project.run(&["init", "--host", "codex"]).exit, 0);
    assert_eq!(project.read(".ai/hooks/dispatch.manifest.json"), "{ \"onFault\": \"deny\" }");
    assert_eq!(project.read(".ai/hooks/config.json"), "{}");
}

#[test]
fn schemas_that_are_brought_up_to_date_cost_no_trust() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--module", "guard"]).exit, 0);
    assert_eq!(project.run(&["trust"]).exit, 0);
    project.write(".ai/hooks/schema/state.schema.json", "{}");
    assert_eq!(project.run(&["trust"]).exit, 0);
    assert_eq!(project.run(&["init", "--host", "codex"]).exit, 0);
    assert!(project.read(".ai/hooks/schema/state.schema.json").len() > 10);
    let said = project.run(&["trust"]);
    assert!(said.stderr.contains("already trusted"), "{}", said.stderr);
}
