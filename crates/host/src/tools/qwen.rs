//! Qwen Code's tools, where they differ from those of Gemini CLI, from which it was forked.

use event::ToolKind::{Fetch, Harmless, Read, Search, Shell, Subagent, Write};

use super::tool::InputField::{Folder, Includes, Limit, Reads, Terminal, Writes};
use super::tool::Tool;

pub(crate) const TOOLS: &[Tool] = &[
    Tool { names: &["edit"], kind: Write, fields: &[Writes("file_path")] },
    Tool { names: &["notebook_edit"], kind: Write, fields: &[Writes("notebook_path")] },
    Tool { names: &["run_shell_command"], kind: Shell, fields: &[Terminal("command"), Folder("directory")] },
    Tool { names: &["list_directory"], kind: Read, fields: &[Reads("path"), Reads("dir_path")] },
    Tool {
        names: &["grep_search", "search_file_content"],
        kind: Search,
        fields: &[Reads("path"), Reads("dir_path"), Includes("glob"), Includes("include"), Limit("limit")],
    },
    Tool { names: &["web_search"], kind: Fetch, fields: &[] },
    Tool { names: &["task", "agent"], kind: Subagent, fields: &[] },
    Tool {
        names: &["ask_user_question", "exit_plan_mode", "skill", "todo_write"],
        kind: Harmless,
        fields: &[],
    },
];
