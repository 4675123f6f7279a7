//! The commands about automations, with and without a server.

use serde_json::{Value, json};

use super::stage::{Project, hook, until};

fn listed(project: &Project) -> Value {
    project.json(&["automation", "list", "--json"])["automations"][0].clone()
}

#[test]
fn an_automation_is_run_by_hand_with_and_without_a_server() {
    let mut go = hook("go", "x", "echo by hand");
    go["prompt"] = "now".into();
    let project = Project::new(&json!([go, hook("bad", "x", "exit 3")]));
    let check = |project: &Project| {
        let (code, stdout, stderr) = project.run(&["automation", "run", "go"]);
        assert_eq!((code, stdout.as_str()), (0, "by hand\n"), "{stderr}");
        assert_eq!(project.run(&["automation", "run", "bad"]).0, 1);
        assert_eq!(project.run(&["automation", "run", "absent"]).0, 1);
        let record = project.json(&["automation", "run", "go", "--json"]);
        assert_eq!(record["status"], "success");
    };
    check(&project);
    assert_eq!(project.runs(&[]).len(), 3);
    let _server = project.serve();
    check(&project);
    assert_eq!(project.runs(&["--hook", "go"]).len(), 4);
}

#[test]
fn an_automation_is_switched_off_and_on_under_a_server() {
    let project = Project::new(&json!([hook("go", "x", "echo ran >> ran")]));
    assert_eq!(project.run(&["automation", "disable", "go"]).0, 0);
    assert_eq!(listed(&project)["enabled"], false);
    assert_eq!(project.run(&["automation", "enable", "go"]).0, 0);
    let _server = project.serve();
    assert_eq!(project.run(&["automation", "disable", "go"]).0, 0);
    until("it is off", || project.log("RELOADED").last().is_some_and(|it| it.starts_with("0 ")));
    assert_eq!(project.run(&["emit", "x"]).0, 0);
    assert_eq!(project.run(&["automation", "enable", "go"]).0, 0);
    until("it is on", || project.log("RELOADED").last().is_some_and(|it| it.starts_with("1 ")));
    assert_eq!(listed(&project)["enabled"], true);
    assert_eq!(project.run(&["emit", "x"]).0, 0);
    until("it ran", || project.read("ran").starts_with("ran\n"));
    assert_eq!(project.read("ran"), "ran\n", "an event emitted while it was off triggers nothing");
}
