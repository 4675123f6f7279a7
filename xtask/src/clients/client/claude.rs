//! Claude Code.

use serde_json::{Map, Value, json};

use super::{BeforeCall, Client, Moved, Permissions, Tools, Trust, after_cd, words};
use crate::clients::lab::{Home, TRUSTED};
use crate::clients::model::Call;
use crate::clients::pins;

pub(super) const CLAUDE: Client = Client {
    pin: pins::CLAUDE,
    title: "Claude Code",
    host: "claude-code",
    settings: ".claude/settings.json",
    silence: (".claude/settings.json", "{\"disableAllHooks\": true}\n"),
    switches: &[
        "claude config set disableAllHooks true",
        "claude --safe-mode -p hi",
        "CLAUDE_CONFIG_DIR=/tmp/x claude -p hi",
        "echo '{\"disableAllHooks\": true}' > .claude/settings.local.json",
    ],
    moved: ("CLAUDE_CONFIG_DIR", Moved::Folder(".claude")),
    trust: Trust::NotNeeded,
    reads_from_subfolder: false,
    runs_on_node: false,
    configure: |home: &Home| {
        let trusted = json!({"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true});
        let projects: Map<String, Value> =
            TRUSTED.iter().map(|folder| ((*folder).to_owned(), trusted.clone())).collect();
        home.write_json(
            ".claude.json",
            &json!({
                "hasCompletedOnboarding": true,
                "customApiKeyResponses": {"approved": ["script"], "rejected": []},
                "projects": projects,
            }),
        )
    },
    environment: |port| {
        let mut variables = vec![
            ("ANTHROPIC_BASE_URL", format!("http://127.0.0.1:{port}")),
            ("ANTHROPIC_API_KEY", "script".to_owned()),
        ];
        // The last one permits bypassed permissions as root, which the user of a namespace is.
        let switches = [
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
            "DISABLE_TELEMETRY",
            "DISABLE_AUTOUPDATER",
            "DISABLE_ERROR_REPORTING",
            "IS_SANDBOX",
        ];
        variables.extend(switches.map(|name| (name, "1".to_owned())));
        variables
    },
    arguments: |prompt, permissions| {
        let mut arguments = words(&["-p", prompt, "--output-format", "stream-json", "--verbose"]);
        if permissions == Permissions::Bypassed {
            arguments.push("--dangerously-skip-permissions".to_owned());
        }
        arguments
    },
    before_call: BeforeCall { rewrite: true, context: true },
    reads_context_of_subagents: true,
    tools: Tools {
        read: |path| Call::new("Read", json!({"file_path": path})),
        shell,
        shell_in: |folder, command| shell(&after_cd(folder, command)),
        write: |path, content| Call::new("Write", json!({"file_path": path, "content": content})),
        edit: |path, old, new| {
            Call::new("Edit", json!({"file_path": path, "old_string": old, "new_string": new}))
        },
        steersman: |tool, arguments| Call {
            is_deferred: true,
            ..Call::new(&format!("mcp__steersman__{tool}"), arguments)
        },
        load_steersman: Some(|| {
            let tools = ["list_intents", "select_active_intent", "current_intent", "request_scope_expansion"];
            let query = tools.map(|tool| format!("mcp__steersman__{tool}")).join(",");
            Call::new("ToolSearch", json!({"query": format!("select:{query}"), "max_results": 8}))
        }),
        delegate: |prompt| {
            let arguments = json!({
                "description": "part of the work", "prompt": prompt, "subagent_type": "general-purpose",
                "run_in_background": false,
            });
            vec![Call::new("Agent", arguments)]
        },
    },
};

fn shell(command: &str) -> Call {
    Call::new("Bash", json!({"command": command, "description": "part of the work"}))
}
