//! The output of runs while they run, and commands that wait for a run.

use std::fs::{self, File};
use std::io::Write;
use std::process::Child;

use serde_json::{Value, json};

use super::stage::{Project, Server, hook, until};

/// Prints a line, waits for a file, and prints another line.
const SLOW: &str =
    "echo first; echo trouble >&2; touch begun; until [ -e go ]; do sleep 0.05; done; echo last";

/// Starts a command whose output goes into a file outside the workspace.
fn begin(project: &Project, args: &[&str], file: &str) -> Child {
    let output = File::create(project.sandbox.elsewhere().join(file)).unwrap();
    project.command().args(args).stdout(output.try_clone().unwrap()).stderr(output).spawn().unwrap()
}

fn said(project: &Project, file: &str) -> String {
    project.read(format!("../elsewhere/{file}"))
}

/// Returns the only run.
fn only_run(project: &Project) -> String {
    let (_, lines, _) = project.run(&["automation", "logs", "--json"]);
    let of =
        |line: &str| serde_json::from_str::<Value>(line).unwrap()["run"]["id"].as_str().map(str::to_owned);
    lines.lines().find_map(of).unwrap()
}

#[test]
fn what_a_run_prints_is_followed_while_it_works_until_its_end() {
    let project = Project::new(&json!([hook("slow", "go", SLOW)]));
    let _server = project.serve();
    assert_eq!(project.run(&["emit", "go"]).0, 0);
    until("it is running", || project.sandbox.path("begun").exists());
    let run = only_run(&project);
    let mut following = begin(&project, &["automation", "logs", "-f", &run], "followed");
    until("its output is seen", || {
        let said = said(&project, "followed");
        said.contains("| first\n") && said.contains("! trouble\n")
    });
    assert_eq!(following.try_wait().unwrap(), None);
    project.sandbox.write("go", "");
    assert_eq!(following.wait().unwrap().code(), Some(0), "the end of the run is the end of following it");
    let said = said(&project, "followed");
    assert!(said.contains("success") && said.contains(" last\n"), "{said}");
    assert_eq!(said.matches("first").count(), 1, "each line is printed once: {said}");
    let (code, _, stderr) = project.run(&["automation", "logs", "-f", "r0"]);
    assert!(code == 1 && stderr.contains("unknown run `r0`"), "{stderr}");
}

#[test]
fn without_a_server_the_run_of_a_command_is_followed_and_prints_as_it_goes() {
    let project = Project::new(&json!([hook("slow", "go", SLOW)]));
    let file = |name: &str| File::create(project.sandbox.elsewhere().join(name)).unwrap();
    let mut command = project.command();
    command.args(["automation", "run", "slow"]).stdout(file("ran")).stderr(file("complained"));
    let mut running = command.spawn().unwrap();
    until("the command shows what is printed", || {
        said(&project, "ran") == "first\n" && said(&project, "complained") == "trouble\n"
    });
    let following = Server(begin(&project, &["automation", "logs", "-f"], "followed"));
    until("`logs -f` prints it, too", || said(&project, "followed").contains("| first\n"));
    project.sandbox.write("go", "");
    assert_eq!(running.wait().unwrap().code(), Some(0));
    let (printed, complained) = (said(&project, "ran"), said(&project, "complained"));
    assert_eq!(printed, "first\nlast\n");
    assert!(complained.starts_with("trouble\n") && complained.ends_with("\nslow: success\n"), "{complained}");
    until("the end is printed", || {
        let said = said(&project, "followed");
        said.contains("success") && said.contains(" last\n")
    });
    following.kill();
}

#[test]
fn what_was_printed_before_the_server_was_killed_can_be_read_and_stays_with_the_run() {
    let project = Project::new(&json!([hook("slow", "go", SLOW)]));
    let server = project.serve();
    assert_eq!(project.run(&["emit", "go"]).0, 0);
    until("its output is written", || project.run(&["automation", "logs"]).1.contains("| first\n"));
    server.kill();
    let (_, logs, _) = project.run(&["automation", "logs"]);
    assert!(logs.contains("| first\n") && !logs.contains("last"), "{logs}");
    let _server = project.serve();
    let ended = project.runs(&["--grep", "first"]);
    assert_eq!((&ended[0]["status"], &ended[0]["error"]["code"]), (&json!("failed"), &json!("INTERRUPTED")));
    assert!(ended[0]["logs"].as_str().unwrap().starts_with("first\n"), "{ended:?}");
}

#[test]
fn a_command_finds_its_run_after_the_journal_rotates() {
    let project = Project::new(&json!([hook("quick", "go", "echo done")]));
    let folder = project.sandbox.path(".ai/tmp/automation");
    fs::create_dir_all(&folder).unwrap();
    // A line longer than the maximum size of a journal makes it rotate at once.
    let mut journal = File::create(folder.join("queue.jsonl")).unwrap();
    let line = json!({"v": 1, "ts": 1, "type": "printed", "run": "r0", "output": "stdout",
        "text": " ".repeat(17 << 20)});
    writeln!(journal, "{line}").unwrap();
    let (code, stdout, stderr) = project.run(&["automation", "run", "quick"]);
    assert!(code == 0 && stdout.starts_with("done\n"), "{stdout}{stderr}");
    assert!(folder.join("queue-000001.jsonl").exists(), "it has rotated");
    // Its output is still available.
    let run = project.runs(&[])[0]["id"].as_str().unwrap().to_owned();
    let (code, stdout, stderr) = project.run(&["automation", "logs", &run]);
    assert!(
        code == 0 && stdout.contains("quick") && stdout.contains("success\n    done\n"),
        "{stdout}{stderr}"
    );
}

#[test]
fn a_run_that_is_waited_for_and_replaced_by_a_later_one_ends_with_that() {
    let mut one_by_one = hook("slow", "onDidSaveTextDocument", SLOW);
    one_by_one["concurrency"] = 1.into();
    let project = Project::new(&json!([one_by_one]));
    let _server = project.serve();
    let save = || assert_eq!(project.run(&["emit", "onDidSaveTextDocument", "--file", "x.rs"]).0, 0);
    save();
    until("one is running", || project.sandbox.path("begun").exists());
    let mut waiting = begin(&project, &["automation", "run", "slow", "--file", "x.rs"], "waited");
    until("one waits", || project.page("/metrics").contains("steersman_queue_length 1"));
    save();
    until("another takes its place", || project.run(&["automation", "logs"]).1.contains("replaced by"));
    project.sandbox.write("go", "");
    assert_eq!(waiting.wait().unwrap().code(), Some(0));
    assert!(said(&project, "waited").contains("last\n"), "{}", said(&project, "waited"));
}
