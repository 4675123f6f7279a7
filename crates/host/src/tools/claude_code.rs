//! Claude Code's tools.

use event::ToolKind::{Fetch, Harmless, Read, Search, Shell, Subagent, Write};

use super::tool::Says::{Command, Content, PowerShell, Reads, Writes};
use super::tool::Tool;

pub(crate) const TOOLS: &[Tool] = &[
    Tool { names: &["Write"], kind: Write, says: &[Writes("file_path"), Content("content")] },
    Tool { names: &["Edit", "MultiEdit"], kind: Write, says: &[Writes("file_path")] },
    Tool { names: &["NotebookEdit"], kind: Write, says: &[Writes("notebook_path")] },
    Tool { names: &["Bash", "Monitor"], kind: Shell, says: &[Command("command")] },
    Tool { names: &["PowerShell"], kind: Shell, says: &[PowerShell("command")] },
    Tool { names: &["Read"], kind: Read, says: &[Reads("file_path")] },
    Tool { names: &["NotebookRead"], kind: Read, says: &[Reads("notebook_path")] },
    Tool { names: &["LS"], kind: Read, says: &[Reads("path")] },
    Tool { names: &["Glob", "Grep"], kind: Search, says: &[Reads("path")] },
    Tool { names: &["WebFetch", "WebSearch"], kind: Fetch, says: &[] },
    Tool { names: &["Agent", "Task"], kind: Subagent, says: &[] },
    Tool {
        names: &[
            "AskUserQuestion",
            "BashOutput",
            "EnterPlanMode",
            "ExitPlanMode",
            "KillShell",
            "Skill",
            "SlashCommand",
            "TaskCreate",
            "TaskGet",
            "TaskList",
            "TaskOutput",
            "TaskStop",
            "TaskUpdate",
            "TodoWrite",
            "ToolSearch",
        ],
        kind: Harmless,
        says: &[],
    },
];
