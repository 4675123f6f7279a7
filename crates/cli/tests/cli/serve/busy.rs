//! What a busy automation does with events: `onBusy`, batches of files and dependencies.

use serde_json::{Value, json};

use super::stage::{Project, hook, until};

/// Declares an automation that logs its start and its end and waits for the file `go` in between.
fn slow(on_busy: &str) -> Value {
    let mut slow = hook(
        "slow",
        "x",
        "n=$(cat); echo start $n >> log; until [ -e go ]; do sleep 0.02; done; echo end $n >> log",
    );
    slow["prompt"] = "{n}".into();
    if !on_busy.is_empty() {
        slow["onBusy"] = on_busy.into();
    }
    slow
}

fn emit(project: &Project, n: usize) {
    let done = project.run(&["emit", "x", "--data", &json!({ "n": n }).to_string()]);
    assert_eq!(done.0, 0, "{}", done.2);
}

fn statuses(project: &Project) -> Vec<String> {
    let mut all: Vec<String> = project
        .runs(&[])
        .iter()
        .map(|run| {
            let code = run["error"]["code"].as_str().unwrap_or_default();
            format!("{} {code}", run["status"].as_str().unwrap()).trim_end().to_owned()
        })
        .collect();
    all.sort();
    all
}

#[test]
fn a_busy_automation_skips_restarts_or_queues() {
    for (on_busy, log, ends) in [
        ("skip", "start 1\nend 1\n", &["canceled SKIPPED", "canceled SKIPPED", "success"][..]),
        (
            "restart",
            "start 1\nstart 2\nstart 3\nend 3\n",
            &["canceled RESTARTED", "canceled RESTARTED", "success"],
        ),
        ("", "start 1\nstart 2\nstart 3\n", &["success", "success", "success"]),
    ] {
        let project = Project::new(&json!([slow(on_busy)]));
        let _server = project.serve();
        for n in 1..=3 {
            emit(&project, n);
            let is_started = |n: usize| project.read("log").contains(&format!("start {n}"));
            if n == 1 || on_busy != "skip" {
                until("it started", || is_started(n));
            } else {
                until("it is skipped", || project.runs(&[]).len() == n - 1);
            }
        }
        project.sandbox.write("go", "");
        until("all ended", || project.runs(&[]).len() == 3);
        assert_eq!(statuses(&project), ends, "{on_busy}");
        assert!(project.read("log").starts_with(log), "{on_busy}: {}", project.read("log"));
    }
}

#[test]
fn of_many_events_at_once_a_restart_handles_the_latest() {
    let mut busy =
        hook("busy", "onDidSaveTextDocument", "cat >> ../elsewhere/seen; echo >> ../elsewhere/seen; sleep 1");
    busy["onBusy"] = "restart".into();
    busy["pattern"] = "src/**".into();
    let project = Project::new(&json!([busy]));
    let _server = project.serve();
    for n in 0..40 {
        project.sandbox.write(format!("src/{n}.txt"), "1");
    }
    until("a run succeeded", || !project.runs(&["--status", "success"]).is_empty());
    until("none is left", || project.json(&["automation", "runs", "--json"])["runs"] == json!([]));
    assert!(project.read("../elsewhere/seen").lines().count() < 20, "{}", project.read("../elsewhere/seen"));
    assert!(project.runs(&["--status", "success"]).len() < 5);
}

#[test]
fn a_restart_survives_a_kill_of_the_server() {
    for _ in 0..3 {
        let project = Project::new(&json!([slow("restart")]));
        let server = project.serve();
        emit(&project, 1);
        until("it started", || project.read("log").contains("start 1"));
        emit(&project, 2);
        server.kill();
        let _server = project.serve();
        project.sandbox.write("go", "");
        until("both ended", || project.runs(&[]).len() == 2);
        let second: Vec<Value> = project.runs(&["--status", "success"]);
        assert_eq!(second.len(), 1, "only the later one succeeds: {:?}", project.runs(&[]));
        assert!(project.read("log").ends_with("end 2\n"), "{}", project.read("log"));
        assert!(!project.read("log").contains("end 1"), "the first was stopped or left behind");
    }
}

#[test]
fn files_that_change_together_are_one_run() {
    let mut batch =
        hook("batch", "onDidSaveTextDocument", "cat >> ../elsewhere/files; echo >> ../elsewhere/files");
    batch["pattern"] = json!(["src/**", "!src/made/**"]);
    batch["prompt"] = "{fileCount}\n{files}".into();
    batch["batch"] = true.into();
    let project = Project::new(&json!([batch]));
    let _server = project.serve();
    for n in 0..200 {
        project.sandbox.write(format!("src/deep/{n:03}.rs"), "1");
        project.sandbox.write(format!("src/made/{n:03}.rs"), "1");
    }
    let seen = || -> Vec<String> { project.read("../elsewhere/files").lines().map(str::to_owned).collect() };
    let files = || {
        let mut files: Vec<String> = seen().into_iter().filter(|it| it.starts_with('/')).collect();
        files.sort();
        files.dedup();
        files
    };
    until("all files were handled", || files().len() >= 200);
    let expected: Vec<String> =
        (0..200).map(|n| project.sandbox.path(format!("src/deep/{n:03}.rs")).display().to_string()).collect();
    assert_eq!(files(), expected);
    until("the runs are on record", || !project.runs(&[]).is_empty());
    assert!(project.runs(&[]).len() < 20, "{} runs", project.runs(&[]).len());
    let file = project.runs(&[])[0]["file"].as_str().unwrap().to_owned();
    assert!(file.contains("src/deep/"), "{file}");
}

/// The first file was saved during a run of another automation, the second after it.
#[test]
fn a_run_that_ends_between_two_saves_does_not_split_their_batch() {
    let mut batch = hook("batch", "onDidSaveTextDocument", "cat >> ../elsewhere/counts");
    batch["pattern"] = "src/**".into();
    batch["prompt"] = "{fileCount}\n".into();
    batch["batch"] = true.into();
    let project = Project::new(&json!([batch]));
    for (file, chain) in [("src/a.txt", "[\"other\"]"), ("src/b.txt", "[]"), ("src/c.txt", "[\"x\", \"y\"]")]
    {
        let mut command = project.command();
        command.args(["emit", "file-save", "--file", file]).env("STEERSMAN_AUTOMATION_CHAIN", chain);
        assert!(command.output().unwrap().status.success());
    }
    // All of them wait in the queue, so they settle together.
    let _server = project.serve();
    until("the batch ran", || !project.runs(&[]).is_empty());
    assert_eq!(project.read("../elsewhere/counts"), "3\n");
    assert_eq!(project.runs(&[])[0]["chainDepth"], 2, "the longest chain counts");
}

#[test]
fn an_argument_of_files_becomes_one_argument_per_file() {
    let project = Project::new(&json!([]));
    let hook = json!([{
        "id": "each", "trigger": {"agent": "workspace", "operation": "file-save"}, "pattern": "*.txt", "batch": true,
        "action": {"type": "command", "parameters": {"command": ["sh", "-c", "for f; do echo \"<$f>\"; done > ../elsewhere/args", "sh", "{files}", "{fileCount} files"]}}
    }]);
    project.sandbox.write(".vscode/gatomia/hooks.json", hook.to_string());
    project.sandbox.trust();
    let _server = project.serve();
    for name in ["a b.txt", "-rf.txt", "$(x).txt"] {
        project.sandbox.write(name, "1");
    }
    until("one run got all", || project.read("../elsewhere/args").contains("<3 files>"));
    let root = project.sandbox.root().display().to_string();
    let args = project.read("../elsewhere/args").replace(&root, "");
    assert_eq!(args, "</$(x).txt>\n</-rf.txt>\n</a b.txt>\n<3 files>\n");
}

#[test]
fn automations_of_one_event_wait_for_those_they_depend_on() {
    let step = |id: &str, depends_on: &[&str], end: &str| {
        let mut it = hook(id, "x", &format!("sleep 0.2; echo {id} >> log; {end}"));
        it["dependsOn"] = json!(depends_on);
        it["prompt"] = "go".into();
        it
    };
    // Declared the wrong way round; `other` is not triggered by the event.
    let mut other = step("other", &[], "true");
    other["trigger"] = "y".into();
    let project = Project::new(&json!([
        step("last", &["middle", "first"], "true"),
        step("middle", &["first", "other"], "true"),
        step("first", &[], "true"),
        other
    ]));
    let _server = project.serve();
    project.run(&["emit", "x"]);
    until("all ran", || project.runs(&[]).len() == 3);
    assert_eq!(project.read("log"), "first\nmiddle\nlast\n");
    let n_reloads = project.log("RELOADED").len();
    project.declare(&json!([
        step("first", &[], "exit 1"),
        step("middle", &["first"], "true"),
        step("last", &["middle"], "true")
    ]));
    until("the new version runs", || project.log("RELOADED").len() > n_reloads);
    project.run(&["emit", "x"]);
    until("all ended", || project.runs(&[]).len() == 6);
    let expected = ["canceled DEPENDENCY_FAILED", "canceled DEPENDENCY_FAILED", "failed EXIT_CODE"];
    assert_eq!(&statuses(&project)[..3], expected);
    assert!(project.read("log").ends_with("last\nfirst\n"), "{}", project.read("log"));
}

/// A file that joins a pending batch waits for the run about it, like the files before it.
#[test]
fn a_batch_waits_for_what_each_of_its_files_needs() {
    let saved = |id: &str, script: &str| hook(id, "onDidSaveTextDocument", script);
    // The name of the file is the first line of the prompt; a file named `slow` takes longer than a batch settles.
    let mut check = saved(
        "check",
        "read name; case $name in *slow*) sleep 3;; *bad*) exit 1;; esac; echo $name >> ../elsewhere/log",
    );
    check["prompt"] = "{fileName}\n".into();
    check["pattern"] = "src/**".into();
    check["concurrency"] = 4.into();
    let mut upload = saved("upload", "tr '\n' ' ' >> ../elsewhere/log; echo >> ../elsewhere/log");
    upload["prompt"] = "upload {fileCount}".into();
    upload["pattern"] = "src/**".into();
    upload["batch"] = true.into();
    upload["dependsOn"] = json!(["check"]);
    let mut report = saved("report", "echo report >> ../elsewhere/log");
    report["pattern"] = "src/**".into();
    report["batch"] = true.into();
    report["dependsOn"] = json!(["upload"]);
    let project = Project::new(&json!([report, upload, check]));
    let server = project.serve();
    project.sandbox.write("src/one.txt", "1");
    project.sandbox.write("src/slow.txt", "1");
    until("the report ran", || project.read("../elsewhere/log").contains("report"));
    assert_eq!(project.read("../elsewhere/log"), "one.txt\nslow.txt\nupload 2\nreport\n");
    drop(server);
    // Both wait in the queue of a server that has not started a run yet.
    let _server = project.serve();
    project.sandbox.write("src/two.txt", "1");
    project.sandbox.write("src/bad.txt", "1");
    until("all ended", || {
        project.json(&["automation", "runs", "--json"])["runs"] == json!([]) && project.runs(&[]).len() >= 8
    });
    let (ends, log) = (statuses(&project), project.read("../elsewhere/log"));
    assert!(log.ends_with("report\ntwo.txt\n"), "{log}");
    assert!(ends.contains(&"canceled DEPENDENCY_FAILED".to_owned()), "{ends:?}");
}

#[test]
fn unknown_and_circular_dependencies_are_errors() {
    let with = |id: &str, depends_on: &[&str]| {
        let mut it = hook(id, "x", "true");
        it["dependsOn"] = json!(depends_on);
        it
    };
    let project = Project::new(&json!([]));
    for (hooks, message) in [
        (json!([with("a", &["lint"]), with("lnt", &[])]), "`a` depends on the unknown automation `lint`"),
        (json!([with("a", &["a"])]), "`a` depends on itself: `a` → `a`"),
        (
            json!([with("a", &["b"]), with("b", &["c"]), with("c", &["a"])]),
            "`a` depends on itself: `a` → `b` → `c` → `a`",
        ),
    ] {
        project.sandbox.write(".akira/hooks.json", json!({ "hooks": hooks }).to_string());
        let (code, _, stderr) = project.run(&["automation", "validate"]);
        assert!(code == 1 && stderr.contains(message), "{stderr}");
    }
}
