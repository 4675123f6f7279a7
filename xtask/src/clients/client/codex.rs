//! Codex.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{BeforeCall, Client, Moved, Permissions, Tools, Trust, words};
use crate::clients::lab::{Home, PROJECT, TRUSTED};
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

/// Stands for `/hooks`, with which a person trusts the hooks once.
const BYPASS_HOOK_TRUST: &str = "--dangerously-bypass-hook-trust";

pub(super) const CODEX: Client = Client {
    pin: pins::CODEX,
    title: "Codex",
    host: "codex",
    settings: ".codex/hooks.json",
    silence: (".codex/config.toml", "[features]\nhooks = false\n"),
    switches: &[
        "codex features disable hooks",
        "codex features disable codex_hooks",
        "codex exec -c 'features.hooks = false' hi",
        "CODEX_HOME=/tmp/x codex exec hi",
        "printf '[features]\\nhooks = false\\n' >> ~/.codex/config.toml",
        "printf '[features]\\nhooks = false\\n' > ~/.codex/fast.config.toml",
    ],
    moved: ("CODEX_HOME", Moved::Folder(".codex")),
    trust: Trust::Hooks {
        argument: BYPASS_HOOK_TRUST,
        file: ".codex/config.toml",
        record: |hooks| trusted_hooks(&serde_json::from_str(hooks).unwrap_or_default()),
    },
    reads_from_subfolder: true,
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
        let mut arguments = words(&["exec", "--json", BYPASS_HOOK_TRUST]);
        if permissions == Permissions::Bypassed {
            arguments.push("--dangerously-bypass-approvals-and-sandbox".to_owned());
        }
        arguments.push(prompt.to_owned());
        arguments
    },
    before_call: BeforeCall { rewrite: true, context: true },
    reads_context_of_subagents: true,
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

/// Returns the part of the user's settings with which Codex records the trust in the hooks of the project.
fn trusted_hooks(hooks: &Value) -> String {
    let mut record = String::new();
    for (event, groups) in hooks["hooks"].as_object().into_iter().flatten() {
        let mut label = String::new();
        for (index, letter) in event.chars().enumerate() {
            if index > 0 && letter.is_uppercase() {
                label.push('_');
            }
            label.push(letter.to_ascii_lowercase());
        }
        let hook = &groups[0]["hooks"][0];
        // Codex hashes compact JSON with sorted keys.
        let identity = format!(
            r#"{{"event_name":"{label}","hooks":[{{"async":false,"command":{},"timeout":{},"type":"command"}}]}}"#,
            hook["command"], hook["timeout"],
        );
        let digest = hmac_sha256::Hash::hash(identity.as_bytes());
        let hash = digest.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
        let key = format!("{PROJECT}/.codex/hooks.json:{label}:0:0");
        let _ = write!(record, "\n[hooks.state.\"{key}\"]\ntrusted_hash = \"sha256:{hash}\"\n");
    }
    record
}

fn patch(change: &str) -> Call {
    let text = format!("*** Begin Patch\n{change}*** End Patch\n");
    Call { arguments: Arguments::Text(text), ..Call::new("apply_patch", json!({})) }
}
