//! Tests of finding a command's changes afterwards.

use std::fs;
use std::time::Duration;

use intent::{
    Baseline, Changes, FileSystemTime, FolderRecord, Limits, OwnFiles, Protected, ScanStart, Scope, Watched,
};

use crate::sandbox::{Sandbox, intent};

/// Waits until the file system's clock has advanced, so that existing files are older.
fn tick() {
    std::thread::sleep(Duration::from_millis(20));
}

/// The files of steersman itself.
fn own(sandbox: &Sandbox) -> OwnFiles {
    OwnFiles::of(&store::Workspace::at(sandbox.root.clone()))
}

/// Searches without knowledge of the contents before.
fn since(moment: FileSystemTime, scope: &Scope, folders: &FolderRecord, limits: Limits) -> Changes {
    let own = &OwnFiles::of(&store::Workspace::at(scope.root().clone()));
    let baseline = Baseline { watched: None, folders: Some(folders), index: None, intent: None, own };
    Changes::since(&[ScanStart::workspace(moment)], scope, &baseline, limits)
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
    let folders = FolderRecord::of_workspace(&sandbox.root, Duration::from_secs(9));
    tick();
    let moment = FileSystemTime::mark(&sandbox.at(".ai/tmp/00000001/intent/clock")).unwrap();
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
        ".ai/tmp/00000001/x",
    ] {
        sandbox.write(path, "changed");
    }
    fs::rename(sandbox.at("src/moved.ts").as_path(), sandbox.at("src/there.ts").as_path()).unwrap();
    let scope = Scope::open(&sandbox.root, Protected::with([]));
    let changes = since(moment, &scope, &folders, Limits::default());
    let files: Vec<&str> = changes.files.iter().map(event::RepoPath::as_str).collect();
    assert_eq!(
        files,
        [".orchestration/active_intents.yaml", "deep/old", "gen", "keep.log", "src/new.ts", "src/there.ts"]
    );
    assert!(changes.is_complete());

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
    let moment = FileSystemTime::mark(&sandbox.at(".ai/tmp/00000001/clock")).unwrap();
    fs::create_dir(sandbox.at("deep").as_path()).unwrap();
    let changes =
        since(moment, &scope, &FolderRecord::default(), Limits { n_entries: 10, ..Limits::default() });
    assert!(!changes.is_complete());
    assert!(changes.unvisited.iter().any(|it| it.folder == "deep"), "the next search begins there");
}

#[cfg(unix)]
#[test]
fn a_link_swapped_in_between_check_and_write_is_found_afterwards() {
    let sandbox = Sandbox::with(&[("src/a.ts", ""), ("lib/b.ts", "")]);
    tick();
    let moment = FileSystemTime::mark(&sandbox.at(".ai/tmp/00000001/clock")).unwrap();
    fs::remove_file(sandbox.at("src/a.ts").as_path()).unwrap();
    sandbox.link("src/a.ts", "../lib/b.ts");
    fs::write(sandbox.at("src/a.ts").as_path(), "written through the link").unwrap();
    let scope = Scope::open(&sandbox.root, Protected::with([]));
    let changes = since(moment, &scope, &FolderRecord::default(), Limits::default());
    let drift = changes.drift(&scope, &intent(&["src/**"]));
    let paths: Vec<&str> = drift.iter().map(|it| it.violation.path.as_str()).collect();
    assert_eq!(paths, ["lib/b.ts", "src/a.ts"]);
}

/// The state of a workspace before a call.
struct Before {
    sandbox: Sandbox,
    scope: Scope,
    watched: Watched,
    folders: FolderRecord,
    moment: FileSystemTime,
}

/// The changes that a search found, by kind.
#[derive(Debug, PartialEq, Eq, Default)]
struct Summary {
    files: Vec<String>,
    folders: Vec<String>,
    new: Vec<String>,
}

impl Before {
    fn of(files: &[(&str, &str)]) -> Self {
        Self::in_sandbox(Sandbox::with(files))
    }

    fn in_sandbox(sandbox: Sandbox) -> Self {
        let scope = Scope::open(&sandbox.root, Protected::with([]));
        sandbox.write(".ai/tmp/00000001/x", "");
        let folders = FolderRecord::of_workspace(&sandbox.root, Duration::from_secs(9));
        tick();
        let watched = Watched::now(&scope, None, &own(&sandbox));
        let moment = FileSystemTime::mark(&sandbox.at(".ai/tmp/00000001/clock")).unwrap();
        Self { sandbox, scope, watched, folders, moment }
    }

    fn changes(&self) -> Changes {
        let baseline = Baseline {
            index: None,
            watched: Some(&self.watched),
            folders: Some(&self.folders),
            intent: None,
            own: &own(&self.sandbox),
        };
        Changes::since(&[ScanStart::workspace(self.moment)], &self.scope, &baseline, Limits::default())
    }

    fn summary(&self) -> Summary {
        let changes = self.changes();
        Summary {
            files: changes.files.iter().map(|file| file.as_str().to_owned()).collect(),
            folders: changes.folders.into_iter().collect(),
            new: changes.new_folders.into_iter().collect(),
        }
    }

    fn rename(&self, from: &str, to: &str) {
        fs::rename(self.sandbox.at(from).as_path(), self.sandbox.at(to).as_path()).unwrap();
    }
}

fn summary(files: &[&str], folders: &[&str], new: &[&str]) -> Summary {
    let owned = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect();
    Summary { files: owned(files), folders: owned(folders), new: owned(new) }
}

#[test]
fn everything_in_a_folder_that_was_moved_counts_and_nothing_beside_it() {
    let before = Before::of(&[("lib/a/1", ""), ("lib/a/deep/2", ""), ("lib/b/3", ""), ("src/4", "")]);
    before.rename("lib/a", "src/a");
    let found = summary(&["src/a/1", "src/a/deep/2"], &["lib", "src"], &["src/a", "src/a/deep"]);
    assert_eq!(before.summary(), found);
}

#[test]
fn a_folder_that_was_moved_away_and_back_did_not_change() {
    let before = Before::of(&[("lib/a/1", ""), ("lib/b/2", "")]);
    before.rename("lib/a", "lib/c");
    before.rename("lib/c", "lib/a");
    let found = before.summary();
    assert_eq!((found.files, found.new), (vec![], vec![]));
}

#[test]
fn a_file_that_was_added_beside_others_is_the_only_one_that_counts() {
    let before = Before::of(&[("lib/a/1", ""), ("lib/2", "")]);
    before.sandbox.write("lib/a/new", "");
    before.sandbox.write("lib/new", "");
    before.sandbox.write("new", "");
    assert_eq!(before.summary(), summary(&["lib/a/new", "lib/new", "new"], &["", "lib", "lib/a"], &[]));
}

#[test]
fn a_removed_file_is_seen_in_its_folder_and_an_empty_folder_for_itself() {
    let before = Before::of(&[("lib/a/1", ""), ("lib/b/2", "")]);
    fs::remove_file(before.sandbox.at("lib/a/1").as_path()).unwrap();
    fs::create_dir(before.sandbox.at("lib/b/empty").as_path()).unwrap();
    assert_eq!(before.summary(), summary(&[], &["lib/a", "lib/b"], &["lib/b/empty"]));
}

#[test]
fn a_rule_that_a_command_adds_hides_nothing() {
    let before = Before::of(&[(".gitignore", "*.log\n"), ("lib/x", ""), ("deep/.gitignore", "gen\n")]);
    before.sandbox.write(".gitignore", "*.log\nlib/\n");
    before.sandbox.write("lib/.gitignore", "*\n");
    before.sandbox.write("deep/.gitignore", "*\n");
    for file in ["lib/x", "lib/y", "deep/z", "a.log"] {
        before.sandbox.write(file, "changed");
    }
    let files = before.summary().files;
    assert_eq!(files, [".gitignore", "deep/.gitignore", "deep/z", "lib/.gitignore", "lib/x", "lib/y"]);
}

fn git(sandbox: &Sandbox, args: &[&str]) {
    let mut git = std::process::Command::new("git");
    git.args(["-c", "user.name=t", "-c", "user.email=t@example.com"]).args(args);
    git.current_dir(sandbox.root.as_path()).env_remove("GIT_DIR");
    assert!(git.output().unwrap().status.success(), "{args:?}");
}

#[test]
fn a_tracked_file_and_a_dot_env_are_never_ignored() {
    let sandbox = Sandbox::with(&[
        (".gitignore", "build/\n*.gen\n.env\n"),
        ("build/kept", ""),
        ("build/deep/kept", ""),
        ("a.gen", ""),
        ("lib/.env", ""),
    ]);
    git(&sandbox, &["init", "-q"]);
    git(&sandbox, &["add", "-f", "-A"]);
    let before = Before::in_sandbox(sandbox);
    for file in ["build/kept", "build/other", "a.gen", "b.gen", "lib/.env", ".env.local"] {
        before.sandbox.write(file, "changed");
    }
    fs::remove_file(before.sandbox.at("build/deep/kept").as_path()).unwrap();
    let changes = before.changes();
    let files: Vec<&str> = changes.files.iter().map(event::RepoPath::as_str).collect();
    assert_eq!(files, [".env.local", "a.gen", "build/kept", "lib/.env"]);
    assert_eq!(changes.ignored_folders.into_iter().collect::<Vec<_>>(), ["build/deep"]);
}

#[test]
fn what_runs_programs_in_gits_folder_is_compared_by_content() {
    let sandbox = Sandbox::with(&[("src/a", "")]);
    git(&sandbox, &["init", "-q"]);
    let before = Before::in_sandbox(sandbox);
    git(&before.sandbox, &["add", "-A"]);
    git(&before.sandbox, &["commit", "-q", "-m", "a"]);
    assert_eq!(before.summary(), Summary::default(), "git's own work");
    before.sandbox.write(".git/hooks/pre-commit", "evil");
    git(&before.sandbox, &["config", "core.fsmonitor", "evil"]);
    assert_eq!(before.summary().files, [".git/config", ".git/hooks/pre-commit"]);
}

#[test]
fn a_large_workspace_is_searched_by_several_threads_with_the_same_result() {
    let sandbox = Sandbox::new();
    for folder in 0..60 {
        for file in 0..100 {
            sandbox.write(&format!("d{folder}/e{}/f{file}", file % 7), "");
        }
    }
    let before = Before::in_sandbox(sandbox);
    for folder in [0, 13, 59] {
        before.sandbox.write(&format!("d{folder}/e3/f3"), "changed");
    }
    let found = before.summary();
    assert_eq!(found, summary(&["d0/e3/f3", "d13/e3/f3", "d59/e3/f3"], &[], &[]));
}
