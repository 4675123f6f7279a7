//! How a server starts, its state, and how it stops.

use std::fs;

use serde_json::json;

use super::stage::{Project, hook, until};

#[test]
fn a_second_server_says_where_the_first_is() {
    let project = Project::new(&json!([]));
    let server = project.serve();
    let (code, _, stderr) = project.run(&["serve"]);
    assert_eq!(code, 1);
    let page = format!("http://127.0.0.1:{}/", project.holder()["port"]);
    assert!(stderr.contains(&format!("process {}", server.0.id())) && stderr.contains(&page), "{stderr}");
    server.kill();
    drop(project.serve());
}

#[test]
fn what_is_emitted_while_no_server_runs_is_run_by_the_next_one() {
    let project = Project::new(&json!([hook("go", "deploy", "echo ran >> ran")]));
    assert_eq!(project.run(&["emit", "deploy"]).0, 0);
    let _server = project.serve();
    until("it ran", || project.read("ran") == "ran\n");
}

#[test]
fn a_server_that_is_asked_to_leave_lets_runs_end_and_keeps_the_queue() {
    let wait = "echo begun >> order; until [ -e go ]; do sleep 0.05; done; echo ended >> order";
    let mut one_by_one = hook("go", "tick", wait);
    one_by_one["concurrency"] = 1.into();
    let project = Project::new(&json!([one_by_one]));
    let server = project.serve();
    assert_eq!(project.run(&["emit", "tick"]).0, 0);
    until("the first run is running", || project.read("order") == "begun\n");
    assert_eq!(project.run(&["emit", "tick"]).0, 0);
    until("the second run waits", || project.page("/metrics").contains("steersman_queue_length 1"));
    let leaving = std::thread::spawn(move || server.stop());
    until("it says that it leaves", || project.log("STOPPING").len() == 1);
    project.sandbox.write("go", "");
    assert_eq!(leaving.join().unwrap(), Some(0));
    assert_eq!(project.read("order"), "begun\nended\n");
    assert_eq!(project.runs(&["--status", "success"]).len(), 1);
    let _server = project.serve();
    until("the next server does the second", || project.read("order") == "begun\nended\nbegun\nended\n");
}

#[test]
fn a_server_leaves_when_its_workspace_is_gone() {
    let project = Project::new(&json!([hook("go", "tick", "echo ran")]));
    let mut server = project.serve();
    until("it is removed", || {
        let _again = fs::remove_dir_all(project.sandbox.root());
        !project.sandbox.root().exists()
    });
    assert_eq!(server.0.wait().unwrap().code(), Some(0));
    assert_eq!(project.log("WORKSPACE_GONE").len(), 1);
    assert!(!project.sandbox.root().exists(), "it is not made again");
}

#[test]
fn nothing_runs_until_the_workspace_is_trusted_and_again_when_its_file_changes() {
    let project = Project::new(&json!([hook("go", "x", "echo ran >> ran")]));
    let changed = json!({ "schemaVersion": 1, "hooks": [hook("go", "x", "echo changed >> ran")] });
    project.sandbox.write(".akira/hooks.json", changed.to_string());
    let (code, _, stderr) = project.run(&["automation", "run", "go"]);
    assert!(code == 1 && stderr.contains("changed since you trusted it"), "{stderr}");
    let _server = project.serve();
    assert_eq!(project.run(&["emit", "x"]).0, 0);
    until("the run waits", || project.page("/metrics").contains("steersman_queue_length 1"));
    assert_eq!((project.log("NOT_TRUSTED").len(), project.read("ran").as_str()), (1, ""));
    project.sandbox.trust();
    until("it runs once it is trusted", || project.read("ran") == "changed\n");
}

/// No file of the workspace changes when a person takes the trust back.
#[test]
fn a_running_server_starts_no_run_after_untrust() {
    let project = Project::new(&json!([hook("go", "x", "echo ran >> ran")]));
    let _server = project.serve();
    assert_eq!(project.run(&["emit", "x"]).0, 0);
    until("it runs while it is trusted", || project.read("ran") == "ran\n");
    assert_eq!(project.run(&["untrust"]).0, 0);
    until("the server notices", || project.log("NOT_TRUSTED").len() == 1);
    assert_eq!(project.run(&["emit", "x"]).0, 0);
    until("the run stays queued", || project.page("/metrics").contains("steersman_queue_length 1"));
    assert_eq!(project.read("ran"), "ran\n");
    project.sandbox.trust();
    until("it runs once it is trusted again", || project.read("ran") == "ran\nran\n");
}

#[test]
fn a_configuration_that_breaks_leaves_the_last_valid_one_in_force() {
    let project = Project::new(&json!([hook("go", "x", "echo one >> ran")]));
    let _server = project.serve();
    let valid = project.read(".akira/hooks.json");
    project.sandbox.write(".akira/hooks.json", "{ \"hooks\": [");
    until("it says so", || project.log("CONFIGURATION_KEPT").len() == 1);
    project.sandbox.write(".akira/hooks.json", valid);
    assert_eq!(project.run(&["emit", "x"]).0, 0);
    until("it continues", || project.read("ran") == "one\n");
    let n_reloads = project.log("RELOADED").len();
    project.declare(&json!([hook("go", "x", "echo two >> ran")]));
    until("a new one is read", || project.log("RELOADED").len() > n_reloads);
    assert_eq!(project.run(&["emit", "x"]).0, 0);
    until("and holds", || project.read("ran") == "one\ntwo\n");
}
