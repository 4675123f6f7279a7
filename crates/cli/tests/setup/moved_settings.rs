//! The user's own settings in the folders that the programs' variables name.

use crate::project::Project;

/// Each program's variable with the folder in it, and the settings file below it.
const MOVED: [(&str, &str, &str, &str); 5] = [
    ("claude-code", "CLAUDE_CONFIG_DIR", "settings.json", "Claude Code"),
    ("codex", "CODEX_HOME", "hooks.json", "Codex"),
    ("copilot-cli", "COPILOT_HOME", "hooks/steersman.json", "VS Code Copilot and Copilot CLI"),
    ("gemini", "GEMINI_CLI_HOME", ".gemini/settings.json", "Gemini CLI"),
    ("qwen", "QWEN_HOME", "settings.json", "Qwen Code"),
];

#[test]
fn registration_follows_the_variable_of_each_program() {
    for (host, variable, file, title) in MOVED {
        let project = Project::new();
        let variables = [(variable, "moved")];
        let said = project.run_with(&variables, &["init", "--user", "--host", host], "");
        assert_eq!(said.exit, 0, "{}", said.all());
        let line = format!("✓ {title}: registered in ${variable}/{file} (");
        assert!(said.all().contains(&line), "{}", said.all());
        let moved = project.files_beside("moved");
        assert!(String::from_utf8_lossy(&moved[file]).contains("steersman dispatch"), "{file}");
        let home: Vec<String> = project.files_beside("home").into_keys().collect();
        assert_eq!(home, [".config/steersman/config.json"], "{host}");

        let told = project.run_with(&variables, &["doctor"], "").stdout;
        assert!(told.contains(&format!("registered in ${variable}/{file}")), "{told}");
        let without = project.run(&["doctor"]).stdout;
        assert!(!without.contains("registered in"), "{without}");

        let said = project.run_with(&variables, &["uninstall", "--user"], "");
        assert_eq!(said.exit, 0, "{}", said.all());
        assert!(project.files_beside("moved").is_empty(), "{host}");
        assert!(project.files_beside("home").is_empty(), "{host}");
    }
}

#[test]
fn an_agent_may_not_change_the_moved_settings() {
    let project = Project::new();
    let moved = project.path("../moved");
    let moved = moved.display();
    for (variable, call, denied) in [
        (
            "CLAUDE_CONFIG_DIR",
            format!(r#""Write","tool_input":{{"file_path":"{moved}/settings.json","content":"{{}}"}}"#),
            true,
        ),
        (
            "CLAUDE_CONFIG_DIR",
            format!(r#""Bash","tool_input":{{"command":"echo x > {moved}/settings.json"}}"#),
            true,
        ),
        ("CLAUDE_CONFIG_DIR", format!(r#""Bash","tool_input":{{"command":"rm -rf {moved}"}}"#), true),
        (
            "CLAUDE_CONFIG_DIR",
            format!(r#""Write","tool_input":{{"file_path":"{moved}/plans/a.md","content":"x"}}"#),
            false,
        ),
        ("CODEX_HOME", format!(r#""Bash","tool_input":{{"command":"echo x > {moved}/config.toml"}}"#), true),
        (
            "CODEX_HOME",
            format!(r#""Write","tool_input":{{"file_path":"{moved}/fast.config.toml","content":"x"}}"#),
            true,
        ),
    ] {
        let payload = format!(
            r#"{{"hook_event_name":"PreToolUse","session_id":"s","tool_use_id":"1","cwd":".","tool_name":{call}}}"#
        );
        let args = ["dispatch", "PreToolUse", "--host", "claude-code"];
        let answer = project.run_with(&[(variable, "moved")], &args, &payload).stdout;
        assert_eq!(answer.contains("governs the agent"), denied, "{call}: {answer}");
    }
}
