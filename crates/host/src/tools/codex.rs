//! Codex's tools, as its hooks name them.

use event::ToolKind::{Fetch, Harmless, Read, Shell, Subagent, Write};

use super::tool::Says::{Folder, Patch, Reads, Terminal};
use super::tool::Tool;

pub(crate) const TOOLS: &[Tool] = &[
    // The patch is called `command` here, and is none.
    Tool { names: &["apply_patch"], kind: Write, says: &[Patch("command"), Patch("input")] },
    Tool {
        names: &["Bash", "shell", "exec_command", "local_shell"],
        kind: Shell,
        says: &[Terminal("command"), Terminal("cmd"), Folder("workdir")],
    },
    Tool { names: &["view_image"], kind: Read, says: &[Reads("path")] },
    Tool { names: &["web_search"], kind: Fetch, says: &[] },
    // Tools of a name space arrive with its name in front, unseparated.
    Tool { names: &["spawn_agent", "multi_agent_v1spawn_agent"], kind: Subagent, says: &[] },
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
        says: &[],
    },
];
