//! Nothing that a command lists is wider than a terminal of 80 columns, however long the data is.

use serde_json::json;
use testkit::Sandbox;

const LONG: &str =
    "Compute the total of the shopping cart in linear time, and describe the new way in the documentation";
const FILE: &str = "src/components/total.tsx";

/// Commands that print for people; JSON, diffs and single paths may be wider.
const COMMANDS: [&[&str]; 24] = [
    &["status"],
    &["doctor"],
    &["log"],
    &["log", "--verbose", "--runs"],
    &["explain"],
    &["session", "list"],
    &["session", "gc", "--dry-run"],
    &["session", "coverage"],
    &["trace", "log"],
    &["trace", "stats"],
    &["trace", "blame", FILE],
    &["shell", "rules"],
    &[
        "shell",
        "explain",
        "cd web && npm publish --access public --registry https://registry.example.com --tag next | tee out",
    ],
    &["module", "list"],
    &["intent", "list"],
    &["intent", "show", "INT-001"],
    &["intent", "check", "package.json", "--intent", "INT-001"],
    &["intent", "preview"],
    &["plan", "show"],
    &["agent", "list"],
    &["agent", "show", "planner"],
    &["automation", "show", "review"],
    &["schema"],
    &["emit", "release"],
];

#[test]
fn every_listing_fits_eighty_columns() {
    let sandbox = project();
    for args in COMMANDS {
        let answer = sandbox.call().args(args).env("COLUMNS", "80").run();
        let printed = [answer.stdout, answer.stderr].concat();
        let printed = String::from_utf8(printed).unwrap();
        assert!(!printed.is_empty(), "{args:?} prints nothing");
        // A path cannot be broken; the temporary folder's is as long as the system makes it.
        let is_breakable = |line: &&str| !line.contains(sandbox.root().to_str().unwrap());
        let widest =
            printed.lines().filter(is_breakable).max_by_key(|line| line.chars().count()).unwrap_or_default();
        assert!(widest.chars().count() <= 80, "{args:?}: {widest}");
    }
}

/// A project with long names, in which an agent has worked.
fn project() -> Sandbox {
    let sandbox = Sandbox::new(env!("CARGO_BIN_EXE_steersman"));
    sandbox.manifest(&json!({"version": 1, "modules": {"rules": {}, "summary": {}, "memory-journal": {}, "delegation": {}}}));
    sandbox.config(&json!({"plan": {"plan": "plan.json"}}));
    let intents = json!({"intents": [{
        "id": "INT-001", "name": LONG, "description": LONG, "status": "IN_PROGRESS", "constraints": [LONG],
        "acceptance_criteria": [LONG], "owned_scope": ["src/components/**", "src/services/**", "packages/backend/src/**"],
    }]});
    sandbox.write(".orchestration/active_intents.yaml", intents.to_string());
    let nodes = json!([
        {"id": "frontend", "description": LONG, "scope": ["src/components/**", "src/services/**"]},
        {"id": "documentation", "description": LONG, "scope": "docs/**", "dependencies": ["frontend"]},
    ]);
    sandbox.write("plan.json", json!({"version": 1, "nodes": nodes}).to_string());
    let agent = json!({
        "name": "planner", "whenToUse": LONG, "systemPrompt": LONG, "transitions": {"onSuccess": "complete"},
    });
    sandbox.write(".rawko/agents/planner.yaml", agent.to_string());
    let automation = json!({
        "id": "review", "name": LONG, "trigger": "release", "prompt": LONG,
        "runner": {"type": "command", "command": ["tee", "-a", ".ai/tmp/a-log-file-with-a-long-name.log"]},
    });
    sandbox.write(".akira/hooks.json", json!({"hooks": [automation]}).to_string());
    assert_eq!(sandbox.call().args(["intent", "select", "INT-001"]).run().code, Some(0));
    work(&sandbox);
    sandbox
}

/// Plays a turn: a write in scope, one out of it, and commands that are denied and asked about.
fn work(sandbox: &Sandbox) {
    let root = sandbox.root();
    let send = |event: &str, more: serde_json::Value| {
        let mut payload = json!({"session_id": "long", "cwd": root, "hook_event_name": event});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        sandbox.ask("claude-code", event, &payload);
    };
    send("UserPromptSubmit", json!({"prompt": format!("{LONG}\n{LONG}")}));
    let write = |file: &str, id: &str| {
        let path = root.join(file);
        json!({"tool_name": "Write", "tool_use_id": id, "tool_input": {"file_path": path, "content": LONG}})
    };
    send("PreToolUse", write(FILE, "w1"));
    sandbox.write(FILE, LONG);
    send("PostToolUse", write(FILE, "w1"));
    send("PreToolUse", write("package.json", "w2"));
    for (n, command) in
        ["npm publish --access public --tag next", "rm -rf ~", "grep -r 'a rather long pattern' ."]
            .into_iter()
            .enumerate()
    {
        send(
            "PreToolUse",
            json!({"tool_name": "Bash", "tool_use_id": format!("b{n}"), "tool_input": {"command": command}}),
        );
    }
    send("Stop", json!({"stop_hook_active": false}));
}
