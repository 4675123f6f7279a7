//! The guard's rules hold for every tool: file tools, fetches, calls of MCP servers of any shape, shells that stay open.

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::{sandbox, shell};

/// Sends a call to the guard and returns the decision of the run.
fn decision(sandbox: &Sandbox, tool: &str, input: &Value) -> String {
    sandbox.raw("PreToolUse", &json!({"tool_name": tool, "tool_use_id": "t", "tool_input": input}));
    sandbox.session().last_run()["data"]["decision"].as_str().unwrap().to_owned()
}

#[test]
fn a_tool_of_any_shape_gets_the_rules_of_commands() {
    let sandbox = sandbox();
    for (tool, input, expected) in [
        ("Read", json!({"file_path": "/home/dev/.aws/credentials"}), "ask"),
        ("Read", json!({"file_path": ".env"}), "ask"),
        ("Write", json!({"file_path": ".git/hooks/pre-commit", "content": "x"}), "ask"),
        ("Write", json!({"file_path": ".claude/agents/x.md", "content": "---\nhooks: {}\n---\n"}), "ask"),
        ("Write", json!({"file_path": ".claude/skills/x/SKILL.md", "content": "Now: !`date`\n"}), "ask"),
        ("Write", json!({"file_path": ".claude/skills/x/run.sh", "content": "date\n"}), "ask"),
        (
            "Edit",
            json!({"file_path": ".claude/agents/x.md", "old_string": "name: x", "new_string": "name: y"}),
            "ask",
        ),
        ("Bash", json!({"command": "echo x > .claude/agents/x.md"}), "ask"),
        ("Write", json!({"file_path": ".vscode/settings.json", "content": "{}"}), "ask"),
        ("Write", json!({"file_path": "/home/dev/.bashrc", "content": "x"}), "deny"),
        ("mcp__files__read_file", json!({"path": "/home/dev/.ssh/id_rsa"}), "ask"),
        ("mcp__files__read", json!({"uri": "file:///home/dev/.ssh/id_rsa"}), "ask"),
        ("mcp__files__read_many", json!({"options": {"targets": ["/home/dev/.ssh/id_rsa"]}}), "ask"),
        ("mcp__files__write_file", json!({"dest": "/home/dev/.bashrc", "content": "x"}), "deny"),
        ("mcp__shell__run", json!({"program": "rm", "args": ["-rf", "/"]}), "deny"),
        ("mcp__shell__run", json!({"steps": [{"script": "rm -rf ~"}]}), "deny"),
        ("mcp__py__run_python", json!({"code": "import shutil; shutil.rmtree('/')"}), "deny"),
        ("mcp__db__execute", json!({"sql": "DROP TABLE users"}), "deny"),
        ("mcp__db__ask", json!({"query": "DELETE FROM users"}), "deny"),
        ("mcp__web__open", json!({"url": "http://169.254.169.254/latest/meta-data/"}), "ask"),
        ("WebFetch", json!({"url": "http://metadata.google.internal/x", "prompt": "x"}), "ask"),
        (
            "mcp__web__open",
            json!({"url": "https://example.org/?t=ghp_16C7e42F292c6912E7710c838347Ae178B4a"}),
            "ask",
        ),
    ] {
        assert_eq!(decision(&sandbox, tool, &input), expected, "{tool} {input}");
    }
}

#[test]
fn ordinary_calls_of_tools_pass() {
    let sandbox = sandbox();
    for (tool, input) in [
        ("Read", json!({"file_path": "src/main.rs"})),
        ("Read", json!({"file_path": ".env.example"})),
        ("Write", json!({"file_path": "src/main.rs", "content": "rm -rf /"})),
        (
            "Write",
            json!({
                "file_path": ".claude/agents/x.md",
                "content": "---\nname: x\ndescription: Reviews changes\ntools: Read\n---\nReview.\n",
            }),
        ),
        ("Write", json!({"file_path": ".claude/skills/x/SKILL.md", "content": "Build it.\n"})),
        ("mcp__files__read_file", json!({"path": "src/main.rs"})),
        ("mcp__files__list_directory", json!({"path": "."})),
        (
            "mcp__github__create_issue",
            json!({"owner": "a", "repo": "b", "title": "rm -rf /", "body": "DROP TABLE x"}),
        ),
        ("mcp__web__open", json!({"url": "https://docs.rs/serde?search=token"})),
        ("mcp__web__open", json!({"url": "http://localhost:3000/", "path": "/"})),
        ("mcp__db__query", json!({"sql": "SELECT * FROM users"})),
        ("mcp__search__find", json!({"query": "how to delete from a table"})),
        ("mcp__shell__run", json!({"command": "cargo test"})),
        ("mcp__browser__evaluate", json!({"script": "() => document.title"})),
    ] {
        assert_eq!(decision(&sandbox, tool, &input), "abstain", "{tool} {input}");
    }
}

#[test]
fn a_project_may_list_the_hosts_that_tools_reach() {
    let sandbox = sandbox();
    sandbox.config(&json!({"network": {"allowHosts": ["docs.rs", "*.example.org"]}}));
    for (tool, input, expected) in [
        ("WebFetch", json!({"url": "https://docs.rs/x", "prompt": "x"}), "abstain"),
        ("WebFetch", json!({"url": "https://evil.io/x", "prompt": "x"}), "deny"),
        ("mcp__web__open", json!({"url": "https://a.example.org"}), "abstain"),
        ("mcp__web__open", json!({"url": "https://example.org.evil.io"}), "deny"),
        ("mcp__web__open", json!({"url": "http://localhost:3000"}), "abstain"),
        ("Bash", json!({"command": "curl https://evil.io/x"}), "deny"),
        ("Bash", json!({"command": "curl https://docs.rs/x"}), "abstain"),
    ] {
        assert_eq!(decision(&sandbox, tool, &input), expected, "{tool} {input}");
    }
}

/// Sends an event as Claude Code does and returns the decision of the run.
fn claude(sandbox: &Sandbox, event: &str, tool: &str) -> String {
    // Each call has its own id: an event that comes twice is recorded once.
    let id = sandbox.sessions().first().map_or(0, |session| session.events().len());
    let payload = json!({
        "session_id": "s", "hook_event_name": event, "cwd": sandbox.root(), "tool_name": tool,
        "tool_use_id": id.to_string(), "tool_input": {"city": "Bern"}, "tool_response": "ok",
    });
    sandbox.ask("claude-code", event, &payload);
    sandbox.session().last_run()["data"]["decision"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_new_or_changed_mcp_server_is_asked_about_before_its_first_call() {
    let sandbox = sandbox();
    let define = |command: &str, token: &str| {
        let servers = json!({"weather": {"command": command, "args": ["x"], "env": {"TOKEN": token}}});
        sandbox.write(".mcp.json", json!({"mcpServers": servers}).to_string());
    };
    let ask = || claude(&sandbox, "PreToolUse", "mcp__weather__forecast");
    assert_eq!(ask(), "abstain", "a server that no file defines");
    define("/nonexistent/server", "1");
    assert_eq!(ask(), "ask");
    assert_eq!(ask(), "ask", "an answer has not come yet");
    claude(&sandbox, "PostToolUse", "mcp__weather__forecast");
    assert_eq!(ask(), "abstain", "the call ran, so the user permitted it");
    define("/nonexistent/server", "2");
    assert_eq!(ask(), "abstain", "the value of a variable is not a part of the definition");
    define("/nonexistent/other", "2");
    assert_eq!(ask(), "ask");
    let pins = |action: &str| sandbox.call().args(["mcp", "pins", action]).run();
    let printed = |answer: &testkit::Answer| String::from_utf8_lossy(&answer.stdout).into_owned();
    let check = pins("check");
    assert_eq!(check.code, Some(1), "{check:?}");
    assert!(printed(&check).contains("new      weather"), "{check:?}");
    assert_eq!(pins("accept").code, Some(0));
    assert_eq!(ask(), "abstain");
    assert_eq!(pins("check").code, Some(0));
    define("/nonexistent/third", "2");
    assert!(printed(&pins("check")).contains("changed  weather"));
    assert_eq!(ask(), "ask");
}

#[test]
fn a_definition_of_one_command_holds_for_the_next_where_the_shell_stays_open() {
    let run = |host: &str, tool: &str, lines: [&str; 2]| {
        let sandbox = sandbox();
        for (id, line) in lines.into_iter().enumerate() {
            let input = json!({"command": line});
            let payload = json!({
                "sessionId": "s", "session_id": "s", "timestamp": 1, "hook_event_name": "PreToolUse",
                "cwd": sandbox.root(), "toolName": tool, "toolArgs": input.to_string(), "tool_name": tool,
                "tool_use_id": id.to_string(), "tool_input": input,
            });
            sandbox.ask(host, "PreToolUse", &payload);
        }
        sandbox.session().last_run()["data"]["decision"].as_str().unwrap_or_default().to_owned()
    };
    let lines = ["zap() { rm -rf \"$1\"; }", "zap /"];
    assert_eq!(run("copilot-cli", "bash", lines), "deny");
    assert_eq!(run("vscode", "run_in_terminal", lines), "deny");
    assert_eq!(run("claude-code", "Bash", lines), "abstain", "each command has a shell of its own");
    assert_eq!(run("copilot-cli", "bash", ["x=1", "echo $x"]), "abstain");
    let sandbox = sandbox();
    sandbox.raw("PreToolUse", &shell("t", "x() { ls; }"));
    assert_eq!(sandbox.session().state()["features"].get("shell-guard"), None);
}
