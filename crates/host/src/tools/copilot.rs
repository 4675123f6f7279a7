//! Copilot's tools, under their own names and under the Claude names that hooks with `PascalCase`
//! keys get. The fields are Copilot's either way.

use event::ToolKind::{Fetch, Harmless, Read, Search, Shell, Subagent, Write};

use super::tool::InputField::{
    Action, Acts, Command, Content, FileType, Folder, Includes, Limit, LinesIf, Lists, Part, Patch,
    PowerShell, Reads, Terminal, Writes,
};
use super::tool::Tool;

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        names: &["create", "Write"],
        kind: Write,
        fields: &[Writes("path"), Writes("file_path"), Content("file_text")],
    },
    Tool {
        // `Edit` covers all of them.
        names: &["edit", "str_replace", "insert", "str_replace_editor", "Edit"],
        kind: Write,
        fields: &[Action("command"), Acts("path"), Acts("file_path"), Patch("input"), Patch("patch")],
    },
    Tool {
        names: &["apply_patch", "git_apply_patch"],
        kind: Write,
        fields: &[Patch("input"), Patch("patch"), Patch("command")],
    },
    Tool { names: &["bash"], kind: Shell, fields: &[Command("command"), Folder("cwd")] },
    Tool { names: &["Bash"], kind: Shell, fields: &[Terminal("command"), Folder("cwd")] },
    Tool { names: &["powershell"], kind: Shell, fields: &[PowerShell("command"), Folder("cwd")] },
    Tool { names: &["write_bash"], kind: Shell, fields: &[Command("input")] },
    Tool { names: &["write_powershell"], kind: Shell, fields: &[PowerShell("input")] },
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
        fields: &[],
    },
    Tool {
        names: &["view", "Read"],
        kind: Read,
        fields: &[Reads("path"), Reads("file_path"), Part("view_range"), Part("limit"), Part("offset")],
    },
    Tool {
        names: &["grep", "rg", "Grep"],
        kind: Search,
        fields: &[
            Reads("path"),
            Includes("glob"),
            FileType("type"),
            Limit("head_limit"),
            LinesIf("output_mode", "content"),
        ],
    },
    Tool { names: &["glob", "Glob"], kind: Search, fields: &[Reads("path"), Lists("pattern")] },
    Tool { names: &["web_fetch", "web_search", "WebFetch", "WebSearch"], kind: Fetch, fields: &[] },
    Tool { names: &["task", "Agent"], kind: Subagent, fields: &[] },
    Tool {
        names: &["ask_user", "AskUserQuestion", "update_todo", "TodoWrite", "report_intent", "think"],
        kind: Harmless,
        fields: &[],
    },
];
