//! Gemini CLI's tools.

use event::ToolKind::{Fetch, Harmless, Read, Search, Shell, Subagent, Write};

use super::tool::Says::{Content, Folder, Reads, Terminal, Writes};
use super::tool::Tool;

pub(crate) const TOOLS: &[Tool] = &[
    Tool { names: &["write_file"], kind: Write, says: &[Writes("file_path"), Content("content")] },
    Tool { names: &["replace"], kind: Write, says: &[Writes("file_path")] },
    Tool {
        names: &["run_shell_command"],
        kind: Shell,
        says: &[Terminal("command"), Folder("dir_path"), Folder("directory")],
    },
    Tool { names: &["read_file"], kind: Read, says: &[Reads("file_path"), Reads("absolute_path")] },
    Tool { names: &["read_many_files"], kind: Read, says: &[Reads("include"), Reads("paths")] },
    Tool { names: &["list_directory"], kind: Read, says: &[Reads("dir_path"), Reads("path")] },
    Tool {
        names: &["glob", "grep_search", "search_file_content"],
        kind: Search,
        says: &[Reads("dir_path"), Reads("path")],
    },
    Tool { names: &["web_fetch", "google_web_search"], kind: Fetch, says: &[] },
    Tool { names: &["delegate_to_agent", "codebase_investigator"], kind: Subagent, says: &[] },
    Tool {
        names: &[
            "activate_skill",
            "ask_user",
            "enter_plan_mode",
            "exit_plan_mode",
            "save_memory",
            "write_todos",
        ],
        kind: Harmless,
        says: &[],
    },
];
