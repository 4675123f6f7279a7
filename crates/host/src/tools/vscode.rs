//! VS Code's own tools.

use event::ToolKind::{Fetch, Harmless, Read, Search, Shell, Subagent, Write};

use super::tool::InputField::{
    Action, Acts, Addresses, Arguments, Content, Deletes, Folder, Ignored, Includes, Limit, ListsAnywhere,
    MakesFolder, Part, Patch, Question, Reads, Terminal, Writes,
};
use super::tool::Tool;

pub(crate) const TOOLS: &[Tool] = &[
    Tool { names: &["create_file"], kind: Write, fields: &[Writes("filePath"), Content("content")] },
    Tool {
        names: &["replace_string_in_file", "insert_edit_into_file", "edit_notebook_file"],
        kind: Write,
        fields: &[Writes("filePath")],
    },
    Tool {
        names: &["multi_replace_string_in_file"],
        kind: Write,
        fields: &[Writes("replacements[].filePath"), Writes("filePath")],
    },
    Tool { names: &["apply_patch"], kind: Write, fields: &[Patch("input"), Patch("patch")] },
    Tool { names: &["create_directory"], kind: Write, fields: &[MakesFolder("dirPath")] },
    Tool { names: &["create_new_jupyter_notebook", "create_new_workspace"], kind: Write, fields: &[] },
    Tool {
        names: &["memory"],
        kind: Write,
        fields: &[
            Action("command"),
            Acts("path"),
            Deletes("old_path"),
            Writes("new_path"),
            Content("file_text"),
        ],
    },
    Tool { names: &["run_in_terminal"], kind: Shell, fields: &[Terminal("command"), Folder("cwd")] },
    Tool { names: &["send_to_terminal"], kind: Shell, fields: &[Terminal("command")] },
    Tool {
        names: &["create_and_run_task"],
        kind: Shell,
        fields: &[Terminal("task.command"), Arguments("task.args"), Folder("workspaceFolder")],
    },
    Tool {
        names: &["run_task", "run_vscode_command", "runTests", "run_notebook_cell"],
        kind: Shell,
        fields: &[],
    },
    Tool {
        names: &["get_terminal_output", "terminal_last_command", "terminal_selection", "get_task_output"],
        kind: Harmless,
        fields: &[],
    },
    Tool {
        names: &["read_file"],
        kind: Read,
        fields: &[Reads("filePath"), Part("endLine"), Part("startLine"), Part("limit"), Part("offset")],
    },
    Tool { names: &["view_image"], kind: Read, fields: &[Reads("filePath")] },
    Tool { names: &["list_dir"], kind: Read, fields: &[Reads("path")] },
    Tool { names: &["get_errors"], kind: Read, fields: &[Reads("filePaths")] },
    Tool {
        names: &["grep_search"],
        kind: Search,
        fields: &[Includes("includePattern"), Limit("maxResults"), Ignored("includeIgnoredFiles")],
    },
    Tool { names: &["file_search"], kind: Search, fields: &[ListsAnywhere("query"), Limit("maxResults")] },
    Tool { names: &["semantic_search", "list_code_usages"], kind: Search, fields: &[] },
    Tool { names: &["fetch_webpage"], kind: Fetch, fields: &[Addresses("urls"), Question("query")] },
    Tool { names: &["github_repo", "open_simple_browser"], kind: Fetch, fields: &[] },
    Tool { names: &["runSubagent", "search_subagent", "execution_subagent"], kind: Subagent, fields: &[] },
    Tool { names: &["manage_todo_list", "ask_questions", "think"], kind: Harmless, fields: &[] },
];
