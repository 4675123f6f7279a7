//! A server under resource limits of the system.

use std::fs;
use std::process::Stdio;

use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::json;

use super::stage::{Project, Server, hook, until};

#[test]
fn with_too_few_watches_files_are_polled_and_every_command_warns() {
    let mut on_save = hook("note", "onDidSaveTextDocument", "cat >> ran; echo >> ran");
    on_save["pattern"] = "src/**".into();
    let project = Project::new(&json!([on_save]));
    for n in 0..9 {
        project.sandbox.write(format!("src/folder{n}/begin.txt"), "");
    }
    let mut command = project.command();
    command.args(["serve", "--json", "--no-web", "--max-watches", "4"]);
    let _server = project.begin(command);
    let told = project.log("WATCH_LIMIT");
    assert!(told.len() == 1 && told[0].contains("polling files every few seconds"), "{told:?}");

    for n in 0..9 {
        project.sandbox.write(format!("src/folder{n}/saved{n}.txt"), "");
    }
    until("every save is seen", || project.runs(&["--status", "success"]).len() == 9);

    let server = &project.json(&["automation", "list", "--json"])["server"]["unwatched"];
    assert_eq!(server["code"], "WATCH_LIMIT");
    assert!(project.run(&["automation", "list"]).2.contains("(WATCH_LIMIT)"));
    assert!(project.run(&["doctor"]).1.contains("(WATCH_LIMIT)"));
    assert_eq!(project.log("WATCH_LIMIT").len(), 1, "told once");
}

/// Limits the size of files that a server can write, as if the disk were full.
fn let_files_grow_to(server: &Server, bytes: Option<u64>) {
    let pid = Pid::from_raw(server.0.id().try_into().unwrap());
    prlimit(pid, Resource::Fsize, Rlimit { current: bytes, maximum: None }).unwrap();
}

#[test]
fn on_a_full_disk_a_server_keeps_running_warns_and_catches_up_later() {
    let mut on_save = hook("note", "onDidSaveTextDocument", "cat >> saved; echo >> saved");
    on_save["pattern"] = "src/**".into();
    let project = Project::new(&json!([on_save, hook("count", "tick", "echo tick >> ran")]));
    let mut command = project.command();
    // Without this the system kills a process that writes too much, unlike a full disk.
    let script = "trap '' XFSZ; exec \"$0\" serve --json --no-web";
    let binary = command.get_program().to_owned();
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", script]).arg(binary).current_dir(project.sandbox.root()).stdin(Stdio::null());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    command = shell;
    let server = project.begin(command);
    assert_eq!(project.run(&["emit", "tick"]).0, 0);
    until("the first is over", || project.runs(&[]).len() == 1);

    let queue = project.sandbox.path(".ai/tmp/automation/queue.jsonl");
    let_files_grow_to(&server, Some(fs::metadata(&queue).unwrap().len()));
    project.sandbox.write("src/a.txt", "");
    until("it says so", || !project.log("QUEUE").is_empty());
    assert_eq!(project.run(&["emit", "tick"]).0, 0, "others have room");
    assert_eq!(project.runs(&[]).len(), 1, "nothing runs without a record");

    let_files_grow_to(&server, None);
    until("it says that all is well", || project.log("QUEUE_AGAIN").len() == 1);
    until("all is made up for", || project.runs(&["--status", "success"]).len() == 3);
    assert_eq!(
        (project.read("saved").as_str(), project.read("ran").as_str()),
        ("about a.txt\n", "tick\ntick\n")
    );
    assert_eq!(server.stop(), Some(0));
}
