//! Codex.

use std::fmt::Write;

use serde_json::json;

use super::{BeforeCall, Client, Permissions, Tools, words};
use crate::clients::lab::{Home, TRUSTED};
use crate::clients::model::{AGENT_ID, Arguments, Call};
use crate::clients::pins;

/// The user's settings, before the trusted folders.
const CONFIG: &str = r#"model = "gpt-5.5"
model_provider = "script"
check_for_update_on_startup = false

[analytics]
enabled = false

[feedback]
enabled = false

[otel]
exporter = "none"

[features]
enable_request_compression = false
apps = false
plugins = false

[model_providers.script]
name = "script"
base_url = "http://127.0.0.1:{port}/v1"
env_key = "SCRIPT_KEY"
wire_api = "responses"
supports_websockets = false
request_max_retries = 1
stream_max_retries = 1
"#;

pub(super) const CODEX: Client = Client {
    pin: pins::CODEX,
    title: "Codex",
    host: "codex",
    settings: ".codex/hooks.json",
    silence: (".codex/config.toml", "[features]\nhooks = false\n"),
    runs_on_node: false,
    configure: |home: &Home| {
        let mut config = CONFIG.replace("{port}", &home.port.to_string());
        for folder in TRUSTED {
            let _ = write!(config, "\n[projects.\"{folder}\"]\ntrust_level = \"trusted\"\n");
        }
        home.write(".codex/config.toml", &config)
    },
    environment: |_| vec![("SCRIPT_KEY", "script".to_owned())],
    arguments: |prompt, permissions| {
        // Stands for `/hooks`, with which a person trusts the hooks once.
        let mut arguments = words(&["exec", "--json", "--dangerously-bypass-hook-trust"]);
        if permissions == Permissions::Bypassed {
            arguments.push("--dangerously-bypass-approvals-and-sandbox".to_owned());
        }
        arguments.push(prompt.to_owned());
        arguments
    },
    before_call: BeforeCall { rewrite: true, context: true },
    tools: Tools {
        read: |path| Call::new("exec_command", json!({"cmd": format!("cat {path}")})),
        shell: |command| Call::new("exec_command", json!({"cmd": command})),
        shell_in: |folder, command| Call::new("exec_command", json!({"cmd": command, "workdir": folder})),
        write: |path, content| {
            let mut change = format!("*** Add File: {path}\n");
            for line in content.lines() {
                let _ = writeln!(change, "+{line}");
            }
            patch(&change)
        },
        edit: |path, old, new| patch(&format!("*** Update File: {path}\n@@\n-{old}\n+{new}\n")),
        steersman: |tool, arguments| Call {
            namespace: Some("mcp__steersman"),
            is_deferred: true,
            ..Call::new(tool, arguments)
        },
        load_steersman: None,
        delegate: |prompt| {
            let agents = |tool, arguments| Call {
                namespace: Some("multi_agent_v1"),
                is_deferred: true,
                ..Call::new(tool, arguments)
            };
            vec![
                agents("spawn_agent", json!({"message": prompt})),
                agents("wait_agent", json!({"targets": [AGENT_ID], "timeout_ms": 60_000})),
            ]
        },
    },
};

fn patch(change: &str) -> Call {
    let text = format!("*** Begin Patch\n{change}*** End Patch\n");
    Call { arguments: Arguments::Text(text), ..Call::new("apply_patch", json!({})) }
}
