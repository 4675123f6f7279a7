//! Tests of finding a command's changes afterwards.

use std::fs;
use std::time::Duration;

use intent::{Changes, FileSystemTime, Limits, Protected, Scope};

use crate::sandbox::{Sandbox, intent};

/// Waits until the file system's clock has advanced, so that existing files are older.
fn tick() {
    std::thread::sleep(Duration::from_millis(20));
}

#[test]
fn only_what_changed_since_the_moment_and_git_does_not_ignore_is_found() {
    let sandbox = Sandbox::with(&[
        (".gitignore", "target/\n*.log\n!keep.log\n/.orchestration/\n"),
        (".git/info/exclude", "private\n"),
        (".git/index", ""),
        ("src/old.ts", ""),
        ("src/moved.ts", ""),
        ("deep/.gitignore", "/gen\n!gen/x\n"),
        ("deep/old", ""),
        (".orchestration/active_intents.yaml", ""),
    ]);
    tick();
    let moment = FileSystemTime::mark(&sandbox.at(".ai/tmp/s/intent/clock")).unwrap();
    for path in [
        "src/new.ts",
        "deep/old",
        "target/x",
        "a.log",
        "keep.log",
        "private",
        ".git/index",
        "deep/gen/x",
        "gen",
        ".orchestration/active_intents.yaml",
        ".ai/tmp/s/x",
    ] {
        sandbox.write(path, "changed");
    }
    fs::rename(sandbox.at("src/moved.ts").as_path(), sandbox.at("src/there.ts").as_path()).unwrap();
    let scope = Scope::open(&sandbox.root, Protected::with([]));
    let changes = Changes::since(moment, &scope, &[".ai/tmp"], Limits::default());
    let files: Vec<&str> = changes.files.iter().map(event::RepoPath::as_str).collect();
    assert_eq!(
        files,
        [".orchestration/active_intents.yaml", "deep/old", "gen", "keep.log", "src/new.ts", "src/there.ts"]
    );
    assert!(changes.complete);

    let drift = changes.drift(&scope, &intent(&["src/**", "gen"]));
    let paths: Vec<&str> = drift.iter().map(|it| it.violation.path.as_str()).collect();
    assert_eq!(paths, [".orchestration/active_intents.yaml", "deep/old", "keep.log"]);
    assert!(drift[1].undo.contains("git restore -- 'deep/old'"), "{}", drift[1].undo);
}

#[test]
fn a_scan_that_stops_early_says_so() {
    let sandbox = Sandbox::new();
    for n in 0..50 {
        sandbox.write(&format!("f{n}"), "");
    }
    let scope = Scope::open(&sandbox.root, Protected::with([]));
    let moment = FileSystemTime::mark(&sandbox.at(".ai/tmp/clock")).unwrap();
    let changes = Changes::since(moment, &scope, &[], Limits { n_entries: 10, ..Limits::default() });
    assert!(!changes.complete);
}

#[cfg(unix)]
#[test]
fn a_link_swapped_in_between_check_and_write_is_found_afterwards() {
    let sandbox = Sandbox::with(&[("src/a.ts", ""), ("lib/b.ts", "")]);
    tick();
    let moment = FileSystemTime::mark(&sandbox.at(".ai/tmp/clock")).unwrap();
    fs::remove_file(sandbox.at("src/a.ts").as_path()).unwrap();
    sandbox.link("src/a.ts", "../lib/b.ts");
    fs::write(sandbox.at("src/a.ts").as_path(), "written through the link").unwrap();
    let scope = Scope::open(&sandbox.root, Protected::with([]));
    let changes = Changes::since(moment, &scope, &[".ai/tmp"], Limits::default());
    let drift = changes.drift(&scope, &intent(&["src/**"]));
    let paths: Vec<&str> = drift.iter().map(|it| it.violation.path.as_str()).collect();
    assert_eq!(paths, ["lib/b.ts", "src/a.ts"]);
}
