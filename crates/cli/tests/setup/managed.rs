//! `steersman init --managed`: the settings that only an administrator can change.

use std::os::unix::fs::{MetadataExt, chown};

use expect_test::expect;
use serde_json::Value;

use crate::project::Project;

fn managed(project: &Project, file: &str) -> String {
    std::fs::read_to_string(project.machine().join(file)).unwrap()
}

fn json(project: &Project, file: &str) -> Value {
    serde_json::from_str(&managed(project, file)).unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn every_program_with_managed_settings_is_registered_and_pinned() {
    let project = Project::new();
    let said = project.run(&["init", "--managed", "--host", "all"]);
    expect![[r#"
          note: the settings start /bin/steersman; every user must be able to run it
          note: /etc/github-copilot/policy.d/steersman.json: Copilot denies every tool call if it cannot start the hook
        ✓ Copilot CLI: registered in /etc/github-copilot/policy.d/steersman.json (9 events)
        ✓ Claude Code: registered in /etc/claude-code/managed-settings.json (9 events)
        ✓ Codex: registered in /etc/codex/requirements.toml (8 events)
        ✓ Gemini CLI: registered in /etc/gemini-cli/settings.json (6 events)
          note: /etc/cursor/hooks.json: Cursor can ask the user only about shell commands; for other tools it supports allow and deny
        ✓ Cursor: registered in /etc/cursor/hooks.json (10 events)
        ✓ Qwen Code: registered in /etc/qwen-code/settings.json (9 events)
        ✓ Claude Code: commands can run confined (CLAUDE_CODE_SHELL_PREFIX in /etc/claude-code/managed-settings.json)
        ✓ wrote: /etc/steersman/config.json
        hint: restart running sessions of Copilot CLI, Codex, Gemini CLI, Cursor and Qwen Code, which load hooks only when they start; Claude Code loads the new ones at once
        hint: start an agent in any folder and give it a task, then run `steersman doctor` there; `"scope": "registered"` limits steersman to folders with `.ai/hooks`
        exit 0
    "#]].assert_eq(&said.all());
    assert!(project.files().is_empty());
    assert_eq!(json(&project, "etc/gemini-cli/settings.json")["hooksConfig"]["enabled"], true);
    assert_eq!(json(&project, "etc/qwen-code/settings.json")["disableAllHooks"], false);
    let codex = managed(&project, "etc/codex/requirements.toml");
    let head =
        "[features]\nhooks = true\n\n[hooks]\nmanaged_dir = \"/etc/codex\"\n\n[[hooks.SessionStart]]\n";
    assert!(codex.starts_with(head), "{codex}");
    assert_eq!(json(&project, "etc/github-copilot/policy.d/steersman.json")["version"], 1);
    for file in [
        "etc/claude-code/managed-settings.json",
        "etc/github-copilot/policy.d/steersman.json",
        "etc/cursor/hooks.json",
    ] {
        assert!(managed(&project, file).contains("/bin/steersman dispatch "), "{file}");
    }
    let again = project.run(&["init", "--managed", "--host", "all"]);
    assert!(again.stderr.ends_with("nothing to change\n"), "{}", again.stderr);
}

#[test]
#[cfg(target_os = "linux")]
fn a_setting_that_silences_hooks_is_corrected_and_restored() {
    let project = Project::new();
    for (file, text) in [
        (
            "machine/etc/gemini-cli/settings.json",
            "{\n  \"hooksConfig\": {\"enabled\": false},\n  \"theme\": \"dark\"\n}\n",
        ),
        ("machine/etc/qwen-code/settings.json", "{\"disableAllHooks\": true}"),
        (
            "machine/etc/codex/requirements.toml",
            "# ours\nallowed_approval_policies = [\"on-request\"]\n\n[features]\nhooks = false\n",
        ),
    ] {
        project.write_beside(file, text);
    }
    let before = project.files_beside("machine");
    assert_eq!(project.run(&["init", "--managed", "--host", "all"]).exit, 0);
    assert_eq!(json(&project, "etc/gemini-cli/settings.json")["hooksConfig"]["enabled"], true);
    assert_eq!(json(&project, "etc/qwen-code/settings.json")["disableAllHooks"], false);
    let codex = managed(&project, "etc/codex/requirements.toml");
    assert!(
        codex.starts_with("# ours\nallowed_approval_policies") && codex.contains("\nhooks = true\n"),
        "{codex}"
    );
    assert_eq!(project.run(&["uninstall", "--managed"]).exit, 0);
    assert_eq!(project.files_beside("machine"), before);
}

#[test]
fn what_an_administrator_added_since_stays() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--managed", "--host", "codex", "qwen"]).exit, 0);
    let file = "etc/codex/requirements.toml";
    let text = format!("allowed_approval_policies = [\"never\"]\n{}", managed(&project, file));
    project.write_beside(&format!("machine/{file}"), &text);
    assert_eq!(project.run(&["uninstall", "--managed"]).exit, 0);
    assert_eq!(
        managed(&project, "etc/codex/requirements.toml").trim(),
        "allowed_approval_policies = [\"never\"]"
    );
}

#[test]
fn a_user_who_is_no_administrator_gets_a_hint() {
    let project = Project::new();
    // The folder belongs to another user, as `/` does for all users but root.
    if std::fs::metadata(project.machine()).unwrap().uid() == 0 {
        chown(project.machine(), Some(65534), None).unwrap();
    } else {
        std::fs::remove_dir(project.machine()).unwrap();
        std::os::unix::fs::symlink("/", project.machine()).unwrap();
    }
    let said =
        ["init", "uninstall"].map(|command| project.run(&[command, "--managed", "--host", "all"]).all());
    expect![[r#"
        error: cannot change managed settings: only an administrator may, and you are not root
        hint: run the command with `sudo`, or use `--user` for your own settings
        exit 1
    "#]]
    .assert_eq(&said[0]);
    assert_eq!(said[0], said[1]);
}

#[test]
fn the_doctor_finds_the_registration_in_every_folder() {
    let project = Project::new();
    project.write("CLAUDE.md", "");
    project.write("src/x.js", "");
    assert_eq!(project.run(&["init", "--managed", "--host", "claude-code", "codex"]).exit, 0);
    let said = project.run_in("src", &["doctor"]);
    assert!(
        said.stdout
            .contains("Claude Code: registered in /etc/claude-code/managed-settings.json; no event seen yet"),
        "{}",
        said.stdout
    );
    assert!(said.stdout.contains("Codex: registered in /etc/codex/requirements.toml"), "{}", said.stdout);
}
