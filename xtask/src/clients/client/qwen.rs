//! Qwen Code.

use serde_json::{Map, Value, json};

use super::{BeforeCall, Client, Moved, Permissions, Tools, Trust, after_cd, words};
use crate::clients::lab::{HOME, Home, TRUSTED};
use crate::clients::model::{Call, MODEL_NAME};
use crate::clients::pins;

pub(super) const QWEN: Client = Client {
    pin: pins::QWEN,
    title: "Qwen Code",
    host: "qwen",
    settings: ".qwen/settings.json",
    silence: (".qwen/settings.json", "{\"disableAllHooks\": true}\n"),
    switches: &[
        "qwen --safe-mode -p hi",
        "qwen --bare -p hi",
        "QWEN_HOME=/tmp/x qwen -p hi",
        "echo QWEN_HOME=/tmp/x > ~/.env",
        "node -e \"require('fs').writeFileSync('.qwen/settings.json', '{\\\"disableAllHooks\\\": true}')\"",
    ],
    moved: ("QWEN_HOME", Moved::Folder(".qwen")),
    trust: Trust::Folder(".qwen/trustedFolders.json", "{}\n"),
    reads_from_subfolder: false,
    runs_on_node: true,
    configure: |home: &Home| {
        home.write_json(
            ".qwen/settings.json",
            &json!({
                "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": true}},
                "general": {"enableAutoUpdate": false, "disableAutoUpdate": true},
                "privacy": {"usageStatisticsEnabled": false},
                "telemetry": {"enabled": false},
            }),
        )?;
        let trusted: Map<String, Value> =
            TRUSTED.iter().map(|folder| ((*folder).to_owned(), "TRUST_FOLDER".into())).collect();
        home.write_json(".qwen/trustedFolders.json", &Value::Object(trusted))
    },
    environment: |port| {
        vec![
            ("OPENAI_API_KEY", "script".to_owned()),
            ("OPENAI_BASE_URL", format!("http://127.0.0.1:{port}/v1")),
            ("OPENAI_MODEL", MODEL_NAME.to_owned()),
            ("QWEN_SANDBOX", "false".to_owned()),
            // What `steersman init` asks the user to set; a file that does not exist changes nothing.
            ("BASH_ENV", format!("{HOME}/.local/state/steersman/shell/bash-env")),
        ]
    },
    arguments: |prompt, permissions| {
        let mut arguments = words(&["-p", prompt, "-o", "json", "--auth-type", "openai"]);
        if permissions == Permissions::Bypassed {
            arguments.extend(words(&["--approval-mode", "yolo"]));
        }
        arguments
    },
    before_call: BeforeCall { rewrite: false, context: false },
    reads_context_of_subagents: false,
    tools: Tools {
        read: |path| Call::new("read_file", json!({"file_path": path})),
        shell,
        shell_in: |folder, command| shell(&after_cd(folder, command)),
        write: |path, content| Call::new("write_file", json!({"file_path": path, "content": content})),
        edit: |path, old, new| {
            Call::new("edit", json!({"file_path": path, "old_string": old, "new_string": new}))
        },
        steersman: |tool, arguments| Call {
            is_deferred: true,
            ..Call::new(&format!("mcp__steersman__{tool}"), arguments)
        },
        load_steersman: Some(|| {
            let query = "select:mcp__steersman__list_intents,mcp__steersman__select_active_intent";
            Call::new("tool_search", json!({"query": query}))
        }),
        delegate: |prompt| {
            let arguments = json!({
                "description": "part of the work", "prompt": prompt, "subagent_type": "general-purpose",
                "run_in_background": false,
            });
            vec![Call::new("agent", arguments)]
        },
    },
};

fn shell(command: &str) -> Call {
    let arguments = json!({"command": command, "description": "part of the work", "is_background": false});
    Call::new("run_shell_command", arguments)
}
