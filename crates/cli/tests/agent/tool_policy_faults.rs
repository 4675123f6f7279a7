//! An agent governs, and its definition is broken, missing or hostile.

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::project::{PLANNER, denial, planned, sandbox};

fn call(sandbox: &Sandbox, id: &str, tool: &str) -> Value {
    let input = json!({"file_path": "a.rs", "command": "ls"});
    let more = json!({"cwd": sandbox.root(), "tool_name": tool, "tool_use_id": id, "tool_input": input});
    sandbox.raw("PreToolUse", &more)
}

#[test]
fn a_broken_definition_denies_with_file_line_and_column_until_it_is_mended() {
    let sandbox = planned();
    sandbox.write(".rawko/agents/planner.yaml", PLANNER.replace("[Read, Glob, Grep, Bash]", "[Raed]"));
    let denied = denial(&call(&sandbox, "1", "Read")).unwrap();
    assert!(denied.contains(".rawko/agents/planner.yaml:5:13: unknown tool `Raed`"), "{denied}");
    assert!(denied.contains("steersman agent validate"), "{denied}");
    let answer = call(&sandbox, "2", "TodoWrite");
    assert_eq!(denial(&answer), None, "what touches nothing passes: {answer}");
    sandbox.write(".rawko/agents/planner.yaml", PLANNER);
    assert_eq!(denial(&call(&sandbox, "3", "Read")), None, "corrected");
    sandbox.check_everything();
}

#[test]
fn an_agent_that_is_named_and_nowhere_defined_denies_and_says_who_named_it() {
    let sandbox = sandbox();
    sandbox.config(&json!({"agents": {"active": "ghost"}}));
    let denied = denial(&call(&sandbox, "1", "Read")).unwrap();
    assert!(denied.contains("`ghost`") && denied.contains("agents.active"), "{denied}");
    assert!(denied.contains("steersman agent list"), "{denied}");
}

#[test]
fn a_setting_of_the_wrong_type_is_a_warning() {
    let sandbox = sandbox();
    sandbox.write(".ai/hooks/config.json", r#"{"agents": {"active": 7}}"#);
    let answer = call(&sandbox, "1", "Read");
    assert_eq!(denial(&answer), None);
    assert!(answer.to_string().contains("agents.active"), "{answer}");
}

#[test]
fn a_broken_configuration_denies_shell_commands_only_if_it_was_to_block_some() {
    let sandbox = sandbox();
    sandbox.write(".rawko/config.yaml", "tools:\n  bash:\n    globalBlockedPatterns: ['(']\n");
    let denied = denial(&call(&sandbox, "1", "Bash")).unwrap();
    assert!(denied.contains(".rawko/config.yaml:3:"), "{denied}");
    assert_eq!(denial(&call(&sandbox, "2", "Read")), None);
    sandbox.write(".rawko/config.yaml", "agents: [\n");
    let answer = call(&sandbox, "3", "Bash");
    assert_eq!(denial(&answer), None);
    assert!(answer.to_string().contains(".rawko/config.yaml"), "{answer}");
}

#[test]
fn hostile_names_and_files_are_answered_like_any_other() {
    let deep = format!("name: planner\nsystemPrompt: {}", "[".repeat(5000));
    let bomb = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c]\nname: planner\n";
    let large = format!("name: planner\nsystemPrompt: \"{}\"\n", "x".repeat(10 << 20));
    for text in
        [deep.as_bytes(), bomb.as_bytes(), large.as_bytes(), b"\xff\xfen\0a\0m\0e\0", b"name: planner\0\n"]
    {
        let sandbox = planned();
        sandbox.write(".rawko/agents/planner.yaml", text);
        let denied = denial(&call(&sandbox, "1", "Read")).unwrap();
        assert!(denied.contains(".rawko/agents/planner.yaml"), "{denied}");
    }
    let sandbox = sandbox();
    let before = sandbox.tree();
    for (index, name) in
        ["../../../../etc/passwd", "a\0b", "*", "", "\u{1b}[2J", &"x".repeat(100_000)].iter().enumerate()
    {
        let payload = json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": sandbox.root(),
            "permission_mode": "default", "tool_use_id": index.to_string(), "tool_name": "Read",
            "agent_id": "a", "agent_type": name, "tool_input": {"file_path": "a.rs"}});
        assert_eq!(denial(&sandbox.ask("claude-code", "PreToolUse", &payload)), None, "{name:?}");
    }
    assert_eq!(sandbox.strays_since(&before), Vec::<std::path::PathBuf>::new());
}
