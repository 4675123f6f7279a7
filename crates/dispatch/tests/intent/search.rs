//! Finds every change of a command: moved folders, deletions, the background, and searches that run out of time.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::drift::{git_add, traced, while_call_runs, while_make_runs, world};
use crate::world::{World, told};

/// Does something between two events of a session, and returns what the next one reports.
fn stop_report(world: &World) -> Vec<String> {
    world.claude("s").event("Stop", &json!({}));
    drifted(world)
}

/// Returns every reported path.
pub(crate) fn drifted(world: &World) -> Vec<String> {
    let name = |file: &Value| file["file"].as_str().unwrap().to_owned();
    let files = |drift: Value| drift["files"].as_array().unwrap().iter().map(name).collect::<Vec<_>>();
    world.events("SCOPE_DRIFT").into_iter().flat_map(files).collect()
}

#[test]
fn a_folder_that_was_moved_counts_with_everything_in_it() {
    let world = world();
    world.write("lib/deep/c.ts", "c\n");
    let said = while_make_runs(&world, || fs::rename(world.path("lib"), world.path("other")).unwrap());
    for line in
        ["- lib: it was deleted", "- other/: the folder was made or moved there", "- other/deep/c.ts: "]
    {
        assert!(said.contains(line), "{line}: {said}");
    }
}

#[test]
fn an_untracked_file_that_was_deleted_is_reported_by_its_folder_and_at_the_top_by_its_name() {
    let world = world();
    world.write("notes.txt", "n\n");
    world.write("lib/deep/c.ts", "c\n");
    let said = while_make_runs(&world, || {
        fs::remove_file(world.path("notes.txt")).unwrap();
        fs::remove_file(world.path("lib/deep/c.ts")).unwrap();
    });
    assert!(said.contains("- notes.txt: it was deleted"), "{said}");
    assert!(said.contains("- lib/deep/: entries of the folder were added, removed or renamed"), "{said}");
    assert!(!said.contains("- lib/: "), "{said}");
}

#[test]
fn what_git_rm_and_a_sparse_checkout_remove_is_reported() {
    let world = world();
    for file in ["lib/c.ts", "other/d.ts", "src/a.ts"] {
        world.write(file, "x\n");
    }
    git_add(&world);
    let git = |args: &[&str]| {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
        let mut git = std::process::Command::new("git");
        let done = git.args(identity).args(args).current_dir(world.path("")).output().unwrap();
        assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["commit", "-q", "-m", "a"]);
    let said = while_call_runs(&world, "1", || git(&["rm", "-q", "lib/c.ts"]));
    assert!(said.contains("- lib/: "), "{said}");
    let said = while_call_runs(&world, "2", || git(&["sparse-checkout", "set", "--no-cone", "/src/", "/.*"]));
    assert!(
        said.contains("- other/d.ts: it was deleted") && said.contains("- lib/b.ts: it was deleted"),
        "{said}"
    );
}

#[test]
fn what_happens_in_the_background_is_reported_when_the_turn_ends() {
    let world = world();
    assert_eq!(while_make_runs(&world, || {}), "");
    std::thread::sleep(std::time::Duration::from_millis(20));
    world.write("lib/late.ts", "late\n");
    assert_eq!(stop_report(&world), ["lib/late.ts", "lib/"]);
    world.write("lib/later.ts", "a person wrote this\n");
    world.claude("s").event("UserPromptSubmit", &json!({"prompt": "go on"}));
    assert_eq!(drifted(&world).len(), 2, "the turn is over");
}

#[test]
fn a_job_that_was_left_in_the_background_is_looked_after_beyond_the_turn() {
    let world = world();
    let (claude, input) = (world.claude("s"), json!({"command": "make", "run_in_background": true}));
    assert_eq!(crate::world::refusal(&claude.before("1", "Bash", &input)), None);
    claude.after("1", "Bash", &input);
    claude.event("Stop", &json!({}));
    assert_eq!(drifted(&world), [""; 0]);
    std::thread::sleep(std::time::Duration::from_millis(20));
    world.write("lib/late.ts", "late\n");
    claude.event("UserPromptSubmit", &json!({"prompt": "go on"}));
    assert_eq!(drifted(&world), ["lib/late.ts", "lib/"]);
}

#[test]
fn a_call_whose_end_nobody_reports_is_looked_after_at_the_next_call_and_when_the_turn_ends() {
    for at_stop in [false, true] {
        let world = world();
        let (claude, input) = (world.claude("s"), json!({"command": "make"}));
        assert_eq!(crate::world::refusal(&claude.before("1", "Bash", &input)), None);
        std::thread::sleep(std::time::Duration::from_millis(20));
        world.write("lib/b.ts", "changed\n");
        world.write("src/new.ts", "new\n");
        if at_stop {
            claude.event("Stop", &json!({}));
        } else {
            claude.writes("2", "src/a.ts", "a\n");
        }
        assert_eq!(drifted(&world), ["lib/b.ts"], "{at_stop}");
        assert!(traced(&world).contains(&"CREATE src/new.ts".to_owned()), "{at_stop}");
        claude.after("1", "Bash", &input);
        assert_eq!(drifted(&world).len(), 1, "it is reported once");
    }
}

#[test]
fn gits_own_folder_is_in_no_scope_but_git_may_change_it() {
    let world = World::new();
    world.write(".orchestration/active_intents.yaml", crate::world::INTENTS.replace("src/**", "**"));
    world.select("INT-001");
    world.write("src/a.ts", "a\n");
    git_add(&world);
    let claude = world.claude("s");
    for (n, path) in
        [".git/config", ".git/hooks/pre-commit", "sub/.git/config", ".GIT/info/exclude"].iter().enumerate()
    {
        let why = claude.may_write(&format!("w{n}"), path).unwrap();
        assert!(why.contains("`.git` belongs to git"), "{why}");
    }
    let input = json!({"command": "git add -A && git commit -m x"});
    assert_eq!(crate::world::refusal(&claude.before("g", "Bash", &input)), None);
    let said = while_call_runs(&world, "2", || {
        fs::write(world.path(".git/hooks/post-commit"), "evil").unwrap();
        fs::write(world.path(".git/info/exclude"), "*\n").unwrap();
    });
    assert!(said.contains("- .git/hooks/post-commit: ") && said.contains("- .git/info/exclude: "), "{said}");
}

#[test]
fn rights_links_and_empty_folders_count() {
    use std::os::unix::fs::PermissionsExt;
    let world = world();
    world.write("lib/c.ts", "c\n");
    world.write("other/d.ts", "d\n");
    world.write("src/a.ts", "a\n");
    let said = while_make_runs(&world, || {
        fs::set_permissions(world.path("lib/b.ts"), fs::Permissions::from_mode(0o600)).unwrap();
        fs::hard_link(world.path("lib/c.ts"), world.path("src/c.ts")).unwrap();
        symlink("../lib", world.path("src/link")).unwrap();
        fs::create_dir(world.path("empty")).unwrap();
        fs::set_permissions(world.path("other"), fs::Permissions::from_mode(0o700)).unwrap();
    });
    for line in [
        "- lib/b.ts: ",
        "- lib/c.ts: ",
        "- src/link: ",
        "- empty/: the folder was made",
        "- other/: the folder's rights",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
}

#[test]
fn twenty_thousand_files_of_one_command_are_all_counted() {
    let world = world();
    world.sandbox.manifest(&json!({"budgets": {"PreToolUse": 20_000, "PostToolUse": 60_000}}));
    let said = while_make_runs(&world, || {
        for n in 0..20_000 {
            let path = world.path(&format!("lib/d{}/f{n}", n % 100));
            if n < 100 {
                fs::create_dir(path.parent().unwrap()).unwrap();
            }
            fs::write(path, "x").unwrap();
        }
    });
    assert!(said.contains("more files"), "{said}");
    let drift = &world.events("SCOPE_DRIFT")[0];
    let n_named = drift["files"].as_array().unwrap().len() as u64;
    // The files, and the hundred and one folders.
    assert_eq!(n_named + drift["more"].as_u64().unwrap(), 20_101);
}

#[test]
fn a_search_that_runs_out_of_time_says_so_and_the_end_of_the_turn_finishes_it() {
    let world = world();
    world.sandbox.manifest(&json!({"budgets": {"PreToolUse": 20_000, "PostToolUse": 10, "Stop": 60_000}}));
    for folder in 0..200 {
        fs::create_dir_all(world.path(&format!("lib/d{folder}"))).unwrap();
        fs::create_dir_all(world.path(&format!("src/d{folder}"))).unwrap();
    }
    while_make_runs(&world, || {
        for n in 0..10_000 {
            fs::write(world.path(&format!("lib/d{}/f{n}", n % 200)), "x").unwrap();
            fs::write(world.path(&format!("src/d{}/f{n}", n % 200)), "x").unwrap();
        }
    });
    let incomplete = world.events("SCAN_INCOMPLETE");
    let n_left = |it: &Value| it["nUnvisited"].as_u64().unwrap_or(0) + it["nUntraced"].as_u64().unwrap_or(0);
    assert!(incomplete.len() == 1 && n_left(&incomplete[0]) > 0, "{incomplete:?}");
    for _ in 0..20 {
        world.claude("s").event("Stop", &json!({}));
        if world.events("SCAN_INCOMPLETE").len() == 1 {
            break;
        }
    }
    let counted =
        |drift: Value| drift["files"].as_array().unwrap().len() as u64 + drift["more"].as_u64().unwrap_or(0);
    let n_drifted: u64 = world.events("SCOPE_DRIFT").into_iter().map(counted).sum();
    // Each file, and each folder whose entries changed.
    assert!(n_drifted >= 10_200, "{n_drifted}");
    let traced: std::collections::BTreeSet<String> = traced(&world).into_iter().collect();
    assert_eq!(traced.len(), 10_000);
}

#[test]
fn the_suggested_undo_passes_once_for_exactly_the_reported_files() {
    let world = world();
    world.write("lib/c.ts", "c\n");
    git_add(&world);
    let claude = world.claude("s");
    let restore = |id: &str, command: &str| {
        crate::world::refusal(&claude.before(id, "Bash", &json!({"command": command})))
    };
    assert!(restore("0", "git restore -- 'lib/b.ts'").is_some(), "nothing was reported");
    let said = while_call_runs(&world, "1", || world.write("lib/b.ts", "changed\n"));
    assert!(said.contains("`git restore -- 'lib/b.ts'`"), "{said}");
    assert!(restore("2", "git restore -- 'lib/c.ts'").is_some(), "another file");
    assert!(restore("3", "git restore -- 'lib/b.ts' && echo x > lib/c.ts").is_some());
    let input = json!({"command": "git restore -- 'lib/b.ts'"});
    assert_eq!(crate::world::refusal(&claude.before("4", "Bash", &input)), None);
    let status = std::process::Command::new("git")
        .args(["restore", "--", "lib/b.ts"])
        .current_dir(world.path(""))
        .status();
    assert!(status.unwrap().success());
    claude.after("4", "Bash", &input);
    assert!(restore("5", "git restore -- 'lib/b.ts'").is_some(), "once");
    claude.event("Stop", &json!({}));
    assert_eq!(drifted(&world), ["lib/b.ts"], "restoring is no drift");
}

#[test]
fn what_a_person_changes_during_a_command_whose_writes_are_known_is_not_its_own() {
    let world = world();
    let (claude, input) = (world.claude("s"), json!({"command": "echo x > src/x.ts"}));
    assert_eq!(crate::world::refusal(&claude.before("1", "Bash", &input)), None);
    std::thread::sleep(std::time::Duration::from_millis(15));
    world.write("src/x.ts", "x\n");
    world.write("lib/b.ts", "a person wrote this\n");
    assert_eq!(told(&claude.after("1", "Bash", &input)), "");
    claude.event("Stop", &json!({}));
    assert_eq!((drifted(&world).len(), traced(&world)), (0, vec!["CREATE src/x.ts".to_owned()]));
}

#[test]
fn what_a_command_puts_into_the_index_past_the_files_is_reported() {
    let git_in = |world: &World, script: &str| {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", script]).current_dir(world.path(""));
        for name in ["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"] {
            shell.env(name, "t@example.com");
        }
        let done = shell.output().unwrap();
        assert!(done.status.success(), "{script}: {}", String::from_utf8_lossy(&done.stderr));
    };
    let plant = "git update-index --cacheinfo 100644,$(echo evil | git hash-object -w --stdin),lib/b.ts";
    for (script, expected) in [
        (plant.to_owned(), "- lib/b.ts: git's index differs from the file on disk"),
        (format!("{plant} && git commit -q -m x"), "- lib/b.ts: git's index differs"),
        ("git rm -q --cached lib/b.ts".into(), "- lib/b.ts: git does not track it any more"),
        ("git rm -q --cached lib/b.ts && git commit -q -m x".into(), "- lib/b.ts: git does not track it"),
        // The index follows the files, or the commit.
        ("git add lib/mine.ts && git commit -q -m x".into(), ""),
        ("git reset -q".into(), ""),
        ("git restore --staged lib/staged.ts".into(), ""),
        ("git reset -q HEAD~1".into(), ""),
        ("git rm -q --cached src/a.ts".into(), ""),
    ] {
        let world = world();
        world.write("src/a.ts", "a\n");
        git_in(
            &world,
            "git init -q && git add . && git commit -q -m a && echo 2 >> lib/b.ts && git commit -qam b",
        );
        world.write("lib/mine.ts", "a person's\n");
        world.write("lib/staged.ts", "a person's\n");
        git_in(&world, "git add lib/staged.ts");
        let said = while_call_runs(&world, "1", || git_in(&world, &script));
        assert!(said.contains(expected) && said.is_empty() == expected.is_empty(), "{script}: {said}");
    }
}
