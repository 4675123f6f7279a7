//! Intents that only observe, and the preview of their refusals.

use std::fs;

use serde_json::{Value, json};

use crate::sandbox;

const INTENTS: &str =
    "intents:\n  - id: INT-001\n    name: Cart\n    status: PENDING\n    owned_scope: [src/**]\n";

fn write(path: &str, id: &str) -> Value {
    json!({"tool_name": "Write", "tool_use_id": id, "tool_input": {"file_path": path, "content": "x"}})
}

#[test]
fn observing_intents_record_what_they_would_refuse_and_refuse_nothing() {
    let sandbox = sandbox();
    sandbox.write(".orchestration/active_intents.yaml", INTENTS);
    let calls = [write("src/a.rs", "1"), write("package.json", "2")];
    for call in &calls {
        assert_eq!(sandbox.raw("PreToolUse", call)["decision"], "deny", "{call}");
    }
    sandbox.config(&json!({"intent": {"mode": "observe"}}));
    for (n, path) in ["src/a.rs", "package.json"].into_iter().enumerate() {
        let answer = sandbox.raw("PreToolUse", &write(path, &format!("o{n}")));
        assert_eq!(answer["decision"], "allow", "{answer}");
        assert!(answer["warnings"].to_string().contains("would have been refused"), "{answer}");
    }
    let shell = json!({"tool_name": "Bash", "tool_use_id": "s", "tool_input": {"command": "npm test"}});
    assert_eq!(sandbox.raw("PreToolUse", &shell)["decision"], "allow");
    let protected = sandbox.raw("PreToolUse", &write(".ai/hooks/config.json", "p"));
    assert_eq!(protected["decision"], "deny", "the shell guard protects the settings: {protected}");
    let denied = sandbox.session().events_of("INTENT_DENIED");
    let observed = denied.iter().filter(|line| line["data"]["observed"] == true).count();
    assert_eq!((denied.len(), observed), (6, 4), "{denied:?}");
    sandbox.check_everything();
}

#[test]
fn the_preview_lists_the_calls_that_the_selected_intent_would_refuse() {
    for (selects, expected) in
        [(false, vec!["src/a.rs", "package.json", "src/b.rs"]), (true, vec!["package.json"])]
    {
        let sandbox = sandbox();
        let file = ".orchestration/active_intents.yaml";
        if selects {
            // Before any call: afterwards this process is an agent program, which may not select.
            sandbox.write(file, INTENTS);
            let selected = sandbox.call().args(["intent", "select", "INT-001"]).run();
            assert_eq!(selected.code, Some(0), "{selected:?}");
            fs::remove_file(sandbox.path(file)).unwrap();
        }
        for (n, path) in ["src/a.rs", "package.json", "src/b.rs"].into_iter().enumerate() {
            assert_eq!(sandbox.raw("PreToolUse", &write(path, &n.to_string()))["decision"], "allow");
        }
        sandbox.write(file, INTENTS);
        sandbox.config(&json!({"intent": {"mode": "observe"}}));
        let answer = sandbox.call().args(["intent", "preview", "--json"]).run();
        let preview: Value = serde_json::from_slice(&answer.stdout).unwrap();
        let refused = preview["refused"].as_array().unwrap().iter();
        let refused: Vec<&str> = refused.map(|it| it["target"].as_str().unwrap()).collect();
        assert_eq!((refused, &preview["calls"]), (expected, &json!(3)));
    }
}
