//! Tests of tool calls that were not recorded, host by host.

use std::fmt::Write;

use event::{Detail, ToolCall, ToolKind};
use expect_test::expect_file;
use host::{Host, ParsedEvent, parse, tool_names};
use serde_json::{Value, json};

use crate::parsing::tool;

fn called(host: Host, name: &str, input: &Value) -> ToolCall {
    let payload = json!({"hook_event_name": "PreToolUse", "tool_name": name, "tool_input": input});
    let ParsedEvent::Event(event) = parse(host, None, &payload).unwrap().event else { panic!("not ours") };
    let Detail::PreToolUse { call } = event.detail else { panic!("no call") };
    call
}

const PATCH: &str =
    "*** Begin Patch\n*** Update File: src/a.rs\n*** Move to: src/b.rs\n@@\n-x\n+y\n*** End Patch";
const DIFF: &str = "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1 +1 @@\n-x\n+y\n";

#[test]
fn every_documented_tool_says_what_it_touches() {
    let calls = [
        (Host::VsCode, "create_file", json!({"filePath": "/w/a.rs", "content": "x"})),
        (
            Host::VsCode,
            "replace_string_in_file",
            json!({"filePath": "/w/a", "oldString": "x", "newString": "y"}),
        ),
        (
            Host::VsCode,
            "multi_replace_string_in_file",
            json!({"explanation": "e", "replacements": [{"filePath": "/w/a"}, {"filePath": "/w/b"}, {"filePath": "/w/a"}]}),
        ),
        (Host::VsCode, "insert_edit_into_file", json!({"filePath": "/w/a", "code": "x"})),
        (Host::VsCode, "apply_patch", json!({"input": PATCH, "explanation": "e"})),
        (Host::VsCode, "edit_notebook_file", json!({"filePath": "/w/n.ipynb", "newCode": ["a", "b"]})),
        (Host::VsCode, "create_directory", json!({"dirPath": "/w/d"})),
        (Host::VsCode, "memory", json!({"command": "view", "path": "/memories/a"})),
        (Host::VsCode, "memory", json!({"command": "create", "path": "/memories/a", "file_text": "x"})),
        (
            Host::VsCode,
            "memory",
            json!({"command": "rename", "old_path": "/memories/a", "new_path": "/memories/b"}),
        ),
        (Host::VsCode, "memory", json!({"command": "delete", "path": "/memories/a"})),
        (Host::VsCode, "run_in_terminal", json!({"command": "cargo test", "isBackground": false})),
        (
            Host::VsCode,
            "create_and_run_task",
            json!({"workspaceFolder": "/w", "task": {"command": "make", "args": ["-j", "all of it", "it's"]}}),
        ),
        (Host::VsCode, "read_file", json!({"filePath": "/w/a", "startLine": 1, "endLine": 9})),
        (Host::VsCode, "list_dir", json!({"path": "/w"})),
        (Host::VsCode, "grep_search", json!({"query": "x", "isRegexp": true})),
        (Host::VsCode, "fetch_webpage", json!({"urls": ["https://example.org"]})),
        (Host::VsCode, "runSubagent", json!({"prompt": "p"})),
        (Host::VsCode, "mcp_github_create_issue", json!({"title": "t"})),
        (Host::ClaudeCode, "Edit", json!({"file_path": "/w/a", "old_string": "x", "new_string": "y"})),
        (Host::ClaudeCode, "NotebookEdit", json!({"notebook_path": "/w/n.ipynb", "new_source": "x"})),
        (Host::ClaudeCode, "Read", json!({"file_path": "/w/a"})),
        (Host::ClaudeCode, "Grep", json!({"pattern": "x", "path": "src"})),
        (Host::ClaudeCode, "PowerShell", json!({"command": "Get-ChildItem"})),
        (Host::ClaudeCode, "WebFetch", json!({"url": "https://example.org", "prompt": "p"})),
        (Host::ClaudeCode, "TodoWrite", json!({"todos": []})),
        (Host::ClaudeCode, "mcp__steersman__select_active_intent", json!({"intent_id": "INT-001"})),
        (Host::ClaudeCode, "mcp__fs__read_file", json!({"path": "/w/a"})),
        (Host::ClaudeCode, "mcp__fs__write_file", json!({"path": "/w/a", "content": "x"})),
        (Host::ClaudeCode, "mcp__fs__move_file", json!({"source": "/w/a", "destination": "/w/b"})),
        (Host::ClaudeCode, "mcp__fs__copy_file", json!({"source": "/w/a", "destination": "/w/b"})),
        (Host::CopilotCli, "create", json!({"path": "/w/a", "file_text": "x"})),
        (Host::CopilotCli, "Write", json!({"path": "/w/a", "file_text": "x"})),
        (Host::CopilotCli, "Edit", json!({"path": "/w/a", "old_str": "x", "new_str": "y"})),
        (Host::CopilotCli, "Edit", json!(PATCH)),
        (Host::CopilotCli, "str_replace_editor", json!({"command": "view", "path": "/w/a"})),
        (Host::CopilotCli, "str_replace_editor", json!({"command": "str_replace", "path": "/w/a"})),
        (Host::CopilotCli, "insert", json!({"path": "/w/a", "insert_line": 3, "new_str": "x"})),
        (Host::CopilotCli, "apply_patch", json!(PATCH)),
        (Host::CopilotCli, "apply_patch", json!({"patch": PATCH})),
        (Host::CopilotCli, "git_apply_patch", json!({"patch": DIFF})),
        (Host::CopilotCli, "view", json!({"path": "/w/a", "view_range": [1, 2]})),
        (Host::CopilotCli, "powershell", json!({"command": "dir"})),
        (Host::CopilotCli, "write_bash", json!({"shellId": "0", "input": "y"})),
        (Host::CopilotCli, "bash", json!("{\"command\": \"ls -l\", \"description\": \"d\"}")),
        (Host::CopilotCli, "task", json!({"agent_type": "explore", "prompt": "p"})),
        (Host::CopilotCli, "github-mcp-server-list_issues", json!({"owner": "o"})),
        (Host::CopilotCli, "steersman-select_active_intent", json!({"intent_id": "INT-001"})),
        (Host::Cursor, "Write", json!({"file_path": "/w/a", "content": "x"})),
        (Host::Cursor, "StrReplace", json!({"path": "/w/a", "old_string": "x", "new_string": "y"})),
        (Host::Cursor, "Delete", json!({"path": "/w/a"})),
        (Host::Cursor, "Shell", json!({"command": "ls", "working_directory": "/w/sub"})),
        (Host::Cursor, "Read", json!({"file_path": "/w/a"})),
        (Host::Cursor, "MCP:select_active_intent", json!({"intent_id": "INT-001"})),
        (Host::Gemini, "replace", json!({"file_path": "/w/a", "old_string": "x", "new_string": "y"})),
        (Host::Gemini, "run_shell_command", json!({"command": "ls", "dir_path": "sub"})),
        (Host::Gemini, "read_many_files", json!({"include": ["src/a.rs", "src/*.md"]})),
        (Host::Gemini, "list_directory", json!({"dir_path": "/w"})),
        (Host::Gemini, "mcp_steersman_select_active_intent", json!({"intent_id": "INT-001"})),
        (Host::Codex, "apply_patch", json!({"command": PATCH})),
        (Host::Codex, "shell", json!({"command": ["bash", "-lc", "echo a b"], "workdir": "/w"})),
        (Host::Codex, "view_image", json!({"path": "/w/a.png"})),
        (Host::Qwen, "edit", json!({"file_path": "/w/a", "old_string": "x", "new_string": "y"})),
        (Host::Qwen, "read_file", json!({"absolute_path": "/w/a"})),
        (Host::Qwen, "run_shell_command", json!({"command": "ls", "directory": "sub"})),
        (Host::Raw, "create_file", json!({"filePath": "a", "content": "x"})),
        (Host::Raw, "Bash", json!({"command": "ls"})),
        // Tools of unknown programs.
        (Host::ClaudeCode, "Frobnicate", json!({"target_file": "/w/a", "x": 1})),
        (Host::ClaudeCode, "write_to_file", json!({"files": [{"path": "a"}, "b"], "content": "x"})),
        (Host::ClaudeCode, "readThing", json!({"relative_path": "a"})),
        (Host::ClaudeCode, "read_and_replace", json!({"path": "a", "new_string": "x"})),
        (Host::ClaudeCode, "remove_file", json!({"path": "a"})),
        (Host::ClaudeCode, "execute", json!({"command_line": "rm -rf x", "cwd": "/w"})),
        (Host::ClaudeCode, "fs_write", json!({"command": PATCH})),
        (Host::ClaudeCode, "fs_write", json!({"command": "create", "path": "a"})),
        (Host::ClaudeCode, "fs_read", json!({"operations": [{"path": "a"}, {"path": "b"}]})),
        (Host::ClaudeCode, "patcher", json!(PATCH)),
        (Host::ClaudeCode, "patcher", json!(serde_json::to_string(PATCH).unwrap())),
        (Host::ClaudeCode, "opener", json!({"path": {"fsPath": "/w/a", "scheme": "file"}})),
        // A known tool with a renamed field.
        (Host::ClaudeCode, "Write", json!({"target_file": "/w/a", "content": "x"})),
        (Host::Gemini, "read_file", json!({"path": "/w/a"})),
        (Host::ClaudeCode, "Bash", json!({"cmd": "ls", "cwd": "/w"})),
    ];
    let mut told = String::new();
    for (host, name, input) in calls {
        let call = called(host, name, &input);
        writeln!(told, "{host} {name} {input}\n{}", tool(&call)).unwrap();
    }
    expect_file!["../golden/tool_calls.txt"].assert_eq(&told);
}

#[test]
fn the_contracts_own_format_knows_the_tools_of_every_host() {
    let known: Vec<&str> = tool_names(Host::Raw).collect();
    for host in Host::ALL {
        let missing: Vec<&str> = tool_names(host).filter(|name| !known.contains(name)).collect();
        assert!(missing.is_empty(), "{host}: {missing:?}");
    }
}

#[test]
fn sub_actions_are_not_taken_for_command_lines() {
    for (host, name) in
        [(Host::VsCode, "memory"), (Host::CopilotCli, "str_replace_editor"), (Host::Codex, "apply_patch")]
    {
        for action in ["view", "create", "str_replace", "rm -rf /"] {
            assert_eq!(
                called(host, name, &json!({"command": action, "path": "/w/a"})).command,
                None,
                "{name}"
            );
        }
    }
}

#[test]
fn the_gates_of_cursor_are_tool_calls() {
    let check = |payload: Value, expected: &str| {
        let ParsedEvent::Event(event) = parse(Host::Cursor, None, &payload).unwrap().event else {
            panic!("not ours")
        };
        assert_eq!(tool(event.call().unwrap()), expected);
    };
    check(
        json!({"conversation_id": "c", "hook_event_name": "beforeShellExecution", "command": "ls", "cwd": "/w"}),
        "    Shell Shell id \"-\"\n    runs Posix \"ls\" in /w",
    );
    check(
        json!({"conversation_id": "c", "hook_event_name": "beforeMCPExecution", "tool_name": "write_file",
            "tool_input": "{\"path\": \"/w/a\", \"content\": \"x\"}", "mcp_server_name": "fs"}),
        "    write_file Mcp { server: \"fs\", tool: \"write_file\" } id \"-\"\n    write /w/a",
    );
    check(
        json!({"conversation_id": "c", "hook_event_name": "beforeReadFile", "file_path": "/w/a", "content": "x"}),
        "    Read Read id \"-\"\n    read /w/a",
    );
}

#[test]
fn geminis_own_word_on_mcp_is_taken() {
    let payload = json!({"hook_event_name": "BeforeTool", "tool_name": "mcp_my_server_get", "tool_input": {},
        "mcp_context": {"server_name": "my_server", "tool_name": "get"}});
    let ParsedEvent::Event(event) = parse(Host::Gemini, None, &payload).unwrap().event else {
        panic!("not ours")
    };
    let expected = ToolKind::Mcp { server: "my_server".into(), tool: "get".into() };
    assert_eq!(event.call().unwrap().kind, expected);
}

#[test]
fn a_call_that_names_very_many_paths_is_read_to_its_end() {
    // Quadratic work here would take minutes.
    let files: Vec<String> = (0..50_000).map(|index| format!("src/{index}.rs")).collect();
    let call = called(Host::ClaudeCode, "Frobnicate", &json!({"files": files}));
    assert_eq!(call.touches.len(), files.len());
    let moves: Vec<String> =
        files.iter().map(|file| format!("*** Update File: {file}\n*** Move to: {file}.old\n")).collect();
    let call = called(Host::Codex, "apply_patch", &json!({"command": moves.concat()}));
    assert_eq!(call.touches.len(), 2 * files.len());
}
