//! The variables of operations and of specifications, for events of sessions and for `emit`.

use std::fs;

use serde_json::{Value, json};

use super::stage::{Project, hook, until};

const SPEC: &str = "specs/011-custom-agent-hooks/spec.md";

/// Creates a project with the example of custom agent hooks, word for word, and an agent that writes its prompt
/// to a file.
fn documented() -> Project {
    let project = Project::new(&json!([]));
    fs::write(project.sandbox.elsewhere().join(".gitconfig"), "[user]\n\tname = john-doe\n").unwrap();
    let runner = json!({"type": "command", "command": ["sh", "-c", "cat > ../elsewhere/prompt"]});
    project.sandbox.config(&json!({"automation": {"runner": runner}}));
    let agent = "---\nid: code-reviewer\nname: Code Reviewer\ndescription: Reviews code\n---\nYou review.\n";
    project.sandbox.write(".github/agents/code-reviewer.agent.md", agent);
    let example: Value = serde_json::from_str(
        r#"{
          "id": "abc-123-def",
          "name": "Review Spec After Clarify",
          "enabled": true,
          "trigger": { "agent": "speckit", "operation": "clarify", "timing": "after" },
          "action": {
            "type": "custom",
            "parameters": {
              "agentId": "local:code-reviewer",
              "agentType": "local",
              "agentName": "code-reviewer",
              "prompt": "Review the clarified spec",
              "arguments": "Spec ID: {specId}, Changed by: {changeAuthor}, Timestamp: {timestamp}"
            }
          },
          "createdAt": 1706267400000,
          "modifiedAt": 1706267400000,
          "executionCount": 5
        }"#,
    )
    .unwrap();
    project.sandbox.write(".vscode/gatomia/hooks.json", json!([example]).to_string());
    project.sandbox.write(SPEC, "# X\n\n**Status**: draft\n");
    project.sandbox.trust();
    project
}

#[test]
fn the_example_of_the_document_gets_its_specification_and_its_author() {
    let project = documented();
    let (code, _, stderr) = project.run(&["automation", "validate"]);
    assert!(code == 0 && stderr.contains("0 errors, 0 warnings"), "{stderr}");
    let _server = project.serve();
    let in_session = |event: &str, more: &Value| {
        let mut payload = json!({ "session_id": "one" });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        project.sandbox.raw(event, &payload);
    };
    in_session("UserPromptSubmit", &json!({ "prompt": "/speckit.clarify" }));
    in_session("Stop", &json!({}));
    let prompt = || project.read("../elsewhere/prompt");
    until("the agent got the prompt", || prompt().contains("Timestamp: 2"));
    let expected =
        "Review the clarified spec\n\nSpec ID: 011-custom-agent-hooks, Changed by: john-doe, Timestamp: 2";
    assert!(prompt().contains(expected), "{}", prompt());
}

#[test]
fn statuses_are_those_before_the_operation_and_after_it() {
    let project = documented();
    let mut after = hook("after", "speckit.plan", "cat > ../elsewhere/after");
    after["prompt"] =
        "{specId} {specPath} {oldStatus}>{newStatus} by {changeAuthor} in {sessionId} of {hostName}".into();
    project.declare(&json!([after]));
    let _server = project.serve();
    project.sandbox.raw("UserPromptSubmit", &json!({"session_id": "one", "prompt": "/speckit.plan now"}));
    until("the request is read", || project.read(".ai/tmp/automation/queue.jsonl").contains("followed"));
    std::thread::sleep(std::time::Duration::from_millis(500));
    project.sandbox.write(SPEC, "# X\n\n**Status**: review\n");
    project.sandbox.raw("Stop", &json!({"session_id": "one"}));
    until("the operation is done", || project.read("../elsewhere/after").contains(" of raw"));
    let told = project.read("../elsewhere/after");
    let path = project.sandbox.path(SPEC);
    let expected = format!("011-custom-agent-hooks {} draft>review by john-doe in ", path.display());
    assert!(told.starts_with(&expected), "{told}");
}

#[test]
fn data_of_emit_reaches_every_template_and_an_empty_variable_warns() {
    let project = documented();
    let note = "cat >> ../elsewhere/seen; echo >> ../elsewhere/seen";
    let mut hooks = Vec::new();
    for (id, trigger) in
        [("op", "speckit.tasks"), ("status", "specStatusChange"), ("host", "Stop"), ("own", "mine")]
    {
        let mut it = hook(id, trigger, note);
        it["prompt"] = format!("{id}: {{reason}} {{specId}} {{changeAuthor}} <{{nothing}}{{empty}}>").into();
        hooks.push(it);
    }
    project.declare(&json!(hooks));
    let _server = project.serve();
    let data = json!({"reason": "why not", "specId": "012", "newStatus": "done", "changeAuthor": "Eve", "empty": ""});
    for trigger in ["speckit.tasks", "specStatusChange", "Stop", "mine"] {
        let emitted = project.run(&["emit", trigger, "--file", SPEC, "--data", &data.to_string()]);
        assert_eq!(emitted.0, 0, "{}", emitted.2);
    }
    until("all ran", || project.runs(&[]).len() == 4);
    let mut seen: Vec<String> = project.read("../elsewhere/seen").lines().map(str::to_owned).collect();
    seen.sort();
    let expected = ["host", "op", "own", "status"].map(|id| format!("{id}: why not 012 Eve <>"));
    assert_eq!(seen, expected);
    for run in project.runs(&[]) {
        for name in ["nothing", "empty"] {
            let warning = format!("[warning] {{{name}}} has no value here");
            assert!(run["logs"].as_str().unwrap().contains(&warning), "{run}");
        }
    }
}
