//! Follow-up rules and accepted memories add context to matching calls.

use std::fs;

use serde_json::{Value, json};
use testkit::{Sandbox, schema};

use crate::{reading, sandbox_with, shell};

const RULES: &str = ".ai/hooks/followup-rules.json";

fn sandbox() -> Sandbox {
    sandbox_with(json!({"modules": {"memory-activation": {}}}))
}

fn with_rules(rules: &Value) -> Sandbox {
    let file = json!({"version": 1, "rules": rules});
    schema::check("followup-rules", &file);
    let sandbox = sandbox();
    sandbox.write(RULES, file.to_string());
    sandbox
}

fn npm(id: &str) -> Value {
    shell(id, "npm install left-pad")
}

fn rule(action: &Value) -> Value {
    json!({
        "id": "pnpm", "when": [{"field": "event.command", "op": "matches", "value": "^npm "}], "action": action,
        "match": [{"event": {"command": "npm ci"}}], "not_match": [{"event": {"command": "pnpm ci"}}],
    })
}

fn memory(id: &str, head: &str, text: &str) -> String {
    format!("---\nid: {id}\ntitle: About {id}\n{head}\n---\n\n{text}\n")
}

/// Returns the context that the model gets at an event.
fn context(sandbox: &Sandbox, event: &str, call: &Value) -> Vec<String> {
    let answer = sandbox.raw(event, call);
    let notes = answer["additionalContext"].as_array().cloned().unwrap_or_default();
    notes.iter().map(|note| note["value"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn each_action_does_what_it_says() {
    let text = "Use pnpm. Instead: `pnpm add left-pad`.";
    for kind in ["inject_context", "warn", "ask"] {
        let sandbox = with_rules(&json!([rule(&json!({"type": kind, "text": text}))]));
        let answer = sandbox.raw("PreToolUse", &npm("1"));
        let (decision, place) = match kind {
            "inject_context" => ("allow", &answer["additionalContext"][0]["value"]),
            "warn" => ("allow", &answer["warnings"][0]),
            _ => ("ask", &answer["reason"]),
        };
        assert_eq!(answer["decision"], decision, "{kind}");
        assert!(place.as_str().unwrap().starts_with(text), "{kind}: {answer}");
        let fired = sandbox.session().events_of("FOLLOWUP_FIRED");
        assert_eq!(fired[0]["data"], json!({"rule": "pnpm", "action": kind}));
        assert_eq!(sandbox.raw("PreToolUse", &shell("2", "pnpm install"))["decision"], "allow");
        assert_eq!(sandbox.session().events_of("FOLLOWUP_FIRED").len(), 1, "{kind}");
        sandbox.check_everything();
    }
}

#[test]
fn conditions_look_at_the_event_the_input_and_the_state() {
    let say =
        |id: &str, when: &Value| json!({"id": id, "when": when, "action": {"type": "warn", "text": id}});
    let condition = |field: &str, op: &str, value: Value| json!({"field": field, "op": op, "value": value});
    let sandbox = with_rules(&json!([
        say("tool", &json!([condition("event.toolName", "eq", json!("Read"))])),
        say("input", &json!([condition("input.file_path", "contains", json!("secret"))])),
        say("phase", &json!([condition("state.core.phase", "eq", json!("PLANNING"))])),
        say(
            "absent",
            &json!([
                condition("input.limit", "notExists", json!(null)),
                condition("event.toolKind", "neq", json!("shell"))
            ])
        ),
        say("path", &json!([condition("event.paths", "contains", json!("secret.txt"))])),
        say(
            "failed",
            &json!([
                condition("event.ok", "eq", json!(false)),
                condition("event.error", "contains", json!("denied"))
            ])
        ),
    ]));
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "go"}));
    let fired = |event: &str, call: &Value| {
        let warnings = sandbox.raw(event, call)["warnings"].as_array().cloned().unwrap_or_default();
        let ids = warnings.iter().map(|text| text.as_str().unwrap().split(' ').next().unwrap().to_owned());
        ids.collect::<Vec<_>>()
    };
    assert_eq!(
        fired("PreToolUse", &reading("1", "secret.txt")),
        ["tool", "input", "phase", "absent", "path"]
    );
    assert_eq!(fired("PreToolUse", &shell("2", "ls")), ["phase"]);
    let mut failed = shell("3", "cat x");
    failed["error"] = json!("permission denied");
    assert_eq!(fired("PostToolUse", &failed), ["phase", "failed"]);
}

#[test]
fn a_rule_waits_out_its_cooldown() {
    for (cooldown, same_work, next_work) in [
        (json!({}), 1, 1),
        (json!({"oncePer": "session"}), 0, 0),
        (json!({"oncePer": "work"}), 0, 1),
        (json!({"seconds": 3600}), 0, 0),
    ] {
        let mut rule = rule(&json!({"type": "inject_context", "text": "Use pnpm."}));
        rule["cooldown"] = cooldown.clone();
        let sandbox = with_rules(&json!([rule]));
        sandbox.raw("UserPromptSubmit", &json!({"prompt": "go"}));
        assert_eq!(context(&sandbox, "PreToolUse", &npm("1")).len(), 1, "{cooldown}");
        assert_eq!(context(&sandbox, "PreToolUse", &npm("2")).len(), same_work, "{cooldown}");
        sandbox.raw("Stop", &json!({}));
        sandbox.raw("UserPromptSubmit", &json!({"prompt": "and now"}));
        assert_eq!(sandbox.session().core("workId"), "w002");
        assert_eq!(context(&sandbox, "PreToolUse", &npm("3")).len(), next_work, "{cooldown}");
        sandbox.check_everything();
    }
}

#[test]
fn an_automation_is_asked_for_by_one_line_in_its_queue() {
    let mut rule = rule(&json!({"type": "enqueue_automation", "automation": "audit-dependencies"}));
    rule["events"] = json!(["PostToolUse"]);
    let sandbox = with_rules(&json!([rule]));
    sandbox.raw("PreToolUse", &npm("1"));
    assert!(sandbox.session().events_of("AUTOMATION_REQUESTED").is_empty());
    sandbox.raw("PostToolUse", &npm("1"));
    let session = sandbox.session();
    let requested = session.events_of("AUTOMATION_REQUESTED");
    assert_eq!(requested[0]["data"]["hook"], "audit-dependencies");
    let (workspace, _) = store::Workspace::open(event::AbsPath::new(sandbox.root()).unwrap());
    let queue = fs::read_to_string(workspace.automation_queue().as_path()).unwrap();
    let lines: Vec<Value> = queue.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 1, "{queue}");
    assert_eq!(
        (&lines[0]["type"], &lines[0]["run"]["hook"]),
        (&json!("queued"), &json!("audit-dependencies"))
    );
    assert_eq!(lines[0]["run"]["id"], requested[0]["data"]["id"]);
    assert_eq!(lines[0]["run"]["occurrence"]["data"]["session"], session.id);
}

#[test]
fn matching_memories_are_added_once_per_work_and_within_their_size() {
    let sandbox = sandbox();
    sandbox.write(".ai/memory/README.md", "For people.");
    sandbox
        .write(".ai/memory/a.md", memory("paths", "paths: [\"migrations/**\"]", "Never edit a migration."));
    sandbox.write(".ai/memory/b.md", memory("words", "words: [\"npm install\"]", "We use pnpm."));
    sandbox.write(".ai/memory/c.md", memory("none", "words: []", "Fits nothing."));
    assert_eq!(context(&sandbox, "PreToolUse", &reading("1", "src/a.rs")), Vec::<String>::new());
    let first = context(&sandbox, "PreToolUse", &reading("2", "migrations/001.sql"));
    assert_eq!(first, ["Remember: About paths\nNever edit a migration."]);
    assert_eq!(context(&sandbox, "PreToolUse", &npm("3")), ["Remember: About words\nWe use pnpm."]);
    assert_eq!(context(&sandbox, "PreToolUse", &npm("4")), Vec::<String>::new());
    assert_eq!(context(&sandbox, "PostToolUse", &npm("5")), Vec::<String>::new());
    let session = sandbox.session();
    assert_eq!(session.events_of("MEMORY_TOLD").len(), 2);
    assert_eq!(session.state()["memory"]["told"]["words"], "w001");
    sandbox.check_everything();
}

#[test]
fn the_added_context_stays_within_the_budget() {
    let sandbox = sandbox();
    for number in 0..9 {
        let text = "x".repeat(300);
        sandbox.write(
            format!(".ai/memory/{number}.md"),
            memory(&format!("m{number}"), "words: [\"npm\"]", &text),
        );
    }
    for (settings, most) in
        [(json!({}), 3), (json!({"maxMemories": 9, "maxBytes": 700}), 2), (json!({"maxMemories": 0}), 0)]
    {
        sandbox.config(&json!({"memory-activation": settings}));
        let mut call = npm("1");
        call["session_id"] = json!(settings.to_string());
        let notes = context(&sandbox, "PreToolUse", &call);
        assert_eq!(notes.len(), most, "{settings}");
        assert!(notes.iter().map(String::len).sum::<usize>() <= 2000);
    }
}

#[test]
fn a_host_without_a_field_for_it_gets_the_context_after_the_call() {
    let sandbox = sandbox();
    sandbox.write(".ai/memory/b.md", memory("words", "words: [\"npm install\"]", "We use pnpm."));
    let payload = |event: &str| {
        json!({"hook_event_name": event, "session_id": "g", "cwd": sandbox.root(), "tool_name": "run_shell_command",
            "tool_input": {"command": "npm install"}, "tool_response": {"llmContent": "ok", "returnDisplay": "ok"}})
    };
    let before = sandbox.ask("gemini", "BeforeTool", &payload("BeforeTool"));
    assert!(!before.to_string().contains("We use pnpm."), "{before}");
    let after = sandbox.ask("gemini", "AfterTool", &payload("AfterTool"));
    assert!(after.to_string().contains("We use pnpm."), "{after}");
}

#[test]
fn a_broken_file_disables_the_module_with_one_warning_and_nothing_else_stops() {
    let broken_rule = json!({"rules": [{"id": "a", "when": [], "action": {"type": "warn", "text": "x"},
        "not_match": [{}]}]});
    for (file, text, place) in [
        (RULES, "{\"rules\": [\n{]}".to_owned(), "followup-rules.json`, line 2, column 2"),
        (RULES, broken_rule.to_string(), "line 1, column"),
        (".ai/memory/b.md", "---\nid: b\nwords: npm\n---\n".to_owned(), "b.md`, line 3, column 8"),
        (".ai/memory/b.md", "missing front matter".to_owned(), "b.md`, line 1, column 1"),
    ] {
        let sandbox = sandbox();
        sandbox.write(file, &text);
        let answer = sandbox.raw("PreToolUse", &npm("1"));
        let warnings = answer["warnings"].as_array().unwrap();
        assert_eq!((warnings.len(), answer["decision"].as_str()), (1, Some("allow")), "{answer}");
        assert!(warnings[0].as_str().unwrap().contains(place), "{answer}");
        assert_eq!(sandbox.raw("PreToolUse", &shell("2", "rm -rf /"))["decision"], "deny");
        assert!(sandbox.session().events_of("ERROR_MODULE").is_empty());
        sandbox.check_everything();
    }
}

#[test]
fn a_mistake_beside_a_rule_that_denies_does_not_switch_it_off() {
    let guard = rule(&json!({"type": "deny", "text": "Use pnpm."}));
    let typo = json!({"id": "b", "when": [], "action": {"type": "wran", "text": "x"}});
    let sandbox = sandbox();
    sandbox.write(RULES, format!("{{\"rules\": [{guard},\n{typo}]}}"));
    sandbox.write(".ai/memory/b.md", "missing front matter");
    let answer = sandbox.raw("PreToolUse", &npm("1"));
    assert_eq!(answer["decision"], "deny", "{answer}");
    let warnings = answer["warnings"].to_string();
    for part in ["followup-rules.json`, line 2, column ", "the other rules apply", "b.md`, line 1, column 1"]
    {
        assert!(warnings.contains(part), "{part}: {answer}");
    }
    assert_eq!(sandbox.raw("PreToolUse", &shell("2", "pnpm test"))["decision"], "allow");
}

#[test]
fn calls_that_unreadable_rules_may_deny_are_held() {
    let guard = rule(&json!({"type": "deny", "text": "Use pnpm."}));
    let text = format!("{{\"rules\": [{guard},,]}}");
    for (on_fault, decision) in [("abstain", "ask"), ("deny", "deny")] {
        let sandbox = sandbox_with(json!({"onFault": on_fault, "modules": {"memory-activation": {}}}));
        sandbox.write(RULES, &text);
        let write = json!({"tool_use_id": "w", "tool_name": "Write", "tool_input": {"file_path": "a.txt", "content": "x"}});
        for (call, expected) in [
            (npm("1"), decision),
            (write, decision),
            (shell("2", "ls src"), "allow"),
            (reading("3", "a.txt"), "allow"),
        ] {
            let answer = sandbox.raw("PreToolUse", &call);
            assert_eq!(answer["decision"], expected, "{call}: {answer}");
            assert!(
                answer["warnings"].to_string().contains("followup-rules.json`, line 1, column "),
                "{answer}"
            );
        }
        let reason = sandbox.raw("PreToolUse", &npm("4"))["reason"].to_string();
        assert!(reason.contains("cannot read the rules") && reason.contains("column"), "{reason}");
        sandbox.check_everything();
    }
}

#[test]
fn a_replay_queues_nothing() {
    let sandbox = with_rules(&json!([rule(&json!({"type": "enqueue_automation", "automation": "audit"}))]));
    sandbox.raw("PreToolUse", &npm("1"));
    let before = sandbox.tree();
    let sid = sandbox.session().id;
    let answer = sandbox.call().args(["session", "replay", &sid]).run();
    assert_eq!(answer.code, Some(0), "{}", String::from_utf8_lossy(&answer.stderr));
    assert_eq!(before.changes(&sandbox.tree()), Vec::<std::path::PathBuf>::new());
}
