//! `steersman init` with failures.

use std::fs;

use expect_test::expect;

use crate::project::Project;

#[test]
fn broken_settings_are_shown_and_left_and_the_others_are_done() {
    let project = Project::new();
    let broken = "{\n  \"model\": \"opus\"\n  \"hooks\": {}\n}\n";
    project.write(".claude/settings.json", broken);
    let said = project.run(&["init", "--host", "claude-code", "cursor"]);
    assert_eq!(project.read(".claude/settings.json"), broken);
    assert!(project.path(".cursor/hooks.json").exists());
    expect![[r#"
        error: cannot edit `.claude/settings.json`: expected a comma here
          --> .claude/settings.json:2:18
           |
         2 |   "model": "opus"
           |                  ^
        hint: correct the file and run the command again; steersman did not change it
          note: .cursor/hooks.json: Cursor can ask the user only about shell commands; for other tools it supports allow and deny
          note: everyone who gets this repository shares .cursor/hooks.json once it is committed
        ✓ Cursor: registered in .cursor/hooks.json (10 events)
        ✓ wrote: .ai/hooks/dispatch.manifest.json
        ✓ wrote: .ai/hooks/config.json
        exit 1
    "#]]
    .assert_eq(&said.all());
}

#[test]
fn hooks_of_another_shape_are_shown_and_left() {
    let project = Project::new();
    project.write(".gemini/settings.json", "{ \"hooks\": { \"BeforeTool\": \"x\" } }");
    let said = project.run(&["init", "--host", "gemini"]);
    assert_eq!(said.exit, 1);
    let first: Vec<&str> = said.stderr.lines().take(6).collect();
    expect![[r#"
        error: cannot edit `.gemini/settings.json`: `hooks.BeforeTool` is a string, expected an array
          --> .gemini/settings.json:1:28
           |
         1 | { "hooks": { "BeforeTool": "x" } }
           |                            ^
        hint: correct the file and run the command again; steersman did not change it"#]]
    .assert_eq(&first.join("\n"));
}

#[test]
fn a_write_protected_file_fails_and_the_others_are_done() {
    let project = Project::new();
    project.write(".claude/settings.json", "{}\n");
    let mut permissions = fs::metadata(project.path(".claude/settings.json")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(project.path(".claude/settings.json"), permissions).unwrap();
    let said = project.run(&["init", "--host", "claude-code,codex"]);
    assert_eq!(project.read(".claude/settings.json"), "{}\n");
    assert!(project.path(".codex/hooks.json").exists());
    assert_eq!(said.exit, 3);
    let problem: Vec<&str> =
        said.stderr.lines().skip_while(|line| !line.starts_with("error")).take(3).collect();
    expect![[r#"
        error: cannot change `.claude/settings.json`
          because: cannot replace `/app/.claude/settings.json`
          because: the file is write-protected"#]]
    .assert_eq(&problem.join("\n"));
}

#[test]
fn a_folder_where_the_file_belongs_fails() {
    let project = Project::new();
    fs::create_dir_all(project.path(".codex/hooks.json")).unwrap();
    let said = project.run(&["init", "--host", "codex"]);
    assert_eq!(said.exit, 3, "{}", said.stderr);
}

#[test]
fn settings_that_are_not_text_are_left() {
    let project = Project::new();
    project.write(".claude/x", "");
    fs::write(project.path(".claude/settings.json"), b"{\"a\": \"\xff\"}").unwrap();
    let said = project.run(&["init"]);
    assert_eq!(said.exit, 1, "{}", said.stderr);
    assert_eq!(fs::read(project.path(".claude/settings.json")).unwrap(), b"{\"a\": \"\xff\"}");
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let project = Project::new();
    project.write("dotfiles/claude.json", "{}\n");
    fs::create_dir_all(project.path(".claude")).unwrap();
    std::os::unix::fs::symlink("../dotfiles/claude.json", project.path(".claude/settings.json")).unwrap();
    assert_eq!(project.run(&["init"]).exit, 0);
    assert!(fs::symlink_metadata(project.path(".claude/settings.json")).unwrap().is_symlink());
    assert!(project.read("dotfiles/claude.json").contains("steersman dispatch"));
    assert_eq!(project.run(&["uninstall"]).exit, 0);
    assert!(fs::symlink_metadata(project.path(".claude/settings.json")).unwrap().is_symlink());
    assert_eq!(project.read("dotfiles/claude.json"), "{}\n");
}

#[test]
fn the_home_folder_is_no_project() {
    let project = Project::new();
    let home = project.path("../home");
    let said = project.run(&["init", "--host", "all", "--workspace", home.to_str().unwrap()]);
    assert_eq!(said.exit, 1, "{}", said.stderr);
    assert!(!home.join(".claude").exists());
}

#[test]
fn a_folder_that_does_not_exist_is_not_made() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--host", "all", "--workspace", "elsewhere"]).exit, 1);
    assert!(project.files().is_empty());
}

#[test]
fn wrong_words_are_wrong_usage() {
    let project = Project::new();
    for args in [&["init", "--host", "vim"][..], &["init", "--module", "../x"], &["init", "--host", "raw"]] {
        assert_eq!(project.run(args).exit, 2, "{args:?}");
    }
    let said = project.run(&["init", "--host", "all", "--program", "/usr/bin/true"]);
    assert_eq!(said.exit, 1, "{}", said.stderr);
    assert!(project.files().is_empty());
}
