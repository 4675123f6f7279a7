//! Codex's tools, with their names in hooks.

use event::ToolKind::{Fetch, Harmless, Read, Shell, Subagent, Write};

use super::tool::InputField::{Folder, Patch, Reads, Terminal};
use super::tool::Tool;

pub(crate) const TOOLS: &[Tool] = &[
    // The patch is in a field called `command`, which is not a command.
    Tool { names: &["apply_patch"], kind: Write, fields: &[Patch("command"), Patch("input")] },
    Tool {
        names: &["Bash", "shell", "exec_command", "local_shell"],
        kind: Shell,
        fields: &[Terminal("command"), Terminal("cmd"), Folder("workdir")],
    },
    Tool { names: &["view_image"], kind: Read, fields: &[Reads("path")] },
    Tool { names: &["web_search"], kind: Fetch, fields: &[] },
    // Codex prefixes a tool with its namespace, without a separator.
    Tool { names: &["spawn_agent", "multi_agent_v1spawn_agent"], kind: Subagent, fields: &[] },
    Tool {
        names: &[
            "close_agent",
            "multi_agent_v1close_agent",
            "multi_agent_v1resume_agent",
            "multi_agent_v1send_input",
            "multi_agent_v1wait_agent",
            "request_user_input",
            "resume_agent",
            "send_input",
            "update_plan",
            "wait",
            "wait_agent",
        ],
        kind: Harmless,
        fields: &[],
    },
];
