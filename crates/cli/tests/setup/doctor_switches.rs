//! The settings that switch the hooks of a program off: those that it reads if it is started in a folder, and no others.
//!
//! Each row was tried on the program itself.

use std::fs;

use crate::doctor_trust::about;
use crate::project::Project;

const OFF: &str = "{\"disableAllHooks\": true}";
const ON: &str = "{\"disableAllHooks\": false}";
const TOML_OFF: &str = "[features]\nhooks = false\n";
const TOML_ON: &str = "[features]\nhooks = true\n";
const CONFIG_OFF: &str = "{\"hooksConfig\": {\"enabled\": false}}";
const CONFIG_ON: &str = "{\"hooksConfig\": {\"enabled\": true}}";

/// The folder in which a program is started, files beside the project with their texts, and the file that switches the
/// hooks off; `None` if they stay on.
type Row<'a> = (&'a str, &'a [(&'a str, &'a str)], Option<&'a str>);

fn check(host: &str, title: &str, rows: &[Row<'_>]) {
    for (folder, files, expected) in rows {
        let project = Project::new();
        fs::create_dir_all(project.path("src/deep")).unwrap();
        assert_eq!(project.run(&["init", "--user", "--host", host]).exit, 0);
        for (file, text) in *files {
            project.write_beside(file, text);
        }
        let root = project.path("").canonicalize().unwrap();
        let root = root.to_str().unwrap().trim_end_matches('/');
        let own = fs::read_to_string(project.path("../home/.codex/config.toml")).unwrap_or_default();
        let trusted = format!("{own}\n[projects.\"{root}\"]\ntrust_level = \"trusted\"\n");
        project.write_beside("home/.codex/config.toml", &trusted);
        let told = about(&project, folder, title);
        let by_file = told.split_once("because ").and_then(|(_, rest)| rest.split_once(" switches them off"));
        assert_eq!(by_file.map(|(file, _)| file), *expected, "{folder:?} {files:?}: {told}");
    }
}

#[test]
fn claude_code_reads_its_local_settings_from_a_subfolder_and_the_others_not() {
    const LOCAL: &str = "app/.claude/settings.local.json";
    const MANAGED: &str = "machine/etc/claude-code/managed-settings.json";
    let managed = Some("/etc/claude-code/managed-settings.json");
    check(
        "claude-code",
        "Claude Code",
        &[
            ("", &[], None),
            ("", &[(LOCAL, OFF)], Some(".claude/settings.local.json")),
            ("src", &[(LOCAL, OFF)], Some(".claude/settings.local.json")),
            ("src", &[("app/.claude/settings.json", OFF)], None),
            ("src", &[("app/src/.claude/settings.json", OFF)], Some("src/.claude/settings.json")),
            ("src/deep", &[("app/src/.claude/settings.json", OFF)], None),
            ("", &[("app/.claude/settings.json", OFF), (LOCAL, ON)], None),
            ("", &[(MANAGED, OFF), (LOCAL, ON)], managed),
            ("", &[(MANAGED, "{\"allowManagedHooksOnly\": true}")], managed),
        ],
    );
}

#[test]
fn codex_reads_settings_from_every_folder_up_to_the_project() {
    const NESTED: &str = "app/src/.codex/config.toml";
    const ROOT: &str = "app/.codex/config.toml";
    const SYSTEM: &str = "machine/etc/codex/config.toml";
    check(
        "codex",
        "Codex",
        &[
            ("", &[], None),
            ("src", &[(NESTED, TOML_OFF)], Some("src/.codex/config.toml")),
            ("src/deep", &[(NESTED, TOML_OFF)], Some("src/.codex/config.toml")),
            ("", &[(NESTED, TOML_OFF)], None),
            ("src", &[(NESTED, TOML_ON), (ROOT, TOML_OFF)], None),
            ("", &[(NESTED, TOML_ON), (ROOT, TOML_OFF)], Some(".codex/config.toml")),
            ("", &[("home/.codex/config.toml", TOML_OFF)], Some("~/.codex/config.toml")),
            ("", &[("home/.codex/config.toml", TOML_OFF), (ROOT, TOML_ON)], None),
            ("", &[(SYSTEM, TOML_OFF)], Some("/etc/codex/config.toml")),
            ("", &[(SYSTEM, TOML_OFF), ("home/.codex/config.toml", TOML_ON)], None),
            (
                "",
                &[("machine/etc/codex/requirements.toml", TOML_OFF), (ROOT, TOML_ON)],
                Some("/etc/codex/requirements.toml"),
            ),
        ],
    );
}

#[test]
fn the_settings_of_an_administrator_beat_the_projects_on_gemini_and_qwen() {
    const GEMINI: &str = "machine/etc/gemini-cli/settings.json";
    const QWEN: &str = "machine/etc/qwen-code/settings.json";
    check(
        "gemini",
        "Gemini CLI",
        &[
            (
                "",
                &[(GEMINI, CONFIG_OFF), ("app/.gemini/settings.json", CONFIG_ON)],
                Some("/etc/gemini-cli/settings.json"),
            ),
            ("", &[(GEMINI, CONFIG_ON), ("app/.gemini/settings.json", CONFIG_OFF)], None),
            ("", &[("app/.gemini/settings.json", CONFIG_OFF)], Some(".gemini/settings.json")),
            ("src", &[("app/.gemini/settings.json", CONFIG_OFF)], None),
        ],
    );
    check(
        "qwen",
        "Qwen Code",
        &[
            ("", &[(QWEN, OFF), ("app/.qwen/settings.json", ON)], Some("/etc/qwen-code/settings.json")),
            ("", &[(QWEN, ON), ("app/.qwen/settings.json", OFF)], None),
            ("", &[("app/.qwen/settings.json", OFF)], Some(".qwen/settings.json")),
            ("src", &[("app/.qwen/settings.json", OFF)], None),
        ],
    );
}

#[test]
fn copilot_reads_the_switch_of_claude_code_too_and_one_in_a_hooks_file_for_that_file() {
    const HOOKS: &str = "home/.copilot/hooks/steersman.json";
    check(
        "copilot-cli",
        "Copilot CLI",
        &[
            ("src", &[("app/.claude/settings.json", OFF)], Some(".claude/settings.json")),
            ("", &[("app/.claude/settings.local.json", OFF)], Some(".claude/settings.local.json")),
            ("src", &[("app/.github/copilot/settings.json", OFF)], Some(".github/copilot/settings.json")),
            ("src", &[("app/src/.github/copilot/settings.json", OFF)], None),
            ("", &[("home/.claude/settings.json", OFF)], None),
            ("", &[("home/.copilot/settings.json", OFF)], None),
        ],
    );
    let project = Project::new();
    assert_eq!(project.run(&["init", "--user", "--host", "copilot-cli"]).exit, 0);
    let registered = fs::read_to_string(project.path("../home/.copilot/hooks/steersman.json")).unwrap();
    project.write_beside(HOOKS, &registered.replacen('{', "{\"disableAllHooks\": true,", 1));
    let told = about(&project, "", "Copilot CLI");
    assert!(told.contains("because ~/.copilot/hooks/steersman.json switches them off"), "{told}");
    project.write(".github/hooks/steersman.json", &registered);
    project.write_beside("home/.copilot/config.json", "{\"trusted_folders\": [\"/\"]}");
    let told = about(&project, "", "Copilot CLI");
    assert!(!told.contains("switches them off"), "{told}");
    // Seen with the program: it runs neither.
    project
        .write(".github/hooks/steersman.json", &registered.replacen('{', "{\"disableAllHooks\": true,", 1));
    let told = about(&project, "", "Copilot CLI");
    assert!(told.contains("because .github/hooks/steersman.json switches them off"), "{told}");
}
