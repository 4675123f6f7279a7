//! Cursor's tools. Their inputs are not published; these were seen.

use event::ToolKind::{Fetch, Harmless, Read, Search, Shell, Subagent, Write};

use super::tool::Says::{
    Content, Deletes, FileType, Folder, Includes, Limit, LinesIf, Lists, Part, Reads, Terminal, Writes,
};
use super::tool::Tool;

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        names: &["Write"],
        kind: Write,
        says: &[Writes("file_path"), Writes("path"), Content("content"), Content("contents")],
    },
    Tool {
        names: &["StrReplace", "Edit", "MultiEdit", "EditNotebook"],
        kind: Write,
        says: &[Writes("file_path"), Writes("path"), Writes("target_notebook")],
    },
    Tool { names: &["Delete"], kind: Write, says: &[Deletes("file_path"), Deletes("path")] },
    Tool {
        names: &["Shell"],
        kind: Shell,
        says: &[Terminal("command"), Folder("working_directory"), Folder("cwd")],
    },
    Tool {
        names: &["Read"],
        kind: Read,
        says: &[Reads("file_path"), Reads("path"), Part("limit"), Part("offset")],
    },
    Tool { names: &["LS"], kind: Read, says: &[Reads("path"), Reads("target_directory")] },
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
    Tool {
        names: &["Glob"],
        kind: Search,
        says: &[Reads("path"), Reads("target_directory"), Lists("pattern"), Lists("glob_pattern")],
    },
    Tool { names: &["SemanticSearch"], kind: Search, says: &[Reads("path")] },
    Tool { names: &["WebFetch", "WebSearch"], kind: Fetch, says: &[] },
    Tool { names: &["Task"], kind: Subagent, says: &[] },
    Tool { names: &["TodoWrite", "AskQuestion", "ReadLints", "SwitchMode"], kind: Harmless, says: &[] },
];
