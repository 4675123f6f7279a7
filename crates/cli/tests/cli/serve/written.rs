//! Everything that a server writes conforms to its schema.

use std::fs;

use serde_json::{Value, json};
use testkit::schema;

use super::stage::{Project, hook, until};

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect()
}

#[test]
fn what_a_server_writes_about_itself_and_its_runs_is_what_the_schemas_say() {
    let mut twice = hook("twice", "go", "echo trouble >&2; exit 3");
    twice["retry"] = json!({"count": 1, "backoffMs": 1});
    let slow = hook("slow", "wait", "echo begun; touch begun; sleep 600");
    let project = Project::new(&json!([hook("fine", "go", "echo done"), twice, slow]));
    let server = project.serve();
    assert_eq!(project.run(&["emit", "go"]).0, 0);
    until("both have ended", || project.runs(&[]).len() == 2);
    assert_eq!(project.run(&["emit", "wait"]).0, 0);
    until("its output is written", || project.read(".ai/tmp/automation/queue.jsonl").contains("printed"));
    assert_eq!(project.run(&["automation", "cancel", "--all"]).0, 0);
    until("it was stopped", || project.runs(&["--status", "canceled"]).len() == 1);
    assert_eq!(project.run(&["agent", "list"]).0, 0);
    project.sandbox.write(".akira/hooks.json", "{");
    until("the mistake is reported", || !project.log("CONFIGURATION").is_empty());
    schema::check("automation-server", &project.holder());
    assert_eq!(server.stop(), Some(0));

    let journal = lines(&project.read(".ai/tmp/automation/queue.jsonl"));
    let kinds = ["occurred", "matched", "queued", "started", "entered", "failed", "printed", "cancel-asked"];
    for kind in kinds.into_iter().chain(["finished"]) {
        assert!(journal.iter().any(|line| line["type"] == kind), "no line is of the kind {kind}");
    }
    for line in &journal {
        schema::check("automation-queue", line);
    }
    for record in project.runs(&[]) {
        schema::check("execution-record", &record);
    }
    let told = lines(&project.read("../elsewhere/serve.log"));
    assert!(told.iter().any(|line| line["level"] == "warning") && told.len() > 3, "{told:?}");
    for line in &told {
        schema::check("serve-line", line);
    }
    let json = |text: String| serde_json::from_str::<Value>(&text).unwrap();
    schema::check("agent-registry", &json(project.read(".ai/tmp/agents.json")));
    let trust = fs::read_to_string(project.sandbox.user_state().join("trust.json")).unwrap();
    schema::check("trust", &json(trust));
}
