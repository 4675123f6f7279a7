//! `planGraph-exec`: calls are checked against the plan, on every host.

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::sandbox;

const PLAN: &str = ".ai/plan.json";

/// Returns a workspace with this plan for its sessions.
fn planned(nodes: &Value, settings: Value) -> Sandbox {
    let sandbox = sandbox();
    let plan = json!({"version": 1, "nodes": nodes});
    testkit::schema::check("plan-graph", &plan);
    sandbox.write(PLAN, plan.to_string());
    let mut section = json!({"plan": PLAN});
    if let (Value::Object(section), Value::Object(more)) = (&mut section, settings) {
        section.extend(more);
    }
    sandbox.config(&json!({"planGraph-exec": section}));
    sandbox
}

fn nodes() -> Value {
    json!([
        {"id": "api", "description": "the API", "scope": "src/api/**"},
        {"id": "ui", "description": "the UI", "scope": ["src/ui/**"], "dependencies": ["api"]},
        {"id": "old", "description": "the old code", "scope": "src/old/**", "status": "forbidden", "reason": "it is frozen"},
        {"id": "ship", "description": "the release", "tools": ["fetch_webpage"], "dependencies": ["ui"]},
    ])
}

fn write(path: &str) -> Value {
    json!({"tool_name": "Write", "tool_input": {"file_path": path, "content": "x"}})
}

fn shell(command: &str) -> Value {
    json!({"tool_name": "Bash", "tool_input": {"command": command}})
}

fn status(sandbox: &Sandbox, node: &str) -> Value {
    sandbox.session().state()["plan"]["nodes"][node].clone()
}

#[test]
fn a_call_waits_for_what_its_node_waits_for() {
    let sandbox = planned(&nodes(), json!({}));
    let answer = sandbox.raw("PreToolUse", &write("src/ui/a.ts"));
    assert_eq!(answer["decision"], "deny", "{answer}");
    let reason = answer["denyReason"].as_str().unwrap();
    assert!(reason.contains("`ui`") && reason.contains("waits for `api`"), "{reason}");
    let session = sandbox.session().id;
    assert!(reason.contains(&format!("steersman plan mark api complete --session {session}")), "{reason}");

    assert_eq!(sandbox.raw("PreToolUse", &write("src/api/a.ts"))["decision"], "allow");
    assert_eq!(status(&sandbox, "api"), "active", "the first call for a node begins it");
    let marked = sandbox.call().args(["plan", "mark", "api", "complete"]).run();
    assert_eq!(marked.code, Some(0), "{}", String::from_utf8_lossy(&marked.stderr));
    assert_eq!(status(&sandbox, "api"), "complete");
    assert_eq!(sandbox.raw("PreToolUse", &write("src/ui/a.ts"))["decision"], "allow");
    assert_eq!(status(&sandbox, "ui"), "active");
    let told: Vec<Value> =
        sandbox.session().events_of("PLAN_NODE").iter().map(|event| event["data"]["to"].clone()).collect();
    assert_eq!(told, ["active", "complete", "active"]);
    sandbox.check_everything();
}

#[test]
fn a_call_for_a_forbidden_node_is_refused_whatever_it_does() {
    let sandbox = planned(&nodes(), json!({}));
    for call in [
        write("src/old/a.ts"),
        json!({"tool_name": "Read", "tool_input": {"file_path": "src/old/a.ts"}}),
        shell("echo x > src/old/a.ts"),
        shell("cd src && rm old/a.ts"),
        shell("cp src/api/a.ts src/old/a.ts"),
    ] {
        let answer = sandbox.raw("PreToolUse", &call);
        assert_eq!(answer["decision"], "deny", "{call} {answer}");
        assert!(answer["denyReason"].as_str().unwrap().contains("it is frozen"), "{answer}");
    }
    assert_eq!(sandbox.session().events_of("PLAN_REFUSED").len(), 5);
    sandbox.check_everything();
}

#[test]
fn looking_around_is_free_and_tools_that_a_node_names_are_not() {
    let sandbox = planned(&nodes(), json!({}));
    for call in [
        json!({"tool_name": "Read", "tool_input": {"file_path": "src/ui/a.ts"}}),
        json!({"tool_name": "TodoWrite", "tool_input": {"todos": []}}),
        shell("cat src/ui/a.ts"),
        shell("git status"),
    ] {
        let answer = sandbox.raw("PreToolUse", &call);
        assert_eq!(answer["decision"], "allow", "{call} {answer}");
        assert!(answer.get("warnings").is_none(), "{call} {answer}");
    }
    let fetch =
        json!({"tool_name": "fetch_webpage", "tool_input": {"urls": ["https://example.org"], "query": "x"}});
    let answer = sandbox.raw("PreToolUse", &fetch);
    assert_eq!(answer["decision"], "deny", "{answer}");
}

#[test]
fn a_call_for_no_node_is_a_warning_or_a_refusal_in_strict_mode() {
    for (strict, decision) in [(false, "allow"), (true, "deny")] {
        let sandbox = planned(&nodes(), json!({"strict": strict}));
        let answer = sandbox.raw("PreToolUse", &write("README.md"));
        assert_eq!(answer["decision"], decision, "{answer}");
        assert!(answer.to_string().contains("belongs to no node"), "{answer}");
        if strict {
            assert!(answer["denyReason"].as_str().unwrap().contains("work on `api`"), "{answer}");
        }
    }
}

#[test]
fn tests_and_builds_belong_to_the_work_in_progress() {
    let mut nodes = nodes();
    nodes[0]["validations"] = json!(["npm test"]);
    for (strict, other) in [(false, "allow"), (true, "deny")] {
        let sandbox = planned(&nodes, json!({"strict": strict}));
        for (command, decision) in [("npm test", "allow"), ("make", other)] {
            let answer = sandbox.raw("PreToolUse", &shell(command));
            assert_eq!(answer["decision"], decision, "{command}: {answer}");
            assert!(!answer.to_string().contains("belongs to no node"), "{command}: {answer}");
        }
        let answer = sandbox.raw("PreToolUse", &shell("echo x > notes.txt"));
        assert!(answer.to_string().contains("belongs to no node"), "{answer}");
    }
}

#[test]
fn a_search_is_kept_within_the_node_in_each_hosts_own_fields() {
    let sandbox = planned(&nodes(), json!({}));
    let root = sandbox.root();
    let folder = root.join("src/api").display().to_string();
    let payload = |tool: &str, input: Value| {
        json!({
            "hook_event_name": "PreToolUse", "session_id": "s", "cwd": root, "tool_name": tool, "tool_input": input,
        })
    };
    let vscode = sandbox.ask("vscode", "PreToolUse", &payload("grep_search", json!({"query": "x"})));
    let input = &vscode["hookSpecificOutput"]["updatedInput"];
    assert_eq!(*input, json!({"query": "x", "includePattern": "src/api/**"}), "{vscode}");
    let vscode = sandbox.ask("vscode", "PreToolUse", &payload("file_search", json!({"query": "**/*.ts"})));
    assert_eq!(vscode["hookSpecificOutput"]["updatedInput"]["query"], "src/api/**/*.ts", "{vscode}");
    let claude = payload("Grep", json!({"pattern": "x", "output_mode": "content"}));
    let claude = sandbox.ask("claude-code", "PreToolUse", &claude);
    assert_eq!(claude["hookSpecificOutput"]["updatedInput"]["path"], folder, "{claude}");
    assert_eq!(claude["hookSpecificOutput"]["updatedInput"]["pattern"], "x", "{claude}");
    let mut gemini = payload("search_file_content", json!({"pattern": "x"}));
    gemini["hook_event_name"] = json!("BeforeTool");
    let gemini = sandbox.ask("gemini", "BeforeTool", &gemini);
    assert_eq!(gemini["hookSpecificOutput"]["tool_input"]["dir_path"], folder, "{gemini}");
    // Already within the node, or deliberately elsewhere: unchanged.
    for input in [json!({"pattern": "x", "path": "src/api/v1"}), json!({"pattern": "x", "path": "docs"})] {
        let answer = sandbox.ask("claude-code", "PreToolUse", &payload("Grep", input));
        assert!(answer["hookSpecificOutput"].get("updatedInput").is_none(), "{answer}");
    }
    sandbox.check_everything();
}

#[test]
fn only_the_owner_of_rewrites_keeps_searches_within() {
    let sandbox = planned(&nodes(), json!({}));
    sandbox.manifest(&json!({"rewriteOwner": "mine", "budgets": {"PreToolUse": 20_000}}));
    let search = json!({"tool_name": "grep_search", "tool_input": {"query": "x"}});
    let answer = sandbox.raw("PreToolUse", &search);
    assert!(answer.get("updatedInput").is_none(), "{answer}");
    let warnings = answer["warnings"].to_string();
    assert!(warnings.contains("search-without-include"), "nothing bounds it then: {answer}");
}

#[test]
fn an_agent_may_say_what_is_done_and_not_what_is_permitted() {
    let sandbox = planned(&nodes(), json!({"strict": true}));
    for (command, decision) in [
        ("steersman plan mark api complete", "allow"),
        ("steersman plan mark old pending", "deny"),
        ("steersman plan mark api complete && rm README.md", "deny"),
        ("./steersman plan mark api complete", "deny"),
        ("./steersman plan mark old pending", "deny"),
    ] {
        let answer = sandbox.raw("PreToolUse", &shell(command));
        assert_eq!(answer["decision"], decision, "{command}: {answer}");
    }
}

#[test]
fn a_broken_plan_is_one_warning_with_its_place_and_stops_nothing() {
    let sandbox = planned(&nodes(), json!({}));
    sandbox.write(PLAN, "{\n  \"nodes\": [{\"id\": \"a\", \"description\": \"x\", \"dependencies\": [\"b\"]}, {\"id\": \"c\"}]\n}");
    let answer = sandbox.raw("PreToolUse", &write("src/old/a.ts"));
    assert_eq!(answer["decision"], "allow", "{answer}");
    let warnings = answer["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 1, "{answer}");
    let said = warnings[0].as_str().unwrap();
    assert!(said.contains("line 2, column") && said.contains("and 1 more"), "{said}");
    sandbox.write(PLAN, "{");
    let answer = sandbox.raw("PreToolUse", &write("a.ts"));
    assert!(answer["warnings"][0].as_str().unwrap().contains("plan.json`, line 1, column"), "{answer}");
    sandbox.write(".ai/hooks/config.json", "{\"planGraph-exec\": {\"strict\": \"yes\"}}");
    let answer = sandbox.raw("PreToolUse", &write("a.ts"));
    assert!(answer["warnings"][0].as_str().unwrap().contains("line 1, column"), "{answer}");
}

#[test]
fn work_is_complete_when_its_plan_is() {
    let sandbox = planned(&json!([{"id": "a", "description": "x", "scope": "src/**"}]), json!({}));
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "go"}));
    sandbox.raw("PreToolUse", &write("src/a.ts"));
    sandbox.raw("Stop", &json!({}));
    assert_eq!(sandbox.session().core("phase"), "EXECUTING");
    assert_eq!(sandbox.call().args(["plan", "mark", "a", "complete"]).run().code, Some(0));
    sandbox.raw("Stop", &json!({}));
    assert_eq!(sandbox.session().core("phase"), "COMPLETE");
}

/// A plan of many nodes in rows: each depends on the one before it in its row.
fn large_plan(n_nodes: usize) -> Value {
    let node = |n: usize| {
        let mut node = json!({
            "id": format!("n{n}"), "description": format!("piece {n} of the work"), "scope": [format!("src/p{n}/**"), format!("docs/p{n}.md")],
            "validations": ["cargo test"],
        });
        if !n.is_multiple_of(10) {
            node["dependencies"] = json!([format!("n{}", n - 1)]);
        }
        match n {
            7 => node["status"] = json!("forbidden"),
            20 => node["status"] = json!("complete"),
            30 => node["status"] = json!("active"),
            40 => {
                node["tools"] = json!(["fetch"]);
                node.as_object_mut().unwrap().remove("scope");
            }
            50 => node["tool"] = json!("shell"),
            _ => {}
        }
        node
    };
    json!({"version": 1, "nodes": (0..n_nodes).map(node).collect::<Vec<_>>()})
}

#[test]
fn a_cached_plan_decides_like_the_plan_itself() {
    let calls = [
        ("Write", json!({"file_path": "src/p0/a", "content": "x"})),
        ("Write", json!({"file_path": "src/p1/a", "content": "x"})),
        ("Write", json!({"file_path": "src/p7/a", "content": "x"})),
        ("Write", json!({"file_path": "src/p20/a", "content": "x"})),
        ("Write", json!({"file_path": "src/p21/a", "content": "x"})),
        ("Write", json!({"file_path": "docs/p30.md", "content": "x"})),
        ("Write", json!({"file_path": "README.md", "content": "x"})),
        ("Read", json!({"file_path": "src/p9/a"})),
        ("Read", json!({"file_path": "README.md"})),
        ("Grep", json!({"pattern": "x", "output_mode": "content"})),
        ("Bash", json!({"command": "make"})),
        ("Bash", json!({"command": "touch src/p0/a src/p31/b"})),
        ("Bash", json!({"command": "steersman plan mark n7 pending"})),
        ("Bash", json!({"command": "steersman plan mark n8 complete"})),
        ("WebFetch", json!({"url": "https://example.org", "prompt": "x"})),
    ];
    let text = large_plan(400).to_string();
    assert!(text.len() > 32 * 1024);
    for strict in [false, true] {
        let [whole, kept] = [(); 2].map(|()| {
            let sandbox = sandbox();
            sandbox.write("plan.json", &text);
            sandbox.config(&json!({"planGraph-exec": {"plan": "plan.json", "strict": strict}}));
            sandbox
        });
        // The cache of a file that has only just changed is not used.
        std::thread::sleep(std::time::Duration::from_millis(70));
        let ask = |sandbox: &Sandbox, n: usize, tool: &str, input: &Value| {
            let session = format!("session {n}");
            let payload = json!({"session_id": session, "cwd": sandbox.root(), "hook_event_name": "PreToolUse",
                "tool_name": tool, "tool_use_id": format!("t{n}"), "tool_input": input});
            let answer = sandbox.ask("claude-code", "PreToolUse", &payload).to_string();
            // Sessions have different ids, and sandboxes different folders.
            answer.replace(&sandbox.root().display().to_string(), "ROOT")
        };
        ask(&kept, 100, "Read", &json!({"file_path": "x"}));
        let folder = kept.user_state().join("plans");
        let file = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
        let file = std::fs::read_dir(file).unwrap().next().unwrap().unwrap().path();
        for (n, (tool, input)) in calls.iter().enumerate() {
            // Without the folder nothing can be cached, so the whole plan is read.
            let _ = std::fs::remove_dir_all(whole.user_state().join("plans"));
            assert_eq!(ask(&kept, n, tool, input), ask(&whole, n, tool, input), "{tool} {input}");
        }
        assert_eq!(testkit::state_files::check(&kept.path("nothing"), &kept.user_state()), [""; 0]);
        // The cache is really used.
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replace("piece 7 of the work", "kept 7 for the test")).unwrap();
        let answer = ask(&kept, 200, "Write", &json!({"file_path": "src/p7/a", "content": "x"}));
        assert!(answer.contains("kept 7 for the test"), "{answer}");
    }
}
