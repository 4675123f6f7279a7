//! What a person sees of runs: the lines of `serve`, `automation runs`, and the command for failures.

use std::fs;

use serde_json::{Value, json};

use super::stage::{Project, hook, until};

/// Starts a server that prints for people into a file outside of the workspace.
fn serve_for_people(project: &Project, more: &[&str]) -> super::stage::Server {
    let log = fs::File::create(project.sandbox.elsewhere().join("screen")).unwrap();
    let mut command = project.command();
    command.args(["serve", "--no-web"]).args(more).stdout(log.try_clone().unwrap()).stderr(log);
    let server = super::stage::Server(command.spawn().unwrap());
    until("the server serves", || project.read("../elsewhere/screen").contains(" enabled in "));
    server
}

#[test]
fn a_server_prints_a_line_per_start_end_and_failure() {
    for quiet in [false, true] {
        let mut good = hook("good", "x", "true");
        good["prompt"] = "go".into();
        let mut bad = hook("bad", "x", "echo broken >&2; exit 3");
        bad["prompt"] = "go".into();
        let project = Project::new(&json!([good, bad]));
        let _server = serve_for_people(&project, if quiet { &["--quiet"] } else { &[] });
        project.run(&["emit", "x"]);
        let screen = || project.read("../elsewhere/screen");
        until("the failure is printed", || screen().contains("✗ bad failed after "));
        until("both ended", || project.runs(&[]).len() == 2);
        assert!(screen().contains("EXIT_CODE: "), "{}", screen());
        let has_course = ["▶ good (r", "▶ bad (r", "✓ good success after "].map(|it| screen().contains(it));
        assert_eq!(has_course, [!quiet; 3], "{}", screen());
        assert!(!screen().contains('\u{1b}'), "no colour without a terminal: {}", screen());
    }
}

#[test]
fn a_run_that_ends_with_its_server_gets_a_line_too() {
    let mut slow = hook("slow", "x", "touch started; sleep 600");
    slow["prompt"] = "go".into();
    let project = Project::new(&json!([slow]));
    let screen = || project.read("../elsewhere/screen");
    let begin = || {
        let server = serve_for_people(&project, &["--grace", "1"]);
        project.run(&["emit", "x"]);
        until("it started", || project.sandbox.path("started").exists());
        fs::remove_file(project.sandbox.path("started")).unwrap();
        server
    };
    assert_eq!(begin().stop(), Some(0));
    assert!(screen().contains("✗ slow failed after "), "{}", screen());
    begin().kill();
    assert!(!screen().contains('✗'), "{}", screen());
    let _server = serve_for_people(&project, &[]);
    until("the next server says so", || screen().contains("✗ slow failed after "));
    assert!(screen().contains("INTERRUPTED: steersman ended while the run was running"), "{}", screen());
}

/// Appends a pause as a server records it.
#[test]
fn a_paused_automation_and_one_that_cannot_run_are_not_on() {
    let mut missing = hook("missing", "x", "true");
    missing["runner"] = json!({"type": "command", "command": ["no-such-program"]});
    let project = Project::new(&json!([hook("go", "x", "true"), missing]));
    assert_eq!(project.run(&["emit", "y"]).0, 0);
    let queue = project.sandbox.path(".ai/tmp/automation/queue.jsonl");
    let mut text = fs::read_to_string(&queue).unwrap();
    text.push_str("{\"v\":1,\"ts\":1,\"type\":\"paused\",\"hook\":\"go\",\"why\":\"it repeats\"}\n");
    fs::write(&queue, text).unwrap();
    let shown = project.run(&["automation", "show", "go"]).1;
    assert!(shown.contains("paused: it repeats"), "{shown}");
    let shown = project.json(&["automation", "show", "go", "--json"]);
    assert_eq!((&shown["state"], &shown["paused"]), (&json!("paused"), &json!("it repeats")));
    assert_eq!(shown["definition"]["trigger"], "x");
    let shown = project.run(&["automation", "show", "missing"]).1;
    assert!(
        shown.contains("off: the program `no-such-program` is not installed (CLI_NOT_INSTALLED)"),
        "{shown}"
    );
    let listed = project.json(&["automation", "list", "--json"]);
    let states: Vec<&Value> =
        listed["automations"].as_array().unwrap().iter().map(|it| &it["state"]).collect();
    assert_eq!(states, ["paused", "CLI_NOT_INSTALLED"]);
    let (_, table, notes) = project.run(&["automation", "list"]);
    assert!(table.contains("paused") && table.contains("CLI_NOT_INSTALLED"), "{table}");
    assert!(notes.contains("`missing` is off: the program `no-such-program` is not installed"), "{notes}");
}

#[test]
fn open_runs_are_listed_with_their_ids_and_times() {
    let mut slow = hook("slow", "x", "touch started; until [ -e go ]; do sleep 0.02; done");
    slow["concurrency"] = 1.into();
    slow["prompt"] = "go".into();
    let project = Project::new(&json!([slow]));
    let (code, stdout, stderr) = project.run(&["automation", "runs"]);
    assert_eq!((code, stdout.as_str()), (0, ""));
    assert!(stderr.contains("no run is running or queued"), "{stderr}");
    let _server = project.serve();
    project.run(&["emit", "x"]);
    until("it started", || project.sandbox.path("started").exists());
    project.run(&["emit", "x", "--file", "src/a.rs"]);
    let runs = || project.json(&["automation", "runs", "--json"])["runs"].as_array().unwrap().clone();
    until("one runs and one waits", || {
        runs().iter().map(|it| it["status"].clone()).collect::<Vec<Value>>() == ["running", "queued"]
    });
    let (_, stdout, _) = project.run(&["automation", "runs"]);
    for run in runs() {
        assert!(stdout.contains(run["id"].as_str().unwrap()) && run["durationMs"].is_u64(), "{stdout}");
    }
    assert!(stdout.contains("src/a.rs"), "{stdout}");
    let first = runs()[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(project.run(&["automation", "cancel", &first]).0, 0);
    project.sandbox.write("go", "");
    until("nothing is left", || runs().is_empty());
}

#[test]
fn tables_fit_eighty_columns_and_keep_ids_times_and_errors() {
    let mut bad = hook(
        "check-the-links",
        "onDidSaveTextDocument",
        "echo 'a line about what went wrong in it' >&2; exit 3",
    );
    bad["pattern"] = json!(["docs/**/*.md", "!docs/old/**"]);
    let mut slow = hook("slow", "x", "touch started; sleep 600");
    slow["prompt"] = "go".into();
    let project = Project::new(&json!([bad, slow]));
    let _server = project.serve();
    project.sandbox.write("docs/a/long/path/to/the/page-about-something.md", "1\n");
    until("it failed", || project.runs(&[]).len() == 1);
    project.run(&["emit", "x"]);
    until("it started", || project.sandbox.path("started").exists());
    let id = project.runs(&[])[0]["id"].as_str().unwrap().to_owned();
    let open = project.json(&["automation", "runs", "--json"])["runs"][0]["id"].as_str().unwrap().to_owned();
    for (args, parts) in [
        (&["automation", "list"][..], vec!["check-the-links", "slow", "onDidSaveText", "command"]),
        (
            &["automation", "history"],
            vec![id.as_str(), "failed", "check-the-l", "EXIT_CODE: a line", "+05:30"],
        ),
        (&["automation", "runs"], vec![open.as_str(), "running", "slow"]),
    ] {
        let output =
            project.command().args(args).env("COLUMNS", "80").env("TZ", "IST-5:30").output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= 80, "{widest}:\n{text}");
        for part in parts {
            assert!(text.contains(part), "no {part}:\n{text}");
        }
    }
}

#[test]
fn an_id_that_fills_the_line_stays_whole_and_the_line_fits() {
    let id = "an-automation-whose-name-leaves-little-room-for-anything-else";
    let project =
        Project::new(&json!([hook(id, "onDidSaveTextDocument", "true"), hook("short", "x", "true")]));
    let output = project.command().args(["automation", "list"]).env("COLUMNS", "80").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.contains(&format!("{id}  on ")), "{text}");
}

#[test]
fn a_run_by_hand_takes_values() {
    let mut go = hook("go", "x", "cat");
    go["prompt"] = "{version} {note}".into();
    let project = Project::new(&json!([go]));
    let (code, stdout, stderr) =
        project.run(&["automation", "run", "go", "--data", "version=1.2", "--data", "note=a=b"]);
    assert_eq!((code, stdout.as_str()), (0, "1.2 a=b\n"), "{stderr}");
    assert_eq!(project.run(&["automation", "run", "go", "--data", "nonsense"]).0, 2);
}

#[test]
fn a_failure_starts_the_command_of_the_user() {
    let mut bad = hook("bad", "x", "exit 3");
    bad["name"] = "Bad one".into();
    let project = Project::new(&json!([bad, hook("good", "x", "true")]));
    let script = "printf '%s|' \"$@\" >> ../elsewhere/told";
    let command = ["sh", "-c", script, "sh", "{name}", "{status}", "{error}", "$(touch oops) {file}"];
    project.sandbox.config(&json!({"automation": {"onFailure": command}}));
    project.sandbox.trust();
    let _server = project.serve();
    for _ in 0..3 {
        project.run(&["emit", "x", "--file", "a b.txt"]);
        until("it ran", || project.json(&["automation", "runs", "--json"])["runs"] == json!([]));
    }
    until("the command ran", || !project.read("../elsewhere/told").is_empty());
    let told = project.read("../elsewhere/told");
    assert!(
        told.starts_with("Bad one|failed|`") && told.ends_with("exit code 3|$(touch oops) a b.txt|"),
        "{told}"
    );
    assert!(!project.sandbox.path("oops").exists());
    assert_eq!(told.matches("Bad one").count(), 1, "not again for every failure");
}

#[test]
fn hooks_of_kiro_and_lefthook_are_imported_and_run() {
    let mut own = hook("own", "x", "true");
    own["prompt"] = "own".into();
    let project = Project::new(&json!([own]));
    let kiro = |when: Value, then: Value| json!({"enabled": true, "name": "K", "version": "1", "when": when, "then": then});
    let edited = json!({"type": "fileEdited", "patterns": ["**/*.ts"]});
    let lint = json!({"type": "runCommand", "command": "echo lint ${file} >> ../elsewhere/seen"});
    project.sandbox.write(".kiro/hooks/lint.kiro.hook", kiro(edited, lint).to_string());
    let ask = kiro(json!({"type": "agentStop"}), json!({"type": "askAgent", "prompt": "Summarise"}));
    project.sandbox.write(".kiro/hooks/sum.json", ask.to_string());
    let task = kiro(json!({"type": "preTaskExecution"}), json!({"type": "askAgent", "prompt": "x"}));
    project.sandbox.write(".kiro/hooks/task.json", task.to_string());
    project.sandbox.write(
        "lefthook.yml",
        "pre-commit:\n  commands:\n    fmt:\n      glob: '*.rs'\n      run: printf '<%s>' {staged_files} >> ../elsewhere/seen\npre-push:\n  commands:\n    test: {run: make}\n",
    );
    project.sandbox.write("other/lefthook.toml", "[pre-commit.commands.a]\nrun = 'true'\n");
    let (code, _, stderr) = project.run(&["automation", "import", "other/lefthook.toml"]);
    assert!(code == 0 && stderr.contains("lefthook.toml: steersman does not read TOML"), "{stderr}");
    let before = project.read(".akira/hooks.json");
    let (code, stdout, stderr) = project.run(&["automation", "import", "--dry-run"]);
    assert!(code == 0 && stdout.contains('+'), "{stdout} {stderr}");
    assert_eq!(project.read(".akira/hooks.json"), before);
    let (code, stdout, stderr) = project.run(&["automation", "import"]);
    assert_eq!(code, 0, "{stderr}");
    for id in ["lint", "sum", "pre-commit-fmt"] {
        assert!(stdout.lines().any(|it| it.starts_with(&format!("{id} "))), "{stdout}");
    }
    for remark in ["task.json: `when.type` is `preTaskExecution`", "`pre-push/test` is a `pre-push` hook"] {
        assert!(stderr.contains(remark), "{stderr}");
    }
    let (code, _, stderr) = project.run(&["automation", "validate"]);
    assert!(code == 0, "{stderr}");
    let again = project.json(&["automation", "import", "--json"]);
    assert_eq!((&again["imported"], again["skipped"].as_array().unwrap().len()), (&json!([]), 3));
    project.sandbox.trust();
    let _server = project.serve();
    project.sandbox.write("src/a b.ts", "1");
    project.sandbox.write("src/x.rs", "1");
    project.sandbox.write("src/y.rs", "1");
    let root = project.sandbox.root().display().to_string();
    let seen = || project.read("../elsewhere/seen").replace(&root, "");
    until("both ran", || seen().contains("lint /src/a b.ts\n") && seen().contains("</src/x.rs></src/y.rs>"));
}
