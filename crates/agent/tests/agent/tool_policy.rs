//! Tests of the tools that an agent may use, on every host.

use agent::policy::{CallContext, Permission, check};
use event::{ToolCall, ToolKind};
use serde_json::json;
use shell::Place;

use crate::project::definition;

fn call(name: &str, kind: ToolKind) -> ToolCall {
    let input = json!({});
    ToolCall { id: None, name: name.to_owned(), kind, input, touches: vec![], command: None, content: None }
}

fn mcp(server: &str, tool: &str) -> ToolCall {
    call("an_mcp_tool", ToolKind::Mcp { server: server.to_owned(), tool: tool.to_owned() })
}

fn judge(file: &str, tools: &str, call: &ToolCall) -> Permission {
    let text = match file {
        "a.yaml" => {
            format!("name: a\nsystemPrompt: x\ntransitions: {{onSuccess: complete}}\ntools: {tools}\n")
        }
        _ => format!("---\nname: a\ndescription: x\ntools: {tools}\n---\nx\n"),
    };
    check(&definition(file, &text), call, &CallContext::at(Place::at("/home/dev/app")))
}

fn allowed(tools: &str, call: &ToolCall) {
    assert_eq!(judge("a.yaml", tools, call), Permission::Allowed, "{tools} {call:?}");
}

fn denied(tools: &str, call: &ToolCall, by: &str) {
    match judge("a.yaml", tools, call) {
        Permission::Allowed => panic!("allowed: {tools} {call:?}"),
        Permission::Denied(denial) => assert_eq!(denial.rule.to_string(), by, "{tools} {call:?}"),
    }
}

#[test]
fn without_lists_everything_passes() {
    for kind in [ToolKind::Read, ToolKind::Write, ToolKind::Shell, ToolKind::Unknown] {
        allowed("{}", &call("anything", kind));
    }
    allowed("{allowed: []}", &call("Write", ToolKind::Write));
}

#[test]
fn a_name_of_the_document_stands_for_every_hosts_name() {
    for (builtin, kind, names) in [
        ("Read", ToolKind::Read, &["Read", "read_file", "view", "list_dir", "LS", "tomorrows_reader"][..]),
        ("Write", ToolKind::Write, &["Write", "create_file", "write_file", "create", "Delete"]),
        ("Edit", ToolKind::Write, &["Edit", "MultiEdit", "replace", "replace_string_in_file", "str_replace"]),
        ("Glob", ToolKind::Search, &["Glob", "glob", "file_search"]),
        ("Grep", ToolKind::Search, &["Grep", "rg", "grep_search", "search_file_content"]),
        ("Bash", ToolKind::Shell, &["Bash", "run_in_terminal", "run_shell_command", "Shell", "exec_command"]),
        ("WebFetch", ToolKind::Fetch, &["WebFetch", "fetch_webpage", "web_fetch"]),
        ("WebSearch", ToolKind::Fetch, &["WebSearch", "google_web_search", "web_search"]),
        ("Task", ToolKind::Subagent, &["Task", "Agent", "runSubagent", "spawn_agent"]),
    ] {
        for name in names {
            let call = call(name, kind.clone());
            allowed(&format!("{{allowed: [{builtin}]}}"), &call);
            denied(
                &format!("{{allowed: [{builtin}], blocked: [{builtin}]}}"),
                &call,
                &format!("tools.blocked: {builtin}"),
            );
            let other = if builtin == "Bash" { "Read" } else { "Bash" };
            denied(&format!("{{allowed: [{other}]}}"), &call, "tools.allowed");
            allowed(&format!("{{blocked: [{other}]}}"), &call);
        }
    }
}

#[test]
fn whoever_may_edit_may_not_create_and_the_other_way_round() {
    denied("{allowed: [Edit]}", &call("create_file", ToolKind::Write), "tools.allowed");
    denied("{allowed: [Write]}", &call("replace", ToolKind::Write), "tools.allowed");
    denied("{allowed: [Write]}", &call("a_writer_no_table_knows", ToolKind::Write), "tools.allowed");
    allowed("{allowed: [Write, Edit]}", &call("a_writer_no_table_knows", ToolKind::Write));
    denied("{blocked: [Edit]}", &call("a_writer_no_table_knows", ToolKind::Write), "tools.blocked: Edit");
}

#[test]
fn a_patch_is_judged_by_what_it_does() {
    let patch = |text: &str| {
        let input = json!({ "input": format!("*** Begin Patch\n{text}\n*** End Patch") });
        ToolCall { input, ..call("apply_patch", ToolKind::Write) }
    };
    allowed("{allowed: [Edit]}", &patch("*** Update File: a.rs\n@@\n-a\n+b"));
    denied("{allowed: [Edit]}", &patch("*** Add File: a.rs\n+b"), "tools.allowed");
    denied("{allowed: [Edit]}", &patch("*** Update File: a.rs\n*** Move to: b.rs"), "tools.allowed");
    denied("{blocked: [Write]}", &patch("*** Update File: a\n*** Delete File: b"), "tools.blocked: Write");
    denied("{allowed: [Edit]}", &call("apply_patch", ToolKind::Write), "tools.allowed");
}

#[test]
fn a_hosts_own_name_means_that_tool_alone() {
    allowed("{allowed: [create_directory]}", &call("create_directory", ToolKind::Write));
    denied("{allowed: [create_directory]}", &call("create_file", ToolKind::Write), "tools.allowed");
    allowed("{blocked: [run_task]}", &call("run_in_terminal", ToolKind::Shell));
    denied("{blocked: [run_task]}", &call("run_task", ToolKind::Shell), "tools.blocked: run_task");
}

#[test]
fn tools_that_touch_nothing_pass_unless_they_are_blocked() {
    allowed("{allowed: [Read]}", &call("TodoWrite", ToolKind::Harmless));
    denied("{blocked: [TodoWrite]}", &call("TodoWrite", ToolKind::Harmless), "tools.blocked: TodoWrite");
}

#[test]
fn a_tool_no_table_knows_is_not_allowed_by_a_list() {
    denied("{allowed: [Read, Bash]}", &call("Tomorrow", ToolKind::Unknown), "tools.allowed");
    allowed("{blocked: [Write]}", &call("Tomorrow", ToolKind::Unknown));
}

#[test]
fn mcp_patterns_name_servers_and_tools() {
    let issue = mcp("github", "get_issue");
    for entry in [
        "mcp__github__get_issue",
        "mcp__github__*",
        "mcp__github",
        "mcp__*",
        "github/get_issue",
        "github/*",
        "'*'",
    ] {
        allowed(&format!("{{allowed: [{entry}]}}"), &issue);
        let by = format!("tools.blocked: {}", entry.trim_matches('\''));
        denied(&format!("{{blocked: [{entry}]}}"), &issue, &by);
    }
    for entry in ["mcp__github__set_issue", "mcp__jira__*", "jira/get_issue", "Read"] {
        denied(&format!("{{allowed: [{entry}]}}"), &issue, "tools.allowed");
        allowed(&format!("{{blocked: [{entry}]}}"), &issue);
    }
    allowed("{allowed: [mcp__my-server__a]}", &mcp("my_server", "a"));
}

#[test]
fn where_the_host_hides_the_server_a_block_applies_and_an_allowance_needs_the_tool() {
    let hidden = mcp("", "get_issue");
    denied("{blocked: ['mcp__github__*']}", &hidden, "tools.blocked: mcp__github__*");
    denied("{allowed: ['mcp__github__*']}", &hidden, "tools.allowed");
    allowed("{allowed: [mcp__github__get_issue]}", &hidden);
}

#[test]
fn a_denial_names_the_rule_and_a_way_out() {
    let Permission::Denied(denial) =
        judge("a.yaml", "{allowed: [Read, Grep]}", &call("Write", ToolKind::Write))
    else {
        panic!("allowed")
    };
    assert_eq!(
        denial.to_string(),
        "The agent `a` may not use the tool `Write` (tools.allowed). Use one of: Read, Grep; leave the rest to an agent that may."
    );
}

#[test]
fn lists_of_other_programs_are_taken_as_those_programs_take_them() {
    let check = |tools: &str, call: &ToolCall, passes: bool| {
        for file in ["a.agent.md", ".claude/agents/a.md"] {
            assert_eq!(judge(file, tools, call).is_allowed(), passes, "{file} {tools} {call:?}");
        }
    };
    let (read, write, run) = (
        call("read_file", ToolKind::Read),
        call("create_file", ToolKind::Write),
        call("Bash", ToolKind::Shell),
    );
    check("['codebase', 'search']", &read, true);
    check("['codebase', 'search']", &write, false);
    check("[edit/editFiles]", &write, true);
    check("['editFiles']", &write, true);
    check("['runCommands']", &run, true);
    check("[execute/runInTerminal]", &run, true);
    check("Read, Grep", &run, false);
    check("Read, Bash(git:*)", &run, true);
    check("['*']", &write, true);
    check("[]", &write, false);
    check("['github/*']", &mcp("github", "x"), true);
    check("['github/*']", &mcp("jira", "x"), false);
    // An unknown name may refer to any unknown tool.
    check("['somebodysTool']", &call("somebodys_tool", ToolKind::Unknown), true);
    check("['somebodysTool']", &write, false);
    check("[agent]", &call("runSubagent", ToolKind::Subagent), true);
}
