//! Automations whose runs write what sets them off: none runs for ever, and no save of a person is lost.

use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::stage::{Project, hook, until};

/// Declares an automation on saves of files that fit.
fn on_save(id: &str, pattern: &str, script: &str) -> Value {
    let mut hook = hook(id, "onDidSaveTextDocument", script);
    hook["pattern"] = pattern.into();
    hook
}

fn on_commit(project: &Project, id: &str, script: &str) -> Value {
    let mut hook = hook(id, "gitCommit", script);
    hook["allowGit"] = true.into();
    hook["repoRoot"] = project.sandbox.root().to_string_lossy().into_owned().into();
    hook
}

/// Notes that the automation ran.
fn ran(id: &str) -> String {
    format!("echo {id} >> ../elsewhere/ran; ")
}

fn n_ran(project: &Project, id: &str) -> usize {
    project.read("../elsewhere/ran").lines().filter(|line| *line == id).count()
}

/// Waits until nothing has run for a while and returns how often each did. An automation runs once for what
/// began it and at most once for each of the five rounds of every automation in the circle.
fn at_rest(project: &Project, ids: &[&str]) -> Vec<usize> {
    let count = || ids.iter().map(|id| n_ran(project, id)).collect::<Vec<_>>();
    until("the first has run", || n_ran(project, ids[0]) > 0);
    let (mut before, mut quiet) = (count(), 0);
    while quiet < 8 {
        thread::sleep(Duration::from_millis(250));
        let now = count();
        quiet = if now == before { quiet + 1 } else { 0 };
        before = now;
        let most = 1 + 5 * ids.len();
        assert!(before.iter().all(|n| *n <= most), "{ids:?} ran {before:?} times");
    }
    before
}

fn commits(project: &Project) -> usize {
    let log = project.try_git(&["log", "--format=%h"]);
    String::from_utf8_lossy(&log.stdout).lines().count()
}

#[test]
fn a_run_that_writes_the_file_it_was_set_off_by_is_not_set_off_by_that() {
    let script = ran("self") + "echo more >> a.txt";
    let project = Project::new(&json!([on_save("self", "*.txt", &script)]));
    let _server = project.serve();
    project.sandbox.write("a.txt", "1\n");
    let n = at_rest(&project, &["self"])[0];
    assert_eq!(project.read("a.txt").lines().count(), 1 + n);
    let refused = |it: &Value| it["error"]["code"] == "CHAIN_REFUSED";
    // On a busy machine a run may take so long that it goes round until it is paused.
    let is_paused = !project.log("PAUSED").is_empty();
    assert!(is_paused || project.runs(&[]).iter().any(refused), "{n} {:?}", project.runs(&[]));
    if is_paused {
        return;
    }
    // The next save is answered again.
    project.sandbox.write("a.txt", "by a person\n");
    until("the person's save is answered", || n_ran(&project, "self") > n);
    at_rest(&project, &["self"]);
}

#[test]
fn a_commit_hook_that_commits_is_not_set_off_by_that() {
    let project = Project::new(&json!([]));
    project.git(&["init", "-q"]);
    let commit = "git -c user.name=A -c user.email=a@example.com commit -q --allow-empty -m again";
    project.declare(&json!([on_commit(&project, "self", &(ran("self") + commit))]));
    project.git(&["commit", "-q", "--allow-empty", "-m", "first"]);
    let _server = project.serve();
    project.git(&["commit", "-q", "--allow-empty", "-m", "by a person"]);
    let n = at_rest(&project, &["self"])[0];
    assert_eq!(commits(&project), 2 + n);
}

#[test]
fn a_save_during_a_run_is_answered_once_more() {
    let script = ran("slow")
        + "cat a.txt >> ../elsewhere/seen; until test -e ../elsewhere/go; do sleep 0.05; done; sleep 0.6";
    let project = Project::new(&json!([on_save("slow", "*.txt", &script)]));
    let _server = project.serve();
    project.sandbox.write("a.txt", "first\n");
    until("the run is at work", || n_ran(&project, "slow") == 1);
    project.sandbox.write("a.txt", "second\n");
    thread::sleep(Duration::from_millis(900));
    project.sandbox.write("../elsewhere/go", "");
    until("the save during the run is answered", || project.read("../elsewhere/seen").contains("second"));
    assert_eq!(at_rest(&project, &["slow"]), [2]);
}

/// The files are saved in the moment in which a short run about another one is at work.
#[test]
fn a_save_of_another_file_during_a_short_run_is_answered() {
    let script = "echo \"$(cat)\" >> ../elsewhere/seen";
    let project = Project::new(&json!([on_save("note", "*.txt", script)]));
    let _server = project.serve();
    for n in 0..8 {
        project.sandbox.write(format!("{n}.txt"), "1\n");
        let about = format!("about {n}.txt");
        until("the save is answered", || project.read("../elsewhere/seen").lines().any(|line| line == about));
    }
    assert_eq!(project.log("PAUSED"), [""; 0]);
}

#[test]
fn a_run_that_writes_and_takes_long_goes_round_five_times_and_is_paused() {
    let script = ran("round") + "sleep 0.7; echo more >> a.txt";
    let project = Project::new(&json!([on_save("round", "*.txt", &script)]));
    let server = project.serve();
    project.sandbox.write("a.txt", "1\n");
    until("it is paused", || project.log("PAUSED").len() == 1);
    assert_eq!(n_ran(&project, "round"), 6);
    let list = |project: &Project| project.json(&["automation", "list", "--json"])["automations"][0].clone();
    until("the list says so", || list(&project)["paused"].as_str().is_some_and(|why| why.contains("a.txt")));
    assert!(project.page("/").contains("round is paused"));
    assert!(project.run(&["doctor"]).1.contains("`round` is paused"));
    // It stays so when the server is another one.
    drop(server);
    let _server = project.serve();
    project.sandbox.write("b.txt", "1\n");
    thread::sleep(Duration::from_secs(1));
    assert_eq!(n_ran(&project, "round"), 6);
    let (code, _, told) = project.run(&["automation", "enable", "round"]);
    assert_eq!(code, 0, "{told}");
    assert!(list(&project).get("paused").is_none());
    project.sandbox.write("b.txt", "2\n");
    until("it runs again", || n_ran(&project, "round") == 7);
}

/// What sets an automation off, and a script that does it; `NAME` stands for the automation.
fn kinds() -> [(&'static str, String); 4] {
    let steersman = env!("CARGO_BIN_EXE_steersman");
    let spec = "n=$(cat specs/1/n); echo $((n+1)) > specs/1/n; echo \"Status: s$n\" > specs/1/spec.md";
    [
        ("save", "date +%N > NAME.txt".to_owned()),
        ("commit", "git -c user.name=A -c user.email=a@example.com commit -q --allow-empty -m x".to_owned()),
        ("spec", spec.to_owned()),
        ("emit", format!("{steersman} emit go-NAME 2> /dev/null")),
    ]
}

fn set_off_by(project: &Project, kind: &str, id: &str, script: &str) -> Value {
    match kind {
        "save" => on_save(id, &format!("{id}.txt"), script),
        "commit" => on_commit(project, id, script),
        "spec" => {
            let mut hook = hook(id, "specStatusChange", script);
            hook["pattern"] = "specs/**".into();
            hook
        }
        _ => hook(id, &format!("go-{id}"), script),
    }
}

/// Lets the first automation set the second off and the second the first, and waits until they rest.
fn each_other(first: &(&str, String), second: &(&str, String)) {
    let project = Project::new(&json!([]));
    project.git(&["init", "-q"]);
    project.git(&["commit", "-q", "--allow-empty", "-m", "first"]);
    project.sandbox.write("specs/1/spec.md", "Status: new\n");
    project.sandbox.write("specs/1/n", "1\n");
    let script_of_one = ran("one") + &second.1.replace("NAME", "two");
    let script_of_two = ran("two") + &first.1.replace("NAME", "one");
    project.declare(&json!([
        set_off_by(&project, first.0, "one", &script_of_one),
        set_off_by(&project, second.0, "two", &script_of_two),
    ]));
    let _server = project.serve();
    let mut begin = Command::new("sh");
    begin.args(["-c", &first.1.replace("NAME", "one")]).current_dir(project.sandbox.root());
    let surroundings = project.command();
    begin.envs(surroundings.get_envs().filter_map(|(name, value)| Some((name, value?))));
    assert!(begin.status().unwrap().success(), "{} → {}", first.0, second.0);
    let counts = at_rest(&project, &["one", "two"]);
    assert!(counts[1] > 0, "{} → {}: {counts:?}", first.0, second.0);
}

/// Every pair of automations that set each other off comes to rest.
fn comes_to_rest(first: usize) {
    let kinds = kinds();
    thread::scope(|scope| {
        for second in &kinds {
            let first = &kinds[first];
            scope.spawn(move || each_other(first, second));
        }
    });
}

#[test]
fn a_save_that_leads_to_something_that_leads_to_a_save_comes_to_rest() {
    comes_to_rest(0);
}

#[test]
fn a_commit_that_leads_to_something_that_leads_to_a_commit_comes_to_rest() {
    comes_to_rest(1);
}

#[test]
fn a_status_that_leads_to_something_that_leads_to_a_status_comes_to_rest() {
    comes_to_rest(2);
}

#[test]
fn an_event_that_leads_to_something_that_leads_to_the_event_comes_to_rest() {
    comes_to_rest(3);
}
