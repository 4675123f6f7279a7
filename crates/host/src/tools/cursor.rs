//! Cursor's tools. Their inputs are undocumented; these were observed.

use event::ToolKind::{Fetch, Harmless, Read, Search, Shell, Subagent, Write};

use super::tool::InputField::{
    Content, Deletes, FileType, Folder, Includes, Limit, LinesIf, Lists, Part, Reads, Terminal, Writes,
};
use super::tool::Tool;

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        names: &["Write"],
        kind: Write,
        fields: &[Writes("file_path"), Writes("path"), Content("content"), Content("contents")],
    },
    Tool {
        names: &["StrReplace", "Edit", "MultiEdit", "EditNotebook"],
        kind: Write,
        fields: &[Writes("file_path"), Writes("path"), Writes("target_notebook")],
    },
    Tool { names: &["Delete"], kind: Write, fields: &[Deletes("file_path"), Deletes("path")] },
    Tool {
        names: &["Shell"],
        kind: Shell,
        fields: &[Terminal("command"), Folder("working_directory"), Folder("cwd")],
    },
    Tool {
        names: &["Read"],
        kind: Read,
        fields: &[Reads("file_path"), Reads("path"), Part("limit"), Part("offset")],
    },
    Tool { names: &["LS"], kind: Read, fields: &[Reads("path"), Reads("target_directory")] },
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
    Tool {
        names: &["Glob"],
        kind: Search,
        fields: &[Reads("path"), Reads("target_directory"), Lists("pattern"), Lists("glob_pattern")],
    },
    Tool { names: &["SemanticSearch"], kind: Search, fields: &[Reads("path")] },
    Tool { names: &["WebFetch", "WebSearch"], kind: Fetch, fields: &[] },
    Tool { names: &["Task"], kind: Subagent, fields: &[] },
    Tool { names: &["TodoWrite", "AskQuestion", "ReadLints", "SwitchMode"], kind: Harmless, fields: &[] },
];
