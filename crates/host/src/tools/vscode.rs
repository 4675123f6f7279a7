//! VS Code's own tools.

use event::ToolKind::{Fetch, Harmless, Read, Search, Shell, Subagent, Write};

use super::tool::Says::{
    Action, Acts, Addresses, Arguments, Content, Deletes, Folder, Ignored, Includes, Limit, ListsAnywhere,
    MakesFolder, Part, Patch, Question, Reads, Terminal, Writes,
};
use super::tool::Tool;

pub(crate) const TOOLS: &[Tool] = &[
    Tool { names: &["create_file"], kind: Write, says: &[Writes("filePath"), Content("content")] },
    Tool {
        names: &["replace_string_in_file", "insert_edit_into_file", "edit_notebook_file"],
        kind: Write,
        says: &[Writes("filePath")],
    },
    Tool {
        names: &["multi_replace_string_in_file"],
        kind: Write,
        says: &[Writes("replacements[].filePath"), Writes("filePath")],
    },
    Tool { names: &["apply_patch"], kind: Write, says: &[Patch("input"), Patch("patch")] },
    Tool { names: &["create_directory"], kind: Write, says: &[MakesFolder("dirPath")] },
    Tool { names: &["create_new_jupyter_notebook", "create_new_workspace"], kind: Write, says: &[] },
    Tool {
        names: &["memory"],
        kind: Write,
        says: &[
            Action("command"),
            Acts("path"),
            Deletes("old_path"),
            Writes("new_path"),
            Content("file_text"),
        ],
    },
    Tool { names: &["run_in_terminal"], kind: Shell, says: &[Terminal("command"), Folder("cwd")] },
    Tool { names: &["send_to_terminal"], kind: Shell, says: &[Terminal("command")] },
    Tool {
        names: &["create_and_run_task"],
        kind: Shell,
        says: &[Terminal("task.command"), Arguments("task.args"), Folder("workspaceFolder")],
    },
    Tool {
        names: &["run_task", "run_vscode_command", "runTests", "run_notebook_cell"],
        kind: Shell,
        says: &[],
    },
    Tool {
        names: &["get_terminal_output", "terminal_last_command", "terminal_selection", "get_task_output"],
        kind: Harmless,
        says: &[],
    },
    Tool {
        names: &["read_file"],
        kind: Read,
        says: &[Reads("filePath"), Part("endLine"), Part("startLine"), Part("limit"), Part("offset")],
    },
    Tool { names: &["view_image"], kind: Read, says: &[Reads("filePath")] },
    Tool { names: &["list_dir"], kind: Read, says: &[Reads("path")] },
    Tool { names: &["get_errors"], kind: Read, says: &[Reads("filePaths")] },
    Tool {
        names: &["grep_search"],
        kind: Search,
        says: &[Includes("includePattern"), Limit("maxResults"), Ignored("includeIgnoredFiles")],
    },
    Tool { names: &["file_search"], kind: Search, says: &[ListsAnywhere("query"), Limit("maxResults")] },
    Tool { names: &["semantic_search", "list_code_usages"], kind: Search, says: &[] },
    Tool { names: &["fetch_webpage"], kind: Fetch, says: &[Addresses("urls"), Question("query")] },
    Tool { names: &["github_repo", "open_simple_browser"], kind: Fetch, says: &[] },
    Tool { names: &["runSubagent", "search_subagent", "execution_subagent"], kind: Subagent, says: &[] },
    Tool { names: &["manage_todo_list", "ask_questions", "think"], kind: Harmless, says: &[] },
];
