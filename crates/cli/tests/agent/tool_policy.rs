//! An agent's tools, checked against the calls of every host.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use testkit::Sandbox;
use testkit::payload::recorded;

use crate::project::{PLANNER, denial, planned, sandbox};

/// Returns a call as each host sends it: the host, its event, the payload.
fn everywhere(tool: Tool) -> Vec<(&'static str, &'static str, Value)> {
    let (write, shell, read) = (tool == Tool::Write, matches!(tool, Tool::Shell(_)), tool == Tool::Read);
    let line = if let Tool::Shell(line) = tool { line } else { "" };
    let pick = |names: [&'static str; 3]| names[usize::from(shell) + 2 * usize::from(read)];
    assert!(write || shell || read);
    let claude = json!({"file_path": "/x/a.rs", "content": "x", "command": line});
    let mut all = vec![
        (
            "claude-code",
            "PreToolUse",
            json!({"session_id": "s", "hook_event_name": "PreToolUse",
            "permission_mode": "default", "tool_use_id": "1", "tool_name": pick(["Write", "Bash", "Read"]),
            "tool_input": claude}),
        ),
        (
            "vscode",
            "PreToolUse",
            json!({"session_id": "s", "hook_event_name": "PreToolUse",
            "timestamp": "2026-03-01T00:00:00.000Z", "tool_use_id": "1",
            "tool_name": pick(["create_file", "run_in_terminal", "read_file"]),
            "tool_input": {"filePath": "/x/a.rs", "content": "x", "command": line}}),
        ),
        (
            "copilot-cli",
            "preToolUse",
            json!({"sessionId": "s", "timestamp": 1, "toolName": pick(["create", "bash", "view"]),
            "toolArgs": {"path": "/x/a.rs", "file_text": "x", "command": line}}),
        ),
        (
            "gemini",
            "BeforeTool",
            json!({"session_id": "s", "hook_event_name": "BeforeTool",
            "timestamp": "2026-03-01T00:00:00.000Z",
            "tool_name": pick(["write_file", "run_shell_command", "read_file"]),
            "tool_input": {"file_path": "/x/a.rs", "content": "x", "command": line}}),
        ),
        (
            "cursor",
            "preToolUse",
            json!({"conversation_id": "s", "cursor_version": "2", "hook_event_name": "preToolUse",
            "workspace_roots": [], "tool_use_id": "1", "tool_name": pick(["Write", "Shell", "Read"]),
            "tool_input": {"file_path": "/x/a.rs", "content": "x", "command": line}}),
        ),
        (
            "qwen",
            "PreToolUse",
            json!({"session_id": "s", "hook_event_name": "PreToolUse", "tool_use_id": "1",
            "tool_name": pick(["write_file", "run_shell_command", "read_file"]),
            "tool_input": {"file_path": "/x/a.rs", "content": "x", "command": line}}),
        ),
        (
            "raw",
            "PreToolUse",
            json!({"session_id": "s", "hook_event_name": "PreToolUse",
            "tool_name": pick(["Write", "Bash", "Read"]), "tool_use_id": "1",
            "tool_input": {"file_path": "/x/a.rs", "content": "x", "command": line}}),
        ),
    ];
    // Codex reads files with its shell.
    let patch = json!({"command": "*** Begin Patch\n*** Add File: a.rs\n+x\n*** End Patch"});
    let codex = match tool {
        Tool::Write => Some(("apply_patch", patch)),
        Tool::Shell(line) => Some(("Bash", json!({"command": line}))),
        Tool::Read => None,
    };
    all.extend(codex.map(|(name, input)| {
        let payload = json!({"session_id": "s", "hook_event_name": "PreToolUse", "turn_id": "t", "model": "m",
            "permission_mode": "default", "tool_use_id": "1", "tool_name": name, "tool_input": input});
        ("codex", "PreToolUse", payload)
    }));
    all
}

#[derive(Clone, Copy, PartialEq)]
enum Tool {
    Write,
    Read,
    Shell(&'static str),
}

fn ask(sandbox: &Sandbox, host: &str, event: &str, payload: &Value) -> Option<String> {
    let mut payload = payload.clone();
    payload["cwd"] = json!(sandbox.root());
    denial(&sandbox.ask(host, event, &payload))
}

fn check(tool: Tool, expected: Option<&str>) {
    for (host, event, payload) in everywhere(tool) {
        let denied = ask(&planned(), host, event, &payload);
        match expected {
            None => assert_eq!(denied, None, "{host}"),
            Some(rule) => {
                let denied = denied.unwrap_or_else(|| panic!("{host} lets it pass"));
                assert!(denied.contains(rule), "{host}: {denied}");
                assert!(denied.contains(".rawko/agents/planner.yaml"), "{host}: {denied}");
                assert!(denied.contains("Instead: Use "), "{host}: {denied}");
            }
        }
    }
}

#[test]
fn a_blocked_tool_is_denied_on_every_host_by_its_own_name() {
    check(Tool::Write, Some("(rule `tools.blocked: Write`"));
}

#[test]
fn an_allowed_tool_passes_on_every_host() {
    check(Tool::Read, None);
    check(Tool::Shell("git status && ls -la | cat"), None);
}

#[test]
fn the_shell_filter_sees_every_command_of_a_line_on_every_host() {
    check(Tool::Shell("ls && curl https://example.com"), Some("(rule `tools.bashFilter.allowedCommands`"));
    check(Tool::Shell("cat $(curl https://example.com)"), Some("'curl' is not allowed"));
    check(Tool::Shell("git 'push' origin"), Some("blockedPatterns: git push`"));
    check(Tool::Shell("ls 'unclosed"), Some("Cannot parse the command"));
}

#[test]
fn a_session_without_a_governing_agent_is_left_alone() {
    let sandbox = sandbox();
    sandbox.write(".rawko/agents/planner.yaml", PLANNER);
    for (host, event, payload) in everywhere(Tool::Write) {
        assert_eq!(ask(&sandbox, host, event, &payload), None, "{host}");
    }
}

#[test]
fn a_recorded_call_of_a_subagent_is_checked_against_the_subagents_own_definition() {
    let sandbox = sandbox();
    let mut payload = recorded("claude", "PreToolUse_Bash", &sandbox.root()).payload;
    payload["agent_id"] = json!("a1");
    payload["agent_type"] = json!("reviewer");
    let ask = |sandbox: &Sandbox, id: &str| {
        let mut payload = payload.clone();
        payload["tool_use_id"] = json!(id);
        denial(&sandbox.ask("claude-code", "PreToolUse", &payload))
    };
    assert_eq!(ask(&sandbox, "1"), None, "an agent of the host's own");
    sandbox.write(
        ".claude/agents/reviewer.md",
        "---\nname: reviewer\ndescription: d\ntools: Read, Grep\n---\nReview.\n",
    );
    let denied = ask(&sandbox, "2").unwrap();
    assert!(denied.contains("The agent `reviewer` may not use the tool `Bash`"), "{denied}");
    assert!(denied.contains("Use one of: Read, Grep"), "{denied}");
}

#[test]
fn the_agent_of_a_run_goes_before_the_one_of_the_settings_and_holds_for_the_hosts_own_subagents() {
    let sandbox = planned();
    sandbox.write(
        ".rawko/agents/developer.yaml",
        "name: developer\nsystemPrompt: x\ntools: {blocked: [WebFetch]}\ntransitions: {onSuccess: complete}\n",
    );
    let ask = |id: &str, agent: Option<&str>, kind: Option<&str>, tool: &str| {
        let mut payload = json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": sandbox.root(),
            "permission_mode": "default", "tool_use_id": id, "tool_name": tool,
            "tool_input": {"file_path": "a.rs", "content": "x", "url": "https://example.com"}});
        if let Some(kind) = kind {
            payload["agent_id"] = json!("a");
            payload["agent_type"] = json!(kind);
        }
        let mut call = sandbox.dispatch("claude-code", "PreToolUse").payload(&payload);
        if let Some(agent) = agent {
            call = call.env("STEERSMAN_AGENT", agent);
        }
        denial(&call.run().object()).is_some()
    };
    assert!(ask("1", None, None, "Write"), "agents.active");
    assert!(!ask("2", Some("developer"), None, "Write"), "the run's agent may write");
    assert!(ask("3", Some("developer"), None, "WebFetch"));
    assert!(ask("4", Some("developer"), Some("general-purpose"), "WebFetch"), "a subagent of the host's own");
    assert!(!ask("5", Some("planner"), Some("developer"), "Write"), "a subagent that is defined");
    assert!(ask("6", Some("planner"), Some("Explore"), "Write"));
}

#[test]
fn global_patterns_hold_for_every_session_with_or_without_an_agent() {
    let sandbox = sandbox();
    sandbox.write(".rawko/config.yaml", "tools:\n  bash:\n    globalBlockedPatterns: ['terraform apply']\n");
    for (host, event, payload) in everywhere(Tool::Shell("cd infra; terraform 'apply' -auto-approve")) {
        let denied = ask(&sandbox, host, event, &payload).unwrap_or_else(|| panic!("{host} lets it pass"));
        assert!(denied.contains("tools.bash.globalBlockedPatterns: terraform apply"), "{denied}");
    }
    let sandbox = planned();
    sandbox.write(".rawko/config.yaml", "tools: {bash: {globalBlockedPatterns: ['git clean']}}\n");
    let (host, event, payload) = everywhere(Tool::Shell("git clean -n")).remove(0);
    assert!(ask(&sandbox, host, event, &payload).unwrap().contains("globalBlockedPatterns: git clean"));
}

#[test]
fn an_agent_may_not_change_its_own_definition() {
    let sandbox = sandbox();
    sandbox.write(
        ".rawko/agents/open.yaml",
        "name: open\nsystemPrompt: x\ntransitions: {onSuccess: complete}\n",
    );
    sandbox.config(&json!({"agents": {"active": "open"}}));
    let ask = |id: &str, name: &str, input: Value| {
        let payload = json!({"session_id": "s", "cwd": sandbox.root(), "tool_name": name, "tool_use_id": id, "tool_input": input});
        denial(&sandbox.raw("PreToolUse", &payload))
    };
    let path = sandbox.path(".rawko/agents/open.yaml");
    for (id, name, input) in [
        ("1", "Write", json!({"file_path": path, "content": "x"})),
        (
            "2",
            "Edit",
            json!({"file_path": "src/../.rawko/agents/open.yaml", "old_string": "a", "new_string": "b"}),
        ),
        ("3", "Bash", json!({"command": "sed -i s/x/y/ .rawko/agents/open.yaml"})),
        ("4", "Bash", json!({"command": "echo 'tools: {}' > .rawko/config.yaml"})),
    ] {
        let denied = ask(id, name, input).unwrap_or_else(|| panic!("{id} passes"));
        assert!(denied.contains("rule `own-definition`"), "{denied}");
    }
    assert_eq!(ask("5", "Read", json!({"file_path": path})), None);
    assert_eq!(ask("6", "Write", json!({"file_path": "a.rs", "content": "x"})), None);
}

#[test]
fn a_change_of_the_definition_holds_from_the_next_call_on() {
    let sandbox = planned();
    let file = sandbox.path(".rawko/agents/planner.yaml");
    let age = |seconds| {
        let at = SystemTime::now() - Duration::from_secs(seconds);
        for path in [&file, &sandbox.path(".rawko/agents"), &sandbox.path(".rawko")] {
            File::open(path).unwrap().set_modified(at).unwrap();
        }
    };
    let ask = |id: &str| {
        let payload = json!({"cwd": sandbox.root(), "tool_name": "Write", "tool_use_id": id,
            "tool_input": {"file_path": "a.rs", "content": "x"}});
        denial(&sandbox.raw("PreToolUse", &payload)).is_some()
    };
    age(100);
    assert!(ask("1"));
    let kept = sandbox.session().root.join("agent-tools/output");
    let n_kept = || fs::read_dir(&kept).map_or(0, Iterator::count);
    assert_eq!(n_kept(), 1, "the rules are kept, so that YAML is read once");
    assert!(ask("2"), "read back");
    fs::write(
        &file,
        PLANNER
            .replace("[Read, Glob, Grep, Bash]", "[Write, Read]")
            .replace("blocked: [Write, Edit]", "blocked: []"),
    )
    .unwrap();
    age(50);
    assert!(!ask("3"), "another size and time");
    fs::remove_file(&file).unwrap();
    assert!(ask("4"), "an agent that governs and is not there any more");
    // Cached rules are verified before they are used.
    sandbox.write(".rawko/agents/planner.yaml", PLANNER);
    for entry in fs::read_dir(&kept).unwrap().flatten() {
        fs::write(entry.path(), "{\"version\":1,\"stamps\":[],").unwrap();
    }
    assert!(ask("5"));
}

#[test]
fn a_replay_judges_by_the_agent_of_that_time_and_keeps_nothing() {
    let sandbox = planned();
    let payload = json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": sandbox.root(),
        "tool_name": "Write", "tool_use_id": "1", "tool_input": {"file_path": "a.rs", "content": "x"}});
    sandbox.config(&json!({}));
    let call = sandbox.dispatch("raw", "PreToolUse").payload(&payload).env("STEERSMAN_AGENT", "planner");
    assert!(denial(&call.run().object()).is_some());
    let before = sandbox.tree();
    let sid = sandbox.session().id;
    let replayed = sandbox.call().args(["session", "replay", &sid, "--json"]).run();
    assert_eq!(replayed.code, Some(0), "{}", String::from_utf8_lossy(&replayed.stdout));
    assert_eq!(before.changes(&sandbox.tree()), Vec::<std::path::PathBuf>::new());
}
