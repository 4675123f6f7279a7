//! Saves of files, as editors write them.

use std::fs;
use std::process::Command;

use serde_json::json;

use super::stage::{Project, hook, until};

/// Declares an automation that logs the name of every saved file.
fn noting(pattern: &str) -> Project {
    let mut on_save =
        hook("note", "onDidSaveTextDocument", "echo \"$(cat)\" >> ../elsewhere/seen; echo NOTED");
    on_save["pattern"] = pattern.into();
    Project::new(&json!([on_save]))
}

/// Returns the logged files, sorted. Ignores how often each was logged: on a busy machine half a second can
/// pass between two steps of one save.
fn noted(project: &Project) -> Vec<String> {
    let mut seen: Vec<String> = project.read("../elsewhere/seen").lines().map(str::to_owned).collect();
    seen.sort();
    seen.dedup();
    seen
}

fn n_noted(project: &Project) -> usize {
    project.read("../elsewhere/seen").lines().count()
}

#[test]
fn a_save_triggers_one_run_that_appears_in_history_logs_and_metrics() {
    let project = noting("src/**");
    project.sandbox.write("src/a.rs", "1");
    project.sandbox.write(".gitignore", "*.log\nsrc/made/\n");
    let _server = project.serve();
    for n in 0..5 {
        project.sandbox.write("src/a.rs", n.to_string());
        project.sandbox.write("src/ignored.log", n.to_string());
        project.sandbox.write("src/made/b.rs", n.to_string());
        project.sandbox.write("other.rs", n.to_string());
    }
    until("the run is done", || noted(&project) == ["about a.rs"]);
    until("it is on record", || project.runs(&[]).len() == n_noted(&project));
    let n_before = n_noted(&project);
    // By rename, as most editors do, with a backup and a swap file beside it.
    project.sandbox.write("src/a.rs~", "old");
    project.sandbox.write("src/.a.rs.swp", "swap");
    project.sandbox.write("src/4913", "");
    fs::remove_file(project.sandbox.path("src/4913")).unwrap();
    project.sandbox.write("src/.a.rs.tmp", "new");
    fs::rename(project.sandbox.path("src/.a.rs.tmp"), project.sandbox.path("src/a.rs")).unwrap();
    until("another run is done", || n_noted(&project) > n_before);
    assert_eq!(noted(&project), ["about a.rs"]);
    until("all are in the metrics", || {
        let counted = "steersman_executions_total{hook=\"note\",status=\"success\"}";
        project.page("/metrics").contains(&format!("{counted} {}\n", n_noted(&project)))
    });
    assert!(project.page("/automations").contains("note"));
    assert!(project.page("/elsewhere").starts_with("HTTP/1.1 404"));
    until("all are found by their output", || project.runs(&["--grep", "noted"]).len() == n_noted(&project));
    let narrowed = ["--hook", "note", "--status", "success", "--since", "1h"];
    until("all are found by their marks", || project.runs(&narrowed).len() == n_noted(&project));
    assert_eq!(project.runs(&["--status", "failed"]).len(), 0);
    let (code, stdout, _) = project.run(&["automation", "logs", "--hook", "note"]);
    assert_eq!(code, 0);
    // The output of a run that takes long comes while it runs.
    let has_output = stdout.contains("success\n    NOTED") || stdout.contains("| NOTED");
    assert!(stdout.contains("started, try 1") && has_output, "{stdout}");
}

#[test]
fn files_in_folders_that_appear_are_seen_and_folders_that_are_moved_bring_no_saves() {
    let project = noting("**/*.txt");
    project.sandbox.write("old/kept.txt", "1");
    let hour_ago = std::time::SystemTime::now() - std::time::Duration::from_hours(1);
    fs::File::options()
        .write(true)
        .open(project.sandbox.path("old/kept.txt"))
        .unwrap()
        .set_modified(hour_ago)
        .unwrap();
    let _server = project.serve();
    project.sandbox.write("new/very/deep/a.txt", "1");
    until("the file in new folders is seen", || noted(&project) == ["about a.txt"]);
    fs::rename(project.sandbox.path("old"), project.sandbox.path("moved")).unwrap();
    // A folder that is removed and created again is watched again.
    fs::remove_dir_all(project.sandbox.path("new")).unwrap();
    project.sandbox.write("new/very/deep/b.txt", "1");
    until("the file in recreated folders is seen", || noted(&project) == ["about a.txt", "about b.txt"]);
    project.sandbox.write("moved/c.txt", "1");
    until("a file in the moved folder is seen", || {
        noted(&project) == ["about a.txt", "about b.txt", "about c.txt"]
    });
}

#[test]
fn a_changed_status_of_a_specification_triggers_with_both_statuses() {
    let mut changed = hook("told", "specStatusChange", "cat > ../elsewhere/status");
    changed["prompt"] = "{specId}: {oldStatus} -> {newStatus}".into();
    let project = Project::new(&json!([changed]));
    project.sandbox.write("specs/011-hooks/spec.md", "# X\n\n**Status**: Draft\n");
    let _server = project.serve();
    project.sandbox.write("specs/011-hooks/spec.md", "# X\n\n**Status**: Draft\n\nMore words.\n");
    project.sandbox.write("specs/011-hooks/spec.md", "# X\n\n**Status**: In Review\n\nMore words.\n");
    until("the change triggers", || project.read("../elsewhere/status") == "011-hooks: Draft -> In Review");
}

#[test]
fn a_folder_that_is_not_ignored_any_more_is_watched() {
    let project = noting("**");
    project.sandbox.write(".gitignore", "made/\n");
    project.sandbox.write("made/deep/before.txt", "1");
    let _server = project.serve();
    project.sandbox.write("made/deep/ignored.txt", "1");
    project.sandbox.write(".gitignore", "\n");
    until("the new rules are seen", || noted(&project) == ["about .gitignore"]);
    project.sandbox.write("made/deep/seen.txt", "1");
    until("a save is seen", || noted(&project) == ["about .gitignore", "about seen.txt"]);
    fs::write(project.sandbox.path(".gitignore"), "made/\n*.log\n").unwrap();
    fs::remove_file(project.sandbox.path(".gitignore")).unwrap();
    project.sandbox.write("made/deep/again.log", "1");
    until("what no file ignores is seen", || noted(&project).contains(&"about again.log".to_owned()));
}

/// Reading a pipe without a writer would never end.
#[test]
fn pipes_in_place_of_files_do_not_stop_a_server() {
    let mut created =
        hook("created", "onDidCreateFiles", "cat >> ../elsewhere/seen; echo >> ../elsewhere/seen");
    created["prompt"] = "{fileName}".into();
    let status = hook("status", "specStatusChange", "true");
    let project = Project::new(&json!([created, status]));
    for pipe in
        [".gitignore", "sub/.gitignore", "specs/1/spec.md", "sub/pipe.txt", ".github/agents/x.agent.md"]
    {
        let path = project.sandbox.path(pipe);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _ = fs::remove_file(&path);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    }
    let server = project.serve();
    for file in ["a.txt", "sub/b.txt"] {
        project.sandbox.write(file, "1\n");
    }
    until("both are seen", || {
        let seen = project.read("../elsewhere/seen");
        seen.contains("a.txt") && seen.contains("b.txt")
    });
    assert_eq!(server.stop(), Some(0));
}
