//! Gemini CLI.

use serde_json::{Map, Value, json};

use super::{BeforeCall, Client, Moved, Permissions, Tools, Trust, after_cd, words};
use crate::clients::lab::{Home, TRUSTED};
use crate::clients::model::Call;
use crate::clients::pins;

pub(super) const GEMINI: Client = Client {
    pin: pins::GEMINI,
    title: "Gemini CLI",
    host: "gemini",
    settings: ".gemini/settings.json",
    silence: (".gemini/settings.json", "{\"hooksConfig\": {\"enabled\": false}}\n"),
    switches: &[
        "gemini hooks migrate",
        "gemini -p '/hooks disable steersman'",
        "GEMINI_CLI_SYSTEM_SETTINGS_PATH=/tmp/x gemini -p hi",
        "echo '{\"hooksConfig\": {\"disabled\": [\"steersman\"]}}' > ~/.gemini/settings.json",
    ],
    moved: ("GEMINI_CLI_HOME", Moved::Home(".gemini")),
    trust: Trust::Folder(".gemini/trustedFolders.json", "{}\n"),
    reads_from_subfolder: false,
    runs_on_node: true,
    configure: |home: &Home| {
        home.write_json(
            ".gemini/settings.json",
            &json!({
                "security": {"auth": {"selectedType": "gemini-api-key"}},
                "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
                "privacy": {"usageStatisticsEnabled": false},
                "telemetry": {"enabled": false},
            }),
        )?;
        let trusted: Map<String, Value> =
            TRUSTED.iter().map(|folder| ((*folder).to_owned(), "TRUST_FOLDER".into())).collect();
        home.write_json(".gemini/trustedFolders.json", &Value::Object(trusted))
    },
    environment: |port| {
        vec![
            ("GEMINI_API_KEY", "script".to_owned()),
            ("GOOGLE_GEMINI_BASE_URL", format!("http://127.0.0.1:{port}")),
            ("GEMINI_TELEMETRY_ENABLED", "false".to_owned()),
            ("GEMINI_SANDBOX", "false".to_owned()),
        ]
    },
    arguments: |prompt, permissions| {
        let mut arguments = words(&["-m", "gemini-2.5-pro", "-p", prompt, "-o", "json"]);
        if permissions == Permissions::Bypassed {
            arguments.extend(words(&["--approval-mode", "yolo"]));
        }
        arguments
    },
    before_call: BeforeCall { rewrite: true, context: false },
    reads_context_of_subagents: false,
    tools: Tools {
        read: |path| Call::new("read_file", json!({"file_path": path})),
        shell,
        shell_in: |folder, command| shell(&after_cd(folder, command)),
        write: |path, content| Call::new("write_file", json!({"file_path": path, "content": content})),
        edit: |path, old, new| {
            let arguments =
                json!({"file_path": path, "old_string": old, "new_string": new, "instruction": "change it"});
            Call::new("replace", arguments)
        },
        steersman: |tool, arguments| Call {
            is_deferred: true,
            ..Call::new(&format!("mcp_steersman_{tool}"), arguments)
        },
        load_steersman: None,
        delegate: |prompt| {
            vec![Call::new("invoke_agent", json!({"agent_name": "generalist", "prompt": prompt}))]
        },
    },
};

fn shell(command: &str) -> Call {
    Call::new("run_shell_command", json!({"command": command, "description": "part of the work"}))
}
