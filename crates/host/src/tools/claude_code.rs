//! Claude Code's tools.

use event::ToolKind::{Fetch, Harmless, Read, Search, Shell, Subagent, Write};

use super::tool::InputField::{
    Command, Content, FileType, Includes, Limit, LinesIf, Lists, Part, PowerShell, Reads, Writes,
};
use super::tool::Tool;

pub(crate) const TOOLS: &[Tool] = &[
    Tool { names: &["Write"], kind: Write, fields: &[Writes("file_path"), Content("content")] },
    Tool { names: &["Edit", "MultiEdit"], kind: Write, fields: &[Writes("file_path")] },
    Tool { names: &["NotebookEdit"], kind: Write, fields: &[Writes("notebook_path")] },
    Tool { names: &["Bash", "Monitor"], kind: Shell, fields: &[Command("command")] },
    Tool { names: &["PowerShell"], kind: Shell, fields: &[PowerShell("command")] },
    Tool {
        names: &["Read"],
        kind: Read,
        fields: &[Reads("file_path"), Part("limit"), Part("offset"), Part("pages")],
    },
    Tool { names: &["NotebookRead"], kind: Read, fields: &[Reads("notebook_path")] },
    Tool { names: &["LS"], kind: Read, fields: &[Reads("path")] },
    Tool { names: &["Glob"], kind: Search, fields: &[Reads("path"), Lists("pattern")] },
    Tool {
        names: &["Grep"],
        kind: Search,
        fields: &[
            Reads("path"),
            Includes("glob"),
            FileType("type"),
            Limit("head_limit"),
            LinesIf("output_mode", "content"),
        ],
    },
    Tool { names: &["WebFetch", "WebSearch"], kind: Fetch, fields: &[] },
    Tool { names: &["Agent", "Task"], kind: Subagent, fields: &[] },
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
        fields: &[],
    },
];
