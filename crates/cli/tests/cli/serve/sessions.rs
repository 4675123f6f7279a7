//! Triggers from the journals of sessions.

use serde_json::json;

use super::stage::{Project, hook, until};

#[test]
fn events_of_any_session_and_operations_of_a_turn_trigger_runs() {
    let note = "echo \"$(cat)\" >> ../elsewhere/seen";
    let mut stop = hook("stop", "Stop", note);
    stop["prompt"] = "{eventName} of {hostName}".into();
    let mut before = hook("before", "speckit.clarify:before", note);
    before["prompt"] = "{operation} {timing}".into();
    let mut after = hook("after", "speckit.clarify", note);
    after["prompt"] = "{operation} {timing}".into();
    let project = Project::new(&json!([stop, before, after]));
    let _server = project.serve();
    let seen = || {
        let mut lines: Vec<String> = project.read("../elsewhere/seen").lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let in_session = |id: &str, event: &str, more: serde_json::Value| {
        let mut payload = json!({ "session_id": id });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        project.sandbox.raw(event, &payload);
    };
    in_session("one", "UserPromptSubmit", json!({ "prompt": "/speckit.clarify the spec" }));
    until("the operation has begun", || seen() == ["clarify before"]);
    in_session("one", "Stop", json!({}));
    until("it is done", || seen() == ["Stop of raw", "clarify after", "clarify before"]);
    in_session("two", "Stop", json!({}));
    until("another session ends its turn", || {
        seen() == ["Stop of raw", "Stop of raw", "clarify after", "clarify before"]
    });
}
