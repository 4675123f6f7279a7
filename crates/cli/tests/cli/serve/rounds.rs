//! Automations whose runs trigger automations: none loops forever, and no save of a user is lost.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::stage::{Project, Server, hook, until};

/// Declares an automation for saves of matching files.
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

/// A script line that logs that the automation ran.
fn ran(id: &str) -> String {
    format!("echo {id} >> ../elsewhere/ran; ")
}

fn n_ran(project: &Project, id: &str) -> usize {
    project.read("../elsewhere/ran").lines().filter(|line| *line == id).count()
}

/// Waits until nothing has run for a while and returns the number of runs of each automation. An automation
/// runs once for the first trigger and at most once for each round of every automation in the cycle: five, or twenty on
/// a machine so busy that the runs do not write at the same point.
fn at_rest(project: &Project, ids: &[&str]) -> Vec<usize> {
    let count = || ids.iter().map(|id| n_ran(project, id)).collect::<Vec<_>>();
    until("the first has run", || n_ran(project, ids[0]) > 0);
    let (mut before, mut quiet) = (count(), 0);
    // Longer than the longest pause between two rounds.
    while quiet < 14 {
        thread::sleep(Duration::from_millis(250));
        let now = count();
        quiet = if now == before { quiet + 1 } else { 0 };
        before = now;
        let most = 1 + 20 * ids.len();
        assert!(before.iter().all(|n| *n <= most), "{ids:?} ran {before:?} times");
    }
    before
}

fn commits(project: &Project) -> usize {
    let log = project.try_git(&["log", "--format=%h"]);
    String::from_utf8_lossy(&log.stdout).lines().count()
}

#[test]
fn a_short_run_that_writes_its_own_file_is_known_after_three_rounds() {
    let script = ran("self") + "echo more >> a.txt";
    let project = Project::new(&json!([on_save("self", "*.txt", &script)]));
    let _server = project.serve();
    project.sandbox.write("a.txt", "1\n");
    let n = at_rest(&project, &["self"])[0];
    assert_eq!(project.read("a.txt").lines().count(), 1 + n);
    // On a busy machine a run may take so long that it goes round until it is paused.
    if !project.log("PAUSED").is_empty() {
        return;
    }
    assert_eq!(n, 4);
    project.sandbox.write("a.txt", "by a person\n");
    until("the next save is answered", || n_ran(&project, "self") > n);
    assert_eq!(at_rest(&project, &["self"]), [n + 1]);
    let failed = |it: &Value| it["status"] == "failed";
    assert!(!project.runs(&[]).iter().any(failed), "its own write is no failed run");
}

/// A deleted file has no time of its own any more.
#[test]
fn files_that_runs_delete_and_create_in_turn_come_to_rest() {
    let on = |id: &str, trigger: &str, script: &str| {
        let mut hook = hook(id, trigger, &(ran(id) + script));
        hook["pattern"] = "*.txt".into();
        hook
    };
    for hooks in [
        json!([on("made", "onDidCreateFiles", "rm a.txt"), on("gone", "onDidDeleteFiles", "touch a.txt")]),
        json!([on("made", "onDidDeleteFiles", "touch a.txt; sleep 0.6; rm a.txt")]),
    ] {
        let project = Project::new(&hooks);
        let ids: Vec<&str> = hooks.as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
        let _server = project.serve();
        project.sandbox.write("a.txt", "1\n");
        if ids.len() == 1 {
            until("the file is known", || project.sandbox.path("a.txt").exists());
            thread::sleep(Duration::from_secs(1));
            fs::remove_file(project.sandbox.path("a.txt")).unwrap();
        }
        at_rest(&project, &ids);
    }
}

/// Every attempt writes, and every attempt fails.
#[test]
fn a_run_that_writes_and_is_retried_does_not_go_round_for_ever() {
    let mut hook = on_save("retried", "*.txt", &(ran("retried") + "date +%N > a.txt; exit 1"));
    hook["retry"] = json!({"count": 2, "backoffMs": 200});
    let project = Project::new(&json!([hook]));
    let _server = project.serve();
    project.sandbox.write("a.txt", "1\n");
    let mut before = 0;
    until("it rests", || {
        thread::sleep(Duration::from_secs(4));
        let n = n_ran(&project, "retried");
        // Six runs if each writes at the same point, at most 21 on a machine so busy that they do not.
        assert!(n <= 3 * 21, "{n} attempts");
        std::mem::replace(&mut before, n) == n
    });
}

/// The environment that names the automation is gone, and the process outlives the script.
#[test]
fn a_run_that_hides_where_it_comes_from_does_not_trigger_itself() {
    let steersman = env!("CARGO_BIN_EXE_steersman");
    let clean = r#"env -i PATH="$PATH" HOME="$HOME" STEERSMAN_STATE_DIR="$STEERSMAN_STATE_DIR""#;
    let daemon = "setsid -f env -i sh -c '(sleep 1; date > a.txt) &'";
    for (id, trigger, script) in [
        ("emit", "go", format!("{clean} {steersman} emit go")),
        ("run", "go", format!("{clean} {steersman} automation run run")),
        ("daemon", "onDidSaveTextDocument", daemon.to_owned()),
    ] {
        let project = Project::new(&json!([hook(id, trigger, &(ran(id) + &script))]));
        let _server = project.serve();
        if trigger == "go" {
            assert_eq!(project.run(&["emit", "go"]).0, 0);
        } else {
            project.sandbox.write("a.txt", "1\n");
        }
        assert_eq!(at_rest(&project, &[id]), [1], "{id}");
    }
}

/// The person saves once, in the second run, which steersman started for the change of the first.
#[test]
fn a_save_during_the_second_run_of_a_formatter_is_answered() {
    let script = ran("format") + "sed -i s/x/y/ a.txt; sleep 0.3; cat a.txt >> ../elsewhere/seen";
    let project = Project::new(&json!([on_save("format", "*.txt", &script)]));
    let _server = project.serve();
    project.sandbox.write("a.txt", "x\n");
    until("the second run is running", || n_ran(&project, "format") == 2);
    thread::sleep(Duration::from_millis(50));
    project.sandbox.write("a.txt", "by a person\n");
    until("the save is answered", || project.read("../elsewhere/seen").ends_with("by a person\n"));
}

/// A person saves faster than the runs end, which write nothing.
#[test]
fn saving_again_and_again_neither_loses_the_last_save_nor_pauses_the_automation() {
    for (spacing, took) in [(700, "1"), (800, "0.35")] {
        let script = format!("sleep {took}; cat a.txt > ../elsewhere/seen");
        let project = Project::new(&json!([on_save("slow", "*.txt", &script)]));
        let _server = project.serve();
        for n in 0..15 {
            project.sandbox.write("a.txt", format!("{n}\n"));
            thread::sleep(Duration::from_millis(spacing));
        }
        until("the last save is answered", || project.read("../elsewhere/seen") == "14\n");
        assert_eq!(project.log("PAUSED"), [""; 0], "every {spacing} ms");
    }
}

#[test]
fn an_automation_on_commits_that_commits_does_not_trigger_itself() {
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
    until("the run is running", || n_ran(&project, "slow") == 1);
    project.sandbox.write("a.txt", "second\n");
    thread::sleep(Duration::from_millis(900));
    project.sandbox.write("../elsewhere/go", "");
    until("the save during the run is answered", || project.read("../elsewhere/seen").contains("second"));
    assert_eq!(at_rest(&project, &["slow"]), [2]);
}

/// Saves the files while a short run for another file is running.
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
    assert!(project.page("/health").contains("round is paused"));
    assert!(project.run(&["doctor"]).1.contains("`round` is paused"));
    // It stays paused under another server.
    drop(server);
    let _server = project.serve();
    project.sandbox.write("b.txt", "1\n");
    thread::sleep(Duration::from_secs(1));
    assert_eq!(n_ran(&project, "round"), 6);
    assert!(project.run(&["automation", "show", "round"]).2.contains("`round` is paused"));
    let (_, _, told) = project.run(&["emit", "onDidSaveTextDocument", "--file", "b.txt"]);
    assert!(told.contains("not run: `round` is paused"), "{told}");
    let (code, _, told) = project.run(&["automation", "enable", "round"]);
    assert!(code == 0 && !told.contains("already"), "{told}");
    assert!(list(&project).get("paused").is_none());
    project.sandbox.write("b.txt", "2\n");
    // The emitted save may settle after the automation was resumed, and then runs as well.
    until("it runs again", || n_ran(&project, "round") >= 7);
}

/// Triggers, each with a script that causes it; `NAME` stands for the automation.
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

fn triggered_by(project: &Project, kind: &str, id: &str, script: &str) -> Value {
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

/// Makes two automations trigger each other while a person saves a file of a third, and waits until no run is left.
fn each_other(first: &(&str, String), second: &(&str, String)) {
    let project = Project::new(&json!([]));
    project.git(&["init", "-q"]);
    project.git(&["commit", "-q", "--allow-empty", "-m", "first"]);
    project.sandbox.write("specs/1/spec.md", "Status: new\n");
    project.sandbox.write("specs/1/n", "1\n");
    let script_of_one = ran("one") + &second.1.replace("NAME", "two");
    let script_of_two = ran("two") + &first.1.replace("NAME", "one");
    project.declare(&json!([
        triggered_by(&project, first.0, "one", &script_of_one),
        triggered_by(&project, second.0, "two", &script_of_two),
        on_save("person", "mine.md", "cat mine.md > ../elsewhere/answered"),
    ]));
    let _server = project.serve();
    let mut begin = Command::new("sh");
    begin.args(["-c", &first.1.replace("NAME", "one")]).current_dir(project.sandbox.root());
    let surroundings = project.command();
    begin.envs(surroundings.get_envs().filter_map(|(name, value)| Some((name, value?))));
    assert!(begin.status().unwrap().success(), "{} → {}", first.0, second.0);
    // A person goes on saving while the two trigger each other.
    for n in 1..=12 {
        project.sandbox.write("mine.md", format!("{n}\n"));
        thread::sleep(Duration::from_millis(170));
    }
    let counts = at_rest(&project, &["one", "two"]);
    assert_eq!(project.read("../elsewhere/answered"), "12\n", "{} → {}", first.0, second.0);
    assert!(counts[1] > 0, "{} → {}: {counts:?}", first.0, second.0);
}

/// Checks that every pair of automations that trigger each other stops.
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

/// Declares an automation on saves that runs the agent program `claude`, and serves it with a program of that
/// name: it writes `a.txt` as a tool call, with hooks before and after if it is governed, and then thinks
/// until the file `go` exists.
fn serve_agent(is_governed: bool) -> (Project, Server) {
    let mut hook = hook("agent", "onDidSaveTextDocument", "");
    (hook["pattern"], hook["runner"]) = ("*.txt".into(), "claude".into());
    let project = Project::new(&json!([hook]));
    let hook_of = |name: &str| {
        let root = project.sandbox.root();
        let mut payload = testkit::payload::recorded("claude", &format!("{name}_Write"), &root).payload;
        // Each run makes its own call.
        payload["tool_use_id"] = "$$".into();
        let steersman = env!("CARGO_BIN_EXE_steersman");
        format!("{steersman} dispatch {name} --host claude-code <<END > /dev/null\n{payload}\nEND\n")
    };
    let (before, after) =
        if is_governed { (hook_of("PreToolUse"), hook_of("PostToolUse")) } else { Default::default() };
    let script = format!(
        "#!/bin/sh\ncat > /dev/null\n{before}echo fixed >> a.txt\n{after}{}\nsleep 0.6\n\
         until test -e ../elsewhere/go; do sleep 0.05; done\n",
        ran("agent")
    );
    let program = project.sandbox.elsewhere().join("bin/claude");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", program.parent().unwrap().display());
    let server = project.serve_with(&[("PATH", &path)]);
    (project, server)
}

#[test]
fn what_a_governed_agent_writes_does_not_trigger_it_again() {
    let (project, _server) = serve_agent(true);
    project.sandbox.write("../elsewhere/go", "");
    project.sandbox.write("a.txt", "by a person\n");
    assert_eq!(at_rest(&project, &["agent"]), [1]);
    assert_eq!(project.read("a.txt"), "by a person\nfixed\n");
}

#[test]
fn a_save_of_a_person_while_an_agent_thinks_triggers_it_once_more() {
    for is_governed in [true, false] {
        let (project, _server) = serve_agent(is_governed);
        project.sandbox.write("a.txt", "by a person\n");
        until("the agent has written", || n_ran(&project, "agent") == 1);
        thread::sleep(Duration::from_millis(100));
        project.sandbox.write("a.txt", "by a person again\n");
        // Longer than a file takes to come to rest.
        thread::sleep(Duration::from_millis(900));
        project.sandbox.write("../elsewhere/go", "");
        until("the save is answered", || n_ran(&project, "agent") == 2);
        assert_eq!(at_rest(&project, &["agent"]), [2], "governed: {is_governed}");
        assert_eq!(project.read("a.txt"), "by a person again\nfixed\n");
    }
}

/// The agent has no hooks, so nothing records what it writes.
#[test]
fn a_save_of_another_file_during_a_run_of_an_agent_without_hooks_is_answered() {
    let (project, _server) = serve_agent(false);
    project.sandbox.write("a.txt", "by a person\n");
    until("the agent has written", || n_ran(&project, "agent") == 1);
    project.sandbox.write("other.txt", "by a person, too\n");
    // Longer than a file takes to come to rest.
    thread::sleep(Duration::from_millis(900));
    project.sandbox.write("../elsewhere/go", "");
    // Once for each of the two files. During these runs the person saves a third.
    until("both are answered", || n_ran(&project, "agent") == 3);
    project.sandbox.write("third.txt", "by a person, again\n");
    until("the third is answered", || n_ran(&project, "agent") == 4);
    assert_eq!(at_rest(&project, &["agent"]), [4], "the further runs lead to no more");
    let files: Vec<String> =
        project.runs(&[]).iter().map(|run| run["file"].as_str().unwrap_or_default().to_owned()).collect();
    assert!(["other.txt", "third.txt"].iter().all(|name| files.iter().any(|it| it == name)), "{files:?}");
}

/// A slow automation, such as a test run, and a person who saves during each of its runs.
#[test]
fn a_person_who_saves_during_every_run_does_not_pause_a_slow_automation() {
    let script = ran("slow") + "sleep 2; cat a.txt > ../elsewhere/seen";
    let project = Project::new(&json!([on_save("slow", "*.txt", &script)]));
    let _server = project.serve();
    project.sandbox.write("a.txt", "0\n");
    for n in 1..=7 {
        until("a run is running", || n_ran(&project, "slow") >= n);
        // Early in one run, late in the next.
        thread::sleep(Duration::from_millis(if n % 2 == 0 { 200 } else { 1_300 }));
        project.sandbox.write("a.txt", format!("{n}\n"));
    }
    until("the last save is answered", || project.read("../elsewhere/seen") == "7\n");
    assert_eq!(project.log("PAUSED"), [""; 0]);
}
