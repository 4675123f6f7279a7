//! Qwen Code's tools, where they differ from Gemini CLI's, which it grew out of.

use event::ToolKind::{Fetch, Harmless, Read, Search, Shell, Subagent, Write};

use super::tool::Says::{Folder, Includes, Limit, Reads, Terminal, Writes};
use super::tool::Tool;

pub(crate) const TOOLS: &[Tool] = &[
    Tool { names: &["edit"], kind: Write, says: &[Writes("file_path")] },
    Tool { names: &["notebook_edit"], kind: Write, says: &[Writes("notebook_path")] },
    Tool { names: &["run_shell_command"], kind: Shell, says: &[Terminal("command"), Folder("directory")] },
    Tool { names: &["list_directory"], kind: Read, says: &[Reads("path"), Reads("dir_path")] },
    Tool {
        names: &["grep_search", "search_file_content"],
        kind: Search,
        says: &[Reads("path"), Reads("dir_path"), Includes("glob"), Includes("include"), Limit("limit")],
    },
    Tool { names: &["web_search"], kind: Fetch, says: &[] },
    Tool { names: &["task", "agent"], kind: Subagent, says: &[] },
    Tool {
        names: &["ask_user_question", "exit_plan_mode", "skill", "todo_write"],
        kind: Harmless,
        says: &[],
    },
];
