//! Gemini CLI's tools.

use event::ToolKind::{Fetch, Harmless, Read, Search, Shell, Subagent, Write};

use super::tool::InputField::{
    Content, Folder, Ignored, Includes, Limit, Lists, NamesOnly, Part, Reads, RespectsIgnore, Terminal,
    Writes,
};
use super::tool::Tool;

pub(crate) const TOOLS: &[Tool] = &[
    Tool { names: &["write_file"], kind: Write, fields: &[Writes("file_path"), Content("content")] },
    Tool { names: &["replace"], kind: Write, fields: &[Writes("file_path")] },
    Tool {
        names: &["run_shell_command"],
        kind: Shell,
        fields: &[Terminal("command"), Folder("dir_path"), Folder("directory")],
    },
    Tool {
        names: &["read_file"],
        kind: Read,
        fields: &[
            Reads("file_path"),
            Reads("absolute_path"),
            Part("end_line"),
            Part("start_line"),
            Part("limit"),
            Part("offset"),
        ],
    },
    Tool {
        names: &["read_many_files"],
        kind: Read,
        fields: &[
            Reads("include"),
            Reads("paths"),
            Lists("include"),
            Lists("paths"),
            RespectsIgnore("file_filtering_options.respect_git_ignore"),
        ],
    },
    Tool { names: &["list_directory"], kind: Read, fields: &[Reads("dir_path"), Reads("path")] },
    Tool {
        names: &["glob"],
        kind: Search,
        fields: &[Reads("dir_path"), Reads("path"), Lists("pattern"), RespectsIgnore("respect_git_ignore")],
    },
    Tool {
        names: &["grep_search", "search_file_content"],
        kind: Search,
        fields: &[
            Reads("dir_path"),
            Reads("path"),
            Includes("include"),
            Includes("include_pattern"),
            NamesOnly("names_only"),
            Limit("total_max_matches"),
            Limit("max_matches_per_file"),
            Ignored("no_ignore"),
        ],
    },
    Tool { names: &["web_fetch", "google_web_search"], kind: Fetch, fields: &[] },
    Tool {
        names: &["invoke_agent", "delegate_to_agent", "codebase_investigator"],
        kind: Subagent,
        fields: &[],
    },
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
        fields: &[],
    },
];
