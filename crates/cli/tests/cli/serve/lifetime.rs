//! How a server starts, its state, and how it stops.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::json;

use super::stage::{Project, Server, hook, until};

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
    let leaving = thread::spawn(move || server.stop());
    until("it says that it leaves", || project.log("STOPPING").len() == 1);
    project.sandbox.write("go", "");
    assert_eq!(leaving.join().unwrap(), Some(0));
    assert_eq!(project.read("order"), "begun\nended\n");
    assert_eq!(project.runs(&["--status", "success"]).len(), 1);
    let _server = project.serve();
    until("the next server does the second", || project.read("order") == "begun\nended\nbegun\nended\n");
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

/// The file is broken before the server starts and while it runs.
#[test]
fn an_invalid_edit_leaves_the_trusted_version_running_and_every_command_says_so() {
    let project = Project::new(&json!([hook("go", "x", "echo one >> ran")]));
    // A literal secret is in no stored copy.
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let settings = json!({"automation": {"maxConcurrency": 3, "mcpServers": {"a": {"command": token}}}});
    project.sandbox.write(".ai/hooks/config.json", settings.to_string());
    let mut with_secret = hook("go", "x", "echo one >> ran");
    with_secret["metadata"] = json!({"key": token});
    project.declare(&json!([with_secret]));
    let n_ran = || project.read("ran").lines().count();
    let cases = [
        (".akira/hooks.json", "{ \"hooks\": ["),
        (".ai/hooks/config.json", "{"),
        (".ai/hooks/config.json", r#"{"automation": {"maxConcurrency": "many"}}"#),
        (".ai/hooks/config.json", r#"{"automation": {"runner": "cluade"}}"#),
    ];
    for (file, broken, is_serving) in
        cases.iter().flat_map(|(file, text)| [(*file, *text, false), (*file, *text, true)])
    {
        let valid = project.read(file);
        // An invalid edit rarely removes the secrets.
        let broken = if valid.contains(&token) { format!("{broken} \"{token}\"") } else { broken.to_owned() };
        let says = format!("{file} has errors; the version that you trusted stays in use");
        let server = is_serving.then(|| project.serve());
        let n_kept = project.log("CONFIGURATION_KEPT").len();
        project.sandbox.write(file, broken);
        if is_serving {
            until("the server logs it", || project.log("CONFIGURATION_KEPT").len() == n_kept + 1);
        }
        let n = n_ran();
        let of_hooks = i32::from(file.starts_with(".akira"));
        for (args, code) in [
            (&["emit", "x"][..], 0),
            (&["automation", "list"], 0),
            (&["automation", "list", "--json"], 0),
            (&["automation", "show", "go"], 0),
            (&["automation", "show", "go", "--json"], 0),
            (&["automation", "validate", "--json"], 1),
            (&["automation", "runs"], 0),
            (&["automation", "history"], 0),
            (&["automation", "logs"], 0),
            (&["automation", "cancel", "--hook", "nobody"], 0),
            (&["status"], 0),
            (&["automation", "validate"], 1),
            (&["automation", "enable", "go"], of_hooks),
            (&["automation", "add", "--id", "a", "--trigger", "y", "--prompt", "p", "--dry-run"], of_hooks),
            (&["automation", "edit", "go", "--set", "timeoutMs=9000", "--dry-run"], of_hooks),
            (&["automation", "remove", "go", "--dry-run"], of_hooks),
            (&["automation", "import", "--dry-run"], 1),
            (&["trust", "--dry-run"], 1),
            (&["doctor"], 1),
        ] {
            let (found, stdout, stderr) = project.run(args);
            assert!(found == code && (stdout + &stderr).contains(&says), "{file} {args:?}: {stderr}");
        }
        let checked = project.run(&["automation", "validate"]).2;
        assert!(checked.starts_with("error: ") && checked.contains(" 1 error, 0 warnings\n"), "{checked}");
        if is_serving {
            until("the event triggers it", || n_ran() == n + 1);
        }
        let before = n_ran();
        let (code, _, stderr) = project.run(&["automation", "run", "go"]);
        assert_eq!((code, n_ran()), (0, before + 1), "{stderr}");
        assert!(stderr.contains(&says), "{stderr}");
        project.sandbox.write(file, &valid);
        drop(server);
    }
    let server = project.serve();
    // A valid edit waits for trust.
    let n_reloads = project.log("RELOADED").len();
    project.declare(&json!([hook("go", "x", "echo two >> ran")]));
    until("the new version is read", || project.log("RELOADED").len() > n_reloads);
    assert_eq!(project.run(&["emit", "x"]).0, 0);
    until("the new version runs", || project.read("ran").ends_with("two\n"));
    drop(server);
}

/// Every command says the same as the server about a file with errors that nobody ever trusted, and about an id in both files.
#[test]
fn a_new_file_with_errors_leaves_the_other_file_running() {
    let project = Project::new(&json!([hook("go", "x", "echo go >> ran")]));
    let _server = project.serve();
    let hooks = json!([{"id": "go", "trigger": {"agent": "workspace", "operation": "file-save"},
        "action": {"type": "command", "parameters": {"command": ["true"]}}}]);
    let says = ".vscode/gatomia/hooks.json has errors; none of its automations runs";
    for (text, why) in [
        ("[{]".to_owned(), "cannot parse JSON"),
        (hooks.to_string(), "duplicate id `go`, first in .akira/hooks.json:1"),
    ] {
        let n_logged = project.log("CONFIGURATION_INVALID").len();
        project.sandbox.write(".vscode/gatomia/hooks.json", &text);
        until("the server logs it", || project.log("CONFIGURATION_INVALID").len() > n_logged);
        assert!(
            project.log("CONFIGURATION").last().unwrap().contains(why),
            "{:?}",
            project.log("CONFIGURATION")
        );
        for (args, code) in [
            (&["automation", "list"][..], 0),
            (&["automation", "show", "go"], 0),
            (&["automation", "run", "go"], 0),
            (&["automation", "validate"], 1),
            (&["automation", "history"], 0),
            (&["emit", "x"], 0),
            (&["trust"], 1),
            (&["doctor"], 1),
        ] {
            let (found, stdout, stderr) = project.run(args);
            let said = stdout + &stderr;
            assert!(
                found == code && said.contains(says) && !said.contains("no automation runs"),
                "{args:?}: {said}"
            );
            assert!(!said.contains(".akira/hooks.json has errors"), "{args:?}: {said}");
        }
    }
    until("all of them ran", || project.read("ran").lines().count() == 4);
    assert_eq!(project.log("CONFIGURATION_INVALID"), [says; 2]);
    assert_eq!(project.log("NOT_TRUSTED"), [""; 0]);
}

#[test]
fn an_id_that_a_change_adds_to_the_other_file_is_an_error_of_the_changed_file() {
    let project = Project::new(&json!([hook("go", "x", "echo go >> ran")]));
    let hooks = json!([{"id": "save", "trigger": {"agent": "workspace", "operation": "file-save"},
        "action": {"type": "command", "parameters": {"command": ["true"]}}}]);
    project.sandbox.write(".vscode/gatomia/hooks.json", hooks.to_string());
    project.sandbox.trust();
    let both = json!({"hooks": [hook("go", "x", "echo no >> ran"), hook("save", "x", "true")]});
    project.sandbox.write(".akira/hooks.json", both.to_string());
    let (code, table, notes) = project.run(&["automation", "list"]);
    assert!(code == 0 && table.contains("go") && table.contains("save"), "{table}{notes}");
    assert!(notes.contains("error: duplicate id `save`, first in .akira/hooks.json:1"), "{notes}");
    assert!(
        notes.contains(".akira/hooks.json has errors; the version that you trusted stays in use"),
        "{notes}"
    );
    assert!(!notes.contains("none of its automations runs"), "{notes}");
    assert_eq!(project.run(&["automation", "run", "go"]).0, 0);
    assert_eq!(project.read("ran"), "go\n");
}

#[test]
fn files_with_errors_cannot_be_trusted_not_even_the_first_time() {
    let project = Project::new(&json!([]));
    assert_eq!(project.run(&["untrust"]).0, 0);
    project.sandbox.write(".akira/hooks.json", "{\"hooks\": [");
    let (code, _, stderr) = project.run(&["trust"]);
    assert!(code == 1 && stderr.contains("error: cannot parse JSON"), "{stderr}");
    assert!(stderr.contains("cannot trust files with errors: none of their automations runs"), "{stderr}");
}

#[test]
fn an_emptied_file_leaves_the_trusted_version_running() {
    let project = Project::new(&json!([hook("go", "x", "echo ran >> ran")]));
    project.sandbox.write(".akira/hooks.json", "");
    let (code, _, stderr) = project.run(&["automation", "validate"]);
    assert!(code == 1 && stderr.contains("error: the file is empty"), "{stderr}");
    assert!(stderr.contains("the version that you trusted stays in use"), "{stderr}");
    assert_eq!(project.run(&["automation", "run", "go"]).0, 0);
    assert_eq!(project.read("ran"), "ran\n");
}

/// The server keeps running runs, queued runs and a page while `rm` empties the folders it writes to.
#[test]
fn a_workspace_with_a_busy_server_can_be_removed_at_the_first_try() {
    for n in 0..5 {
        let write = hook("go", "onDidSaveTextDocument", "while :; do sleep 0.1; done");
        let project = Project::new(&json!([write, hook("quick", "tick", "echo ran")]));
        let mut server = project.serve();
        project.sandbox.write("a.txt", "1\n");
        until("a run is running", || project.page("/metrics").contains("steersman_active_executions 1"));
        for _ in 0..n {
            assert_eq!(project.run(&["emit", "tick"]).0, 0);
        }
        let root = project.sandbox.root();
        let removed = Command::new("rm").arg("-rf").arg(&root).output().unwrap();
        assert!(removed.status.success(), "{}", String::from_utf8_lossy(&removed.stderr));
        assert_eq!(server.0.wait().unwrap().code(), Some(0));
        assert_eq!(project.log("WORKSPACE_GONE").len(), 1);
        assert!(!root.exists(), "the server does not recreate it");
    }
}

/// Its runs would go on in a folder that the server does not know.
#[test]
fn a_server_whose_workspace_is_moved_stops_its_runs_and_ends() {
    let project = Project::new(&json!([hook("go", "tick", "sleep 600 & echo $! > ../elsewhere/pid; wait")]));
    let mut server = project.serve();
    assert_eq!(project.run(&["emit", "tick"]).0, 0);
    until("it runs", || !project.read("../elsewhere/pid").is_empty());
    let pid = project.read("../elsewhere/pid").trim().to_owned();
    let (root, moved) = (project.sandbox.root(), project.sandbox.elsewhere().join("moved"));
    fs::rename(&root, &moved).unwrap();
    assert_eq!(server.0.wait().unwrap().code(), Some(0));
    assert!(!Path::new("/proc").join(&pid).exists(), "its processes ended");
    assert!(!root.exists(), "the server does not recreate it");
    fs::rename(&moved, &root).unwrap();
    let _server = project.serve();
    until("the run is reported", || project.runs(&["--status", "failed"]).len() == 1);
}

/// The server writes its first records while git removes them. A record may fall between the moment git lists a folder
/// and the moment it removes it, and git does not try again: then a second call succeeds, because the server waits.
#[test]
fn a_tree_can_be_cleaned_while_a_server_starts() {
    let project = Project::new(&json!([]));
    project.git(&["init", "-q"]);
    project.declare(&json!([hook("go", "onDidSaveTextDocument", "true")]));
    project.git(&["add", ".akira"]);
    project.git(&["commit", "-q", "-m", "first"]);
    for n in 0..8 {
        let mut command = project.command();
        command.args(["serve", "--no-web"]).stdout(Stdio::null()).stderr(Stdio::null());
        let server = Server(command.spawn().unwrap());
        thread::sleep(Duration::from_millis(n * 15));
        let mut cleaned = project.try_git(&["clean", "-q", "-fdx"]);
        if !cleaned.status.success() {
            cleaned = project.try_git(&["clean", "-q", "-fdx"]);
        }
        assert!(cleaned.status.success(), "{n}: {}", String::from_utf8_lossy(&cleaned.stderr));
        server.stop();
        project.git(&["clean", "-q", "-fdx"]);
    }
}

#[test]
fn a_cleaned_tree_stays_clean_until_somebody_writes() {
    let project = Project::new(&json!([]));
    project.git(&["init", "-q"]);
    project.declare(&json!([hook("go", "onDidSaveTextDocument", "echo ran >> ../elsewhere/ran")]));
    project.git(&["add", ".akira"]);
    project.git(&["commit", "-q", "-m", "first"]);
    let _server = project.serve();
    let cleaned = project.try_git(&["clean", "-q", "-fdx"]);
    assert!(cleaned.status.success(), "{}", String::from_utf8_lossy(&cleaned.stderr));
    thread::sleep(Duration::from_secs(3));
    let status = || String::from_utf8_lossy(&project.try_git(&["status", "--short"]).stdout).into_owned();
    assert_eq!((status().as_str(), project.sandbox.path(".ai").exists()), ("", false));
    project.sandbox.write("a.txt", "1\n");
    until("the save is answered", || project.read("../elsewhere/ran") == "ran\n");
    assert_eq!(status(), "?? a.txt\n", "git ignores the records");
}

/// The saved file is tracked, so `git clean` leaves it alone; nobody writes afterwards.
#[test]
fn a_save_right_before_a_clean_is_answered_and_no_second_server_starts() {
    let project = Project::new(&json!([]));
    project.git(&["init", "-q"]);
    project.declare(&json!([hook("go", "onDidSaveTextDocument", "cat a.txt >> ../elsewhere/ran")]));
    project.sandbox.write("a.txt", "1\n");
    project.git(&["add", ".akira", "a.txt"]);
    project.git(&["commit", "-q", "-m", "first"]);
    let server = project.serve();
    project.sandbox.write("a.txt", "saved\n");
    project.git(&["clean", "-q", "-fdx"]);
    let second = project.command().args(["serve", "--no-web"]).output().unwrap();
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(!second.status.success() && said.contains("already runs the automations"), "{said}");
    until("the save is answered", || project.read("../elsewhere/ran") == "saved\n");
    until("the server has its record again", || project.holder()["pid"] == server.0.id());
    assert_eq!(project.log("LOCK"), [""; 0]);
}

/// As on a terminal that the user stopped.
#[test]
fn a_server_whose_output_nobody_reads_runs_everything_and_stops() {
    let id = "an-automation-with-a-long-name-to-fill-the-pipe";
    let mut go = hook(id, "tick", "echo ran >> ../elsewhere/ran");
    go["prompt"] = "go".into();
    let project = Project::new(&json!([go]));
    let mut command = project.command();
    command.args(["serve", "--json", "--no-web"]).stdout(Stdio::piped());
    let server = Server(command.spawn().unwrap());
    // A pipe holds 64 KiB; each run prints two lines of about 200 bytes.
    let n = 200;
    for _ in 0..n {
        assert_eq!(project.run(&["emit", "tick"]).0, 0);
    }
    until("all ran", || project.read("../elsewhere/ran").lines().count() == n);
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn a_server_stops_within_its_grace_period_whatever_runs() {
    let stubborn = "trap '' TERM; while :; do sleep 1; done";
    let project = Project::new(&json!([hook("go", "tick", stubborn)]));
    let mut command = project.command();
    command.args(["serve", "--json", "--port", "0", "--grace", "1"]);
    let server = project.begin(command);
    assert_eq!(project.run(&["emit", "tick"]).0, 0);
    until("it runs", || project.page("/metrics").contains("steersman_active_executions 1"));
    assert_eq!(server.stop(), Some(0));
}
