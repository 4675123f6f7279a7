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

#[test]
fn the_definitions_of_mcp_servers_are_read_where_variables_move_them() {
    const JSON: &str = r#"{"mcpServers": {"weather": {"command": "/bin/weather"}}}"#;
    const TOML: &str = "[mcp_servers.weather]\ncommand = \"/bin/weather\"\n";
    for (variable, value, file, text) in [
        ("CLAUDE_CONFIG_DIR", "moved", "moved/.claude.json", JSON),
        ("CODEX_HOME", "moved", "moved/config.toml", TOML),
        ("COPILOT_HOME", "moved", "moved/mcp-config.json", JSON),
        ("GEMINI_CLI_HOME", "moved", "moved/.gemini/settings.json", JSON),
        ("QWEN_HOME", "moved", "moved/settings.json", JSON),
        ("GEMINI_CLI_SYSTEM_SETTINGS_PATH", "moved/system.json", "moved/system.json", JSON),
        ("QWEN_CODE_SYSTEM_SETTINGS_PATH", "moved/system.json", "moved/system.json", JSON),
    ] {
        let project = Project::new();
        project.write_beside(file, text);
        let with = project.run_with(&[(variable, value)], &["mcp", "pins"], "");
        assert!(with.stdout.contains("new      weather"), "{variable}: {}", with.all());
        let told = project.run_with(&[(variable, value)], &["doctor"], "").stdout;
        assert!(
            told.contains("not accepted the definition of the MCP servers `weather`"),
            "{variable}: {told}"
        );
        let without = project.run(&["mcp", "pins"]).all();
        assert!(without.contains("no agent program would load an MCP server here"), "{variable}: {without}");
    }
}

#[test]
fn the_first_call_of_a_server_in_moved_settings_is_asked_about() {
    let project = Project::new();
    project.write_beside("moved/.claude.json", r#"{"mcpServers": {"weather": {"command": "/bin/weather"}}}"#);
    let payload = r#"{"hook_event_name":"PreToolUse","session_id":"with","tool_use_id":"1","cwd":".","tool_name":"mcp__weather__forecast","tool_input":{}}"#;
    let args = ["dispatch", "PreToolUse", "--host", "claude-code"];
    let answer = project.run_with(&[("CLAUDE_CONFIG_DIR", "moved")], &args, payload).stdout;
    assert!(answer.contains("MCP server `weather`") && answer.contains("is new"), "{answer}");
    let answer = project.run_with(&[], &args, &payload.replace("with", "without")).stdout;
    assert!(!answer.contains("weather"), "{answer}");
}

#[test]
fn a_file_that_replaces_an_administrators_settings_is_read_and_protected() {
    for (host, title, variable, off) in [
        ("gemini", "Gemini CLI", "GEMINI_CLI_SYSTEM_SETTINGS_PATH", r#"{"hooksConfig": {"enabled": false}}"#),
        ("qwen", "Qwen Code", "QWEN_CODE_SYSTEM_SETTINGS_PATH", r#"{"disableAllHooks": true}"#),
    ] {
        let project = Project::new();
        project.write_beside("moved/system.json", off);
        let variables = [(variable, "moved/system.json")];
        let said = project.run(&["init", "--host", host]);
        assert_eq!(said.exit, 0, "{}", said.all());
        let told = project.run_with(&variables, &["doctor"], "").stdout;
        let line = told.lines().find(|line| line.contains(&format!("{title}: "))).unwrap_or_default();
        assert!(line.contains(&format!("${variable} switches them off")), "{told}");
        let told = project.run(&["doctor"]).stdout;
        assert!(!told.contains("switches them off"), "{told}");

        let file = project.path("../moved/system.json");
        let payload = format!(
            r#"{{"hook_event_name":"PreToolUse","session_id":"s","cwd":".","tool_name":"write_file","tool_input":{{"file_path":"{}","content":"{{}}"}}}}"#,
            file.display()
        );
        let args = ["dispatch", "PreToolUse", "--host", host];
        let answer = project.run_with(&variables, &args, &payload).stdout;
        assert!(answer.contains("governs the agent"), "{host}: {answer}");
    }
}
