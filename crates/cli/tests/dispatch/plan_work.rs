//! A piece of work under all eight modules, on three hosts: planned, delegated, executed, completed.

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::sandbox_with;

/// The payloads of a host.
struct Shape {
    host: &'static str,
    /// The host's spelling of an event.
    event: fn(&'static str) -> &'static str,
    /// The host's calls of a writing and of a searching tool.
    write: fn(&str) -> (&'static str, Value),
    search: fn() -> (&'static str, Value),
    /// Whether the search was narrowed.
    narrowed: fn(&Value) -> bool,
}

const SHAPES: [Shape; 3] = [
    Shape {
        host: "claude-code",
        event: |event| event,
        write: |path| ("Write", json!({"file_path": path, "content": "x"})),
        search: || ("Grep", json!({"pattern": "x", "output_mode": "content"})),
        narrowed: |answer| {
            let path = answer["hookSpecificOutput"]["updatedInput"]["path"].as_str();
            path.is_some_and(|path| path.ends_with("/src/api"))
        },
    },
    Shape {
        host: "vscode",
        event: |event| event,
        write: |path| ("create_file", json!({"filePath": path, "content": "x"})),
        search: || ("grep_search", json!({"query": "x", "isRegexp": false})),
        narrowed: |answer| answer["hookSpecificOutput"]["updatedInput"]["includePattern"] == "src/api/**",
    },
    Shape {
        host: "copilot-cli",
        event: |event| match event {
            "UserPromptSubmit" => "userPromptSubmitted",
            "PreToolUse" => "preToolUse",
            "PostToolUse" => "postToolUse",
            "SubagentStart" => "subagentStart",
            "SubagentStop" => "subagentStop",
            "Stop" => "agentStop",
            other => other,
        },
        write: |path| ("create", json!({"path": path, "file_text": "x"})),
        search: || ("grep", json!({"pattern": "x", "output_mode": "content"})),
        narrowed: |answer| {
            answer["modifiedArgs"]["path"].as_str().is_some_and(|path| path.ends_with("/src/api"))
        },
    },
];

/// One session of one host.
struct Work<'a> {
    sandbox: &'a Sandbox,
    shape: &'a Shape,
}

impl Work<'_> {
    fn send(&self, event: &'static str, fields: Value) -> Value {
        let root = self.sandbox.root();
        let spelled = (self.shape.event)(event);
        let mut payload = if self.shape.host == "copilot-cli" {
            json!({"sessionId": "s", "cwd": root, "timestamp": 1})
        } else {
            json!({"session_id": "s", "cwd": root, "hook_event_name": event})
        };
        if let (Value::Object(payload), Value::Object(fields)) = (&mut payload, fields) {
            payload.extend(fields);
        }
        self.sandbox.ask(self.shape.host, spelled, &payload)
    }

    fn call(&self, (tool, input): (&str, Value)) -> Value {
        let fields = if self.shape.host == "copilot-cli" {
            json!({"toolName": tool, "toolArgs": input.to_string()})
        } else {
            json!({"tool_name": tool, "tool_input": input})
        };
        self.send("PreToolUse", fields)
    }

    fn write(&self, path: &str) -> Value {
        let path = self.sandbox.path(path).display().to_string();
        self.call((self.shape.write)(&path))
    }

    /// A subagent; Copilot sends its id only when it ends.
    fn subagent(&self, event: &'static str, role: &str) -> Value {
        let id = format!("{role}-7");
        match (self.shape.host, event) {
            ("copilot-cli", "SubagentStart") => {
                self.send(event, json!({"agentName": role, "transcriptPath": "t"}))
            }
            ("copilot-cli", _) => {
                let fields =
                    json!({"agentId": id, "agentType": role, "agentName": role, "stopReason": "end_turn"});
                self.send(event, fields)
            }
            (_, "SubagentStart") => self.send(event, json!({"agent_id": id, "agent_type": role})),
            _ => self.send(event, json!({"agent_id": id, "agent_type": role, "stop_hook_active": false})),
        }
    }

    fn phase(&self) -> Value {
        self.sandbox.session().core("phase")
    }

    fn summary(&self) -> String {
        self.sandbox.session().output_text("stop-synth/summary.md").unwrap()
    }

    fn mark(&self, node: &str) {
        let marked = self.sandbox.call().args(["plan", "mark", node, "complete"]).run();
        assert_eq!(marked.code, Some(0), "{}", String::from_utf8_lossy(&marked.stderr));
    }
}

/// Returns the decision in an answer.
fn decision(answer: &Value) -> Option<&str> {
    let specific = &answer["hookSpecificOutput"];
    [
        &specific["permissionDecision"],
        &answer["permissionDecision"],
        &specific["decision"],
        &answer["decision"],
    ]
    .into_iter()
    .find_map(Value::as_str)
}

#[test]
fn work_is_planned_delegated_executed_and_closed_on_every_shape_of_host() {
    for shape in &SHAPES {
        let modules = json!({
            "plan-subagent-contract": {}, "rlm-work": {}, "memory-journal": {}, "memory-activation": {}, "stop-synth": {},
        });
        let sandbox = sandbox_with(json!({"modules": modules}));
        let work = Work { sandbox: &sandbox, shape };
        let host = shape.host;
        work.send("UserPromptSubmit", json!({"prompt": "build the form"}));
        assert_eq!(work.phase(), "PLANNING", "{host}");

        // The plan: rejected while a part is missing, then accepted.
        work.subagent("SubagentStart", "Plan");
        let folder = format!(".ai/tmp/{}/plan-subagent-contract/output/sa/Plan/a01", sandbox.session().id);
        let plan = json!({"version": 1, "nodes": [
            {"id": "api", "description": "the endpoint", "scope": "src/api/**"},
            {"id": "ui", "description": "the form", "scope": "src/ui/**", "dependencies": ["api"]},
            {"id": "old", "description": "the old form", "scope": "src/old/**", "status": "forbidden", "reason": "frozen"},
        ]});
        assert_eq!(decision(&work.write(&format!("{folder}/planGraph.json"))), None, "{host}");
        sandbox.write(format!("{folder}/planGraph.json"), plan.to_string());
        let answer = work.subagent("SubagentStop", "Plan");
        assert_eq!(decision(&answer), Some("block"), "{host}: {answer}");
        assert!(answer.to_string().contains("manifest.json` does not exist"), "{host}: {answer}");
        let manifest = json!({"version": 1, "agentId": "a01", "planGraph": "planGraph.json", "createdTs": 1});
        sandbox.write(format!("{folder}/manifest.json"), manifest.to_string());
        let answer = work.subagent("SubagentStop", "Plan");
        assert_eq!(decision(&answer), None, "{host}: {answer}");
        assert_eq!(work.phase(), "EXECUTING", "{host}");

        // Delegated: an explorer leaves its results, and the main agent gets a pointer to them.
        work.subagent("SubagentStart", "Explore");
        let explored = sandbox.session().state()["rlm"]["agents"].as_object().unwrap().clone();
        let (_, packet) = explored.iter().next().unwrap();
        sandbox.write(format!("{}/findings.md", packet["output"].as_str().unwrap()), "found");
        assert_eq!(decision(&work.subagent("SubagentStop", "Explore")), None, "{host}");

        // Executed: in the plan's order, within its scopes.
        let answer = work.write("src/ui/form.ts");
        assert_eq!(decision(&answer), Some("deny"), "{host}: {answer}");
        let answer = work.write("src/old/form.ts");
        assert!(answer.to_string().contains("frozen"), "{host}: {answer}");
        assert_eq!(decision(&work.write("src/api/form.ts")), None, "{host}");
        let answer = work.call((shape.search)());
        assert!((shape.narrowed)(&answer), "{host}: {answer}");
        work.send("Stop", json!({"stop_hook_active": false}));
        assert_eq!(work.phase(), "EXECUTING", "{host}: a node is open");
        let summary = work.summary();
        for line in ["- `api` active: the endpoint", "- `ui` pending: the form"] {
            assert!(summary.contains(line), "{host}: {summary}");
        }
        assert!(!summary.contains("- `old`"), "{host}: what is forbidden is not open: {summary}");

        // Completed: all nodes are complete, and the summary says so.
        work.mark("api");
        // Copilot gives its calls and stops no ids: equal ones within a second are the same one.
        std::thread::sleep(std::time::Duration::from_millis(1_100));
        assert_eq!(decision(&work.write("src/ui/form.ts")), None, "{host}");
        work.mark("ui");
        work.send("Stop", json!({"stop_hook_active": false}));
        assert_eq!(work.phase(), "COMPLETE", "{host}");
        let summary = work.summary();
        assert!(!summary.contains("- `api` ") && !summary.contains("- `ui` "), "{host}: {summary}");
        let kinds: Vec<Value> =
            sandbox.session().registry().iter().map(|line| line["kind"].clone()).collect();
        assert!(
            kinds.contains(&json!("planGraph")) && kinds.contains(&json!("planManifest")),
            "{host}: {kinds:?}"
        );
        sandbox.check_everything();
    }
}
