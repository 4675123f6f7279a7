//! Claude Code's tools.

use event::ToolKind::{Fetch, Harmless, Read, Search, Shell, Subagent, Write};

use super::tool::Says::{
    Command, Content, FileType, Includes, Limit, LinesIf, Lists, Part, PowerShell, Reads, Writes,
};
use super::tool::Tool;

pub(crate) const TOOLS: &[Tool] = &[
    Tool { names: &["Write"], kind: Write, says: &[Writes("file_path"), Content("content")] },
    Tool { names: &["Edit", "MultiEdit"], kind: Write, says: &[Writes("file_path")] },
    Tool { names: &["NotebookEdit"], kind: Write, says: &[Writes("notebook_path")] },
    Tool { names: &["Bash", "Monitor"], kind: Shell, says: &[Command("command")] },
    Tool { names: &["PowerShell"], kind: Shell, says: &[PowerShell("command")] },
    Tool {
        names: &["Read"],
        kind: Read,
        says: &[Reads("file_path"), Part("limit"), Part("offset"), Part("pages")],
    },
    Tool { names: &["NotebookRead"], kind: Read, says: &[Reads("notebook_path")] },
    Tool { names: &["LS"], kind: Read, says: &[Reads("path")] },
    Tool { names: &["Glob"], kind: Search, says: &[Reads("path"), Lists("pattern")] },
    Tool {
        names: &["Grep"],
        kind: Search,
        says: &[
            Reads("path"),
            Includes("glob"),
            FileType("type"),
            Limit("head_limit"),
            LinesIf("output_mode", "content"),
        ],
    },
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
