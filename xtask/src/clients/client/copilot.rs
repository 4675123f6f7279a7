//! Copilot CLI.

use serde_json::json;

use super::{BeforeCall, Client, Moved, Permissions, Tools, Trust, after_cd, words};
use crate::clients::lab::{Home, TRUSTED};
use crate::clients::model::{Call, MODEL_NAME};
use crate::clients::pins;

pub(super) const COPILOT: Client = Client {
    pin: pins::COPILOT,
    title: "Copilot CLI",
    host: "copilot-cli",
    settings: ".github/hooks/steersman.json",
    silence: (".github/copilot/settings.json", "{\"disableAllHooks\": true}\n"),
    switches: &[
        "copilot config --repo disableAllHooks true",
        "copilot config disableAllHooks on",
        "mkdir -p .github/extensions/x && echo 'process.exit()' > .github/extensions/x/extension.mjs",
        "mkdir -p .github/copilot && echo '{\"disableAllHooks\": true}' > .github/copilot/settings.json",
    ],
    moved: ("COPILOT_HOME", Moved::Folder(".copilot")),
    trust: Trust::Folder(".copilot/config.json", "{\"trusted_folders\": [], \"banner\": \"never\"}\n"),
    reads_from_subfolder: true,
    runs_on_node: false,
    configure: |home: &Home| {
        home.write_json(".copilot/config.json", &json!({"trusted_folders": TRUSTED, "banner": "never"}))
    },
    environment: |port| {
        vec![
            ("COPILOT_OFFLINE", "true".to_owned()),
            ("COPILOT_AUTO_UPDATE", "false".to_owned()),
            ("COPILOT_PROVIDER_BASE_URL", format!("http://127.0.0.1:{port}/v1")),
            ("COPILOT_PROVIDER_TYPE", "openai".to_owned()),
            ("COPILOT_PROVIDER_API_KEY", "script".to_owned()),
            ("COPILOT_MODEL", MODEL_NAME.to_owned()),
        ]
    },
    arguments: |prompt, permissions| {
        let mut arguments = words(&["-p", prompt, "--no-auto-update", "--disable-client-telemetry"]);
        arguments.extend(words(&["--output-format", "json"]));
        if permissions == Permissions::Bypassed {
            arguments.extend(words(&["--allow-all-tools", "--allow-all-paths"]));
        }
        arguments
    },
    before_call: BeforeCall { rewrite: true, context: true },
    reads_context_of_subagents: true,
    tools: Tools {
        read: |path| Call::new("view", json!({"path": path})),
        shell,
        shell_in: |folder, command| shell(&after_cd(folder, command)),
        write: |path, content| Call::new("create", json!({"path": path, "file_text": content})),
        edit: |path, old, new| Call::new("edit", json!({"path": path, "old_str": old, "new_str": new})),
        steersman: |tool, arguments| Call {
            is_deferred: true,
            ..Call::new(&format!("steersman-{tool}"), arguments)
        },
        load_steersman: None,
        delegate: |prompt| {
            let arguments = json!({
                "name": "part", "description": "part of the work", "agent_type": "general-purpose",
                "prompt": prompt, "mode": "sync",
            });
            vec![Call::new("task", arguments)]
        },
    },
};

fn shell(command: &str) -> Call {
    Call::new("bash", json!({"command": command, "description": "part of the work"}))
}
