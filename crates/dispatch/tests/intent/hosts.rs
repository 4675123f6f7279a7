//! Every writing tool of every host.

use host::Host;
use serde_json::{Value, json};

/// A call of a tool that writes the file `$P`, `$W` being the workspace.
pub(crate) struct WritingTool {
    pub(crate) host: Host,
    pub(crate) tool: &'static str,
    pub(crate) input: &'static str,
}

const fn tool(host: Host, tool: &'static str, input: &'static str) -> WritingTool {
    WritingTool { host, tool, input }
}

/// One of each kind: created, changed, moved, deleted, patched, a notebook, a folder.
pub(crate) const WRITING_TOOLS: &[WritingTool] = &[
    tool(Host::ClaudeCode, "Write", r#"{"file_path": "$P", "content": "x"}"#),
    tool(Host::ClaudeCode, "Edit", r#"{"file_path": "$P", "old_string": "a", "new_string": "b"}"#),
    tool(Host::ClaudeCode, "MultiEdit", r#"{"file_path": "$P", "edits": []}"#),
    tool(Host::ClaudeCode, "NotebookEdit", r#"{"notebook_path": "$P", "new_source": "x"}"#),
    tool(Host::VsCode, "create_file", r#"{"filePath": "$P", "content": "x"}"#),
    tool(Host::VsCode, "replace_string_in_file", r#"{"filePath": "$P", "oldString": "a", "newString": "b"}"#),
    tool(Host::VsCode, "insert_edit_into_file", r#"{"filePath": "$P", "code": "x"}"#),
    tool(
        Host::VsCode,
        "multi_replace_string_in_file",
        r#"{"replacements": [{"filePath": "$W/src/fine.ts"}, {"filePath": "$P"}]}"#,
    ),
    tool(Host::VsCode, "edit_notebook_file", r#"{"filePath": "$P", "newCode": "x"}"#),
    tool(
        Host::VsCode,
        "apply_patch",
        r#"{"input": "*** Begin Patch\n*** Update File: $P\n@@\n+x\n*** End Patch"}"#,
    ),
    tool(
        Host::VsCode,
        "apply_patch",
        r#"{"input": "*** Begin Patch\n*** Add File: $W/src/fine.ts\n+x\n*** Delete File: $P\n*** End Patch"}"#,
    ),
    tool(
        Host::Codex,
        "apply_patch",
        r#"{"command": "*** Begin Patch\n*** Add File: $P\n+x\n*** End Patch"}"#,
    ),
    tool(
        Host::Codex,
        "apply_patch",
        r#"{"command": "*** Begin Patch\n*** Update File: $W/src/fine.ts\n*** Move to: $P\n@@\n+x\n*** End Patch"}"#,
    ),
    tool(
        Host::Codex,
        "apply_patch",
        r#"{"command": "*** Begin Patch\n*** Update File: $P\n*** Move to: $W/src/fine.ts\n@@\n+x\n*** End Patch"}"#,
    ),
    tool(Host::CopilotCli, "create", r#"{"path": "$P", "file_text": "x"}"#),
    tool(Host::CopilotCli, "edit", r#"{"path": "$P", "old_str": "a", "new_str": "b"}"#),
    tool(Host::CopilotCli, "str_replace_editor", r#"{"command": "create", "path": "$P", "file_text": "x"}"#),
    tool(Host::Cursor, "Write", r#"{"file_path": "$P", "content": "x"}"#),
    tool(Host::Cursor, "StrReplace", r#"{"path": "$P", "old_string": "a", "new_string": "b"}"#),
    tool(Host::Cursor, "Delete", r#"{"path": "$P"}"#),
    tool(Host::Gemini, "write_file", r#"{"file_path": "$P", "content": "x"}"#),
    tool(Host::Gemini, "replace", r#"{"file_path": "$P", "old_string": "a", "new_string": "b"}"#),
    tool(Host::Qwen, "edit", r#"{"file_path": "$P", "old_string": "a", "new_string": "b"}"#),
    tool(Host::Qwen, "write_file", r#"{"file_path": "$P", "content": "x"}"#),
    tool(Host::Qwen, "notebook_edit", r#"{"notebook_path": "$P"}"#),
    tool(Host::Raw, "write_to_file", r#"{"path": "$P", "content": "x"}"#),
    tool(Host::ClaudeCode, "mcp__files__write_file", r#"{"path": "$P", "content": "x"}"#),
    tool(Host::ClaudeCode, "mcp__files__move_file", r#"{"source": "$W/src/fine.ts", "destination": "$P"}"#),
    tool(Host::ClaudeCode, "mcp__files__delete_file", r#"{"path": "$P"}"#),
    tool(Host::Codex, "some_new_tool", r#"{"target_file": "$P"}"#),
];

/// The tool of each host that runs a command line.
pub(crate) const SHELLS: &[(Host, &str)] = &[
    (Host::ClaudeCode, "Bash"),
    (Host::VsCode, "run_in_terminal"),
    (Host::Codex, "Bash"),
    (Host::CopilotCli, "bash"),
    (Host::Cursor, "Shell"),
    (Host::Gemini, "run_shell_command"),
    (Host::Qwen, "run_shell_command"),
];

impl WritingTool {
    /// Returns the input for a path.
    pub(crate) fn input(&self, workspace: &str, path: &str) -> Value {
        let path = path.replace("$W", workspace);
        let quoted = json!(path).to_string();
        let inner = &quoted[1..quoted.len() - 1];
        let text = self.input.replace("$P", inner).replace("$W", workspace);
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }
}
