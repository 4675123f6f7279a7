//! Copilot's tools, under their own names and under the Claude names that hooks with
//! `PascalCase` keys are given. The fields are Copilot's either way.

use event::ToolKind::{Fetch, Harmless, Read, Search, Shell, Subagent, Write};

use super::tool::Says::{
    Action, Acts, Command, Content, FileType, Folder, Includes, Limit, LinesIf, Lists, Part, Patch,
    PowerShell, Reads, Terminal, Writes,
};
use super::tool::Tool;

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        names: &["create", "Write"],
        kind: Write,
        says: &[Writes("path"), Writes("file_path"), Content("file_text")],
    },
    Tool {
        // `Edit` stands for all of them.
        names: &["edit", "str_replace", "insert", "str_replace_editor", "Edit"],
        kind: Write,
        says: &[Action("command"), Acts("path"), Acts("file_path"), Patch("input"), Patch("patch")],
    },
    Tool {
        names: &["apply_patch", "git_apply_patch"],
        kind: Write,
        says: &[Patch("input"), Patch("patch"), Patch("command")],
    },
    Tool { names: &["bash"], kind: Shell, says: &[Command("command"), Folder("cwd")] },
    Tool { names: &["Bash"], kind: Shell, says: &[Terminal("command"), Folder("cwd")] },
    Tool { names: &["powershell"], kind: Shell, says: &[PowerShell("command"), Folder("cwd")] },
    Tool { names: &["write_bash"], kind: Shell, says: &[Command("input")] },
    Tool { names: &["write_powershell"], kind: Shell, says: &[PowerShell("input")] },
    Tool {
        names: &[
            "read_bash",
            "stop_bash",
            "list_bash",
            "read_powershell",
            "stop_powershell",
            "list_powershell",
        ],
        kind: Harmless,
        says: &[],
    },
    Tool {
        names: &["view", "Read"],
        kind: Read,
        says: &[Reads("path"), Reads("file_path"), Part("view_range"), Part("limit"), Part("offset")],
    },
    Tool {
        names: &["grep", "rg", "Grep"],
        kind: Search,
        says: &[
            Reads("path"),
            Includes("glob"),
            FileType("type"),
            Limit("head_limit"),
            LinesIf("output_mode", "content"),
        ],
    },
    Tool { names: &["glob", "Glob"], kind: Search, says: &[Reads("path"), Lists("pattern")] },
    Tool { names: &["web_fetch", "web_search", "WebFetch", "WebSearch"], kind: Fetch, says: &[] },
    Tool { names: &["task", "Agent"], kind: Subagent, says: &[] },
    Tool {
        names: &["ask_user", "AskUserQuestion", "update_todo", "TodoWrite", "report_intent", "think"],
        kind: Harmless,
        says: &[],
    },
];
