//! Commits, and file changes by git that are not saves.

use std::fs;

use serde_json::{Value, json};

use super::stage::{Project, hook, until};

/// Creates a repository with one commit and automations that log its commits and saves outside of it.
fn repository() -> Project {
    let project = Project::new(&json!([]));
    fs::remove_dir_all(project.sandbox.path(".git")).unwrap();
    let mut on_commit = hook("told", "gitCommit", "echo \"$(cat)\" >> ../elsewhere/told");
    on_commit["prompt"] = "{commitKind} on {branch}".into();
    on_commit["allowGit"] = true.into();
    on_commit["repoRoot"] = ".".into();
    let saved: Value = hook("saved", "onDidSaveTextDocument", "echo \"$(cat)\" >> ../elsewhere/saved");
    project.declare(&json!([on_commit, saved]));
    project.git(&["init", "-q", "-b", "main"]);
    project.git(&["add", ".akira"]);
    project.git(&["commit", "-q", "-m", "first"]);
    project
}

fn add(project: &Project, file: &str, text: &str) {
    project.sandbox.write(file, text);
    project.git(&["add", file]);
}

/// Returns the logged lines, sorted, without duplicates for saves: on a busy machine half a second can pass
/// between two steps of one save.
fn noted(project: &Project, file: &str) -> Vec<String> {
    let text = project.read(format!("../elsewhere/{file}"));
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    if file == "saved" {
        lines.dedup();
    }
    lines
}

#[test]
fn commits_amends_merges_and_rebases_are_told_apart() {
    let project = repository();
    let _server = project.serve();
    let mut expected = Vec::new();
    let mut tell = |line: &str| {
        expected.push(line.to_owned());
        expected.sort();
        until(line, || noted(&project, "told") == expected);
    };
    add(&project, "a.txt", "1");
    project.git(&["commit", "-q", "-m", "second"]);
    tell("commit on main");
    project.git(&["commit", "-q", "--amend", "-m", "second, better"]);
    tell("amend on main");
    project.git(&["checkout", "-q", "-b", "side", "HEAD~1"]);
    add(&project, "b.txt", "1");
    project.git(&["commit", "-q", "-m", "beside"]);
    tell("commit on side");
    project.git(&["checkout", "-q", "main"]);
    project.git(&["merge", "-q", "--no-ff", "-m", "both", "side"]);
    tell("merge on main");
    project.git(&["checkout", "-q", "-b", "late", "HEAD~1"]);
    add(&project, "c.txt", "1");
    project.git(&["commit", "-q", "-m", "late"]);
    tell("commit on late");
    project.git(&["rebase", "-q", "main"]);
    tell("rebase on late");
}

#[test]
fn branches_are_switched_and_the_tree_is_cleaned_without_a_save_and_without_an_end() {
    let project = repository();
    for n in 0..50 {
        add(&project, &format!("src/part{}/file{n}.txt", n % 5), "main");
    }
    project.git(&["commit", "-q", "-m", "many"]);
    project.git(&["checkout", "-q", "-b", "other"]);
    for n in 0..50 {
        add(&project, &format!("src/part{}/file{n}.txt", n % 5), "other");
    }
    project.git(&["commit", "-q", "-m", "many others"]);
    let server = project.serve();
    project.git(&["checkout", "-q", "main"]);
    project.git(&["checkout", "-q", "--detach", "HEAD~1"]);
    project.git(&["checkout", "-q", "other"]);
    let journal = fs::metadata(project.sandbox.path(".git/logs/HEAD")).unwrap().modified().unwrap();
    until("the clock of files has moved on", || {
        project.sandbox.write("../elsewhere/tick", "");
        let tick = fs::metadata(project.sandbox.path("../elsewhere/tick")).unwrap();
        tick.modified().unwrap() > journal
    });
    project.sandbox.write("src/part0/mine.txt", "1");
    until("a save after the switches is seen", || !noted(&project, "saved").is_empty());
    assert_eq!(noted(&project, "saved"), ["about mine.txt"], "files that git wrote are not saves");
    // Git fails to remove a folder in which a file appears meanwhile.
    until("the tree is cleaned", || project.try_git(&["clean", "-q", "-f", "-d", "-x"]).status.success());
    let pid = server.0.id();
    until("the server is back in its place", || project.holder()["pid"] == pid);
    project.sandbox.write("src/part1/again.txt", "1");
    until("a save after the cleaning is seen", || {
        noted(&project, "saved") == ["about again.txt", "about mine.txt"]
    });
    assert_eq!(project.run(&["serve"]).0, 1, "it is still the only one");
    assert_eq!(project.run(&["automation", "run", "saved"]).0, 0, "and runs what it is asked to");
}

#[test]
fn a_repository_created_later_triggers_from_its_first_commit() {
    let project = repository();
    fs::remove_dir_all(project.sandbox.path(".git")).unwrap();
    fs::create_dir_all(project.sandbox.path(".ai/hooks")).unwrap();
    let _server = project.serve();
    until("it reports that there are no commits", || project.log("NO_COMMITS").len() == 1);
    project.git(&["init", "-q", "-b", "main"]);
    project.git(&["add", ".akira"]);
    project.git(&["commit", "-q", "-m", "first"]);
    until("the first commit triggers", || noted(&project, "told") == ["commit on main"]);
}

#[test]
fn a_commit_made_without_a_server_triggers_with_its_own_time() {
    let project = repository();
    let mut on_commit = hook("told", "gitCommit", "echo \"$(cat)\" >> ../elsewhere/told");
    on_commit["prompt"] = "{commitKind} at {timestamp}".into();
    on_commit["allowGit"] = true.into();
    on_commit["repoRoot"] = ".".into();
    project.declare(&json!([on_commit]));
    assert_eq!(project.serve().stop(), Some(0));
    let hour_ago = store::now().as_millis() / 1000 - 3600;
    let done = project
        .git_command(&["commit", "-q", "--allow-empty", "-m", "meanwhile"])
        .env("GIT_COMMITTER_DATE", format!("{hour_ago} +0000"))
        .status();
    assert!(done.unwrap().success());
    let _server = project.serve();
    let moment = store::Timestamp::from_millis(hour_ago * 1000);
    until("it triggers", || noted(&project, "told") == [format!("commit at {moment}")]);
}

#[test]
fn queued_and_running_runs_survive_a_cleaned_tree_and_a_switched_branch() {
    let project = repository();
    let wait = "echo begun >> ../elsewhere/order; until [ -e ../elsewhere/go ]; do sleep 0.05; done; echo ended >> ../elsewhere/order";
    let mut one_by_one = hook("slow", "tick", wait);
    one_by_one["concurrency"] = 1.into();
    project.declare(&json!([one_by_one]));
    project.git(&["add", ".akira"]);
    project.git(&["commit", "-q", "-m", "slow"]);
    project.git(&["branch", "other"]);
    let server = project.serve();
    assert_eq!(project.run(&["emit", "tick"]).0, 0);
    assert_eq!(project.run(&["emit", "tick"]).0, 0);
    until("one is running", || noted(&project, "order") == ["begun"]);
    until("one waits", || project.page("/metrics").contains("steersman_queue_length 1"));
    project.git(&["checkout", "-q", "other"]);
    until("the tree is cleaned", || project.try_git(&["clean", "-q", "-x", "-d", "-f"]).status.success());
    let pid = server.0.id();
    until("the server is back in its place", || project.holder()["pid"] == pid);
    fs::write(project.sandbox.elsewhere().join("go"), "").unwrap();
    until("both have ended", || noted(&project, "order") == ["begun", "begun", "ended", "ended"]);
    until("and are in the history", || project.runs(&["--status", "success"]).len() == 2);
    assert!(project.runs(&[]).iter().all(|run| run["attempts"] == 1), "none was done twice");
}

#[test]
fn a_server_anchors_the_trace_at_the_end_of_a_turn_that_added_lines() {
    let project = repository();
    let sandbox = &project.sandbox;
    let key = sandbox.elsewhere().join("key");
    let mut keygen = std::process::Command::new("ssh-keygen");
    let made = keygen.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(&key).status();
    assert!(made.unwrap().success());
    project.git(&["config", "user.signingKey", key.to_str().unwrap()]);
    let intents =
        "intents:\n  - id: INT-001\n    name: All\n    status: IN_PROGRESS\n    owned_scope: [src/**]\n";
    sandbox.write(".orchestration/active_intents.yaml", intents);
    let selection = json!({"version": 1, "intentId": "INT-001", "since": "2026-01-01T00:00:00.000Z"});
    sandbox.write(".ai/tmp/intent.json", selection.to_string());
    let _server = project.serve();
    let input = json!({"file_path": sandbox.path("src/a.js"), "content": "a\n"});
    let payload = |event: &str| {
        json!({
            "session_id": "s", "cwd": sandbox.root(), "hook_event_name": event, "tool_use_id": "1",
            "tool_name": "Write", "tool_input": input, "tool_response": {},
        })
    };
    sandbox.ask("claude-code", "PreToolUse", &payload("PreToolUse"));
    sandbox.write("src/a.js", "a\n");
    sandbox.ask("claude-code", "PostToolUse", &payload("PostToolUse"));
    let stop = json!({"session_id": "s", "cwd": sandbox.root(), "hook_event_name": "Stop"});
    sandbox.ask("claude-code", "Stop", &stop);
    until("the trace is anchored", || project.log("ANCHORED").len() == 1);
    let notes = std::process::Command::new("git")
        .args(["notes", "--ref=steersman", "show", "HEAD"])
        .current_dir(sandbox.root())
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&notes.stdout).contains("agent_trace.jsonl"), "{notes:?}");
}
