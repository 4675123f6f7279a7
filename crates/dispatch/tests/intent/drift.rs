//! Finds the files that a command really changed.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::world::{World, told};

fn world() -> World {
    let world = World::new();
    world.select("INT-001");
    world.write(".gitignore", "target/\n");
    world.write("lib/b.ts", "b\n");
    world
}

/// Does something while a command of unknown effect runs; returns what steersman reports
/// afterwards.
fn while_make_runs(world: &World, it: impl FnOnce()) -> String {
    while_call_runs(world, "make", it)
}

/// The same with its own call id: a repeated event is answered once.
fn while_call_runs(world: &World, id: &str, it: impl FnOnce()) -> String {
    let (claude, input) = (world.claude("s"), json!({"command": "make"}));
    // File systems count time in steps; what was written before must be older.
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert_eq!(crate::world::refusal(&claude.before(id, "Bash", &input)), None);
    std::thread::sleep(std::time::Duration::from_millis(20));
    it();
    told(&claude.after(id, "Bash", &input))
}

fn traced(world: &World) -> Vec<String> {
    let name = |line: &Value| format!("{} {}", line["mutation_class"], line["file_path"]).replace('"', "");
    world.trace().iter().map(name).collect()
}

#[test]
fn what_an_unknown_command_changed_in_scope_is_traced() {
    let world = world();
    world.write("src/old.ts", "old\n");
    let said = while_make_runs(&world, || {
        world.write("src/new.ts", "new\n");
        world.write("src/old.ts", "old and more\n");
        world.write("target/x", "git does not want to know\n");
    });
    assert_eq!(said, "");
    let mut traced = traced(&world);
    traced.sort();
    assert_eq!(traced, ["CREATE src/new.ts", "MODIFY src/old.ts"]);
}

#[test]
fn what_it_changed_out_of_scope_is_told_with_the_way_to_undo_it() {
    let world = world();
    let said = while_make_runs(&world, || world.write("lib/b.ts", "changed\n"));
    assert!(said.starts_with("Scope Drift: "), "{said}");
    assert!(
        said.contains("- lib/b.ts: Scope Violation: INT-001 is not authorized to edit lib/b.ts."),
        "{said}"
    );
    assert!(said.contains("undo: `git restore -- 'lib/b.ts'`"), "{said}");
    let drift = &world.events("SCOPE_DRIFT")[0];
    assert_eq!((&drift["intentId"], &drift["files"][0]["file"]), (&json!("INT-001"), &json!("lib/b.ts")));
    assert!(world.trace().is_empty());
}

#[test]
fn a_governing_file_that_a_command_changed_is_told_even_if_git_ignores_it() {
    let world = world();
    world.write(".gitignore", ".orchestration/\n");
    let wider = crate::world::INTENTS.replace("src/**", "**");
    let said = while_make_runs(&world, || world.write(".orchestration/active_intents.yaml", wider));
    assert!(said.contains("- .orchestration/active_intents.yaml: "), "{said}");
}

#[test]
fn a_governor_that_was_removed_while_a_command_ran_is_told() {
    let world = world();
    let said = while_make_runs(&world, || {
        fs::remove_file(world.path(".orchestration/active_intents.yaml")).unwrap();
    });
    assert!(said.contains("was removed while the call ran"), "{said}");
    assert_eq!(world.events("SCOPE_DRIFT").len(), 1);
}

#[test]
fn a_link_swapped_in_between_check_and_write_is_found_afterwards() {
    let world = world();
    world.write("src/a.ts", "a\n");
    let claude = world.claude("s");
    let input = json!({"file_path": world.path("src/a.ts"), "content": "evil\n"});
    assert_eq!(crate::world::refusal(&claude.before("1", "Write", &input)), None);
    fs::remove_file(world.path("src/a.ts")).unwrap();
    symlink("../lib/b.ts", world.path("src/a.ts")).unwrap();
    fs::write(world.path("src/a.ts"), "evil\n").unwrap();
    let answer = claude.after("1", "Write", &input);
    assert!(told(&answer).contains("a link leads from there to lib/b.ts"), "{answer}");
    assert_eq!(world.events("SCOPE_DRIFT").len(), 1);
    assert!(world.trace().is_empty());
}

#[test]
fn what_another_session_writes_meanwhile_is_nobodys_drift() {
    let world = world();
    let (alice, bob) = (world.claude("alice"), world.claude("bob"));
    bob.after("0", "mcp__steersman__select_active_intent", &json!({"intent_id": "INT-002"}));
    let make = json!({"command": "make"});
    alice.before("1", "Bash", &make);
    std::thread::sleep(std::time::Duration::from_millis(15));
    bob.writes("2", "lib/done.ts", "done\n");
    let pending = json!({"file_path": world.path("lib/pending.ts"), "content": "p\n"});
    bob.before("3", "Write", &pending);
    world.write("lib/pending.ts", "p\n");
    let answer = alice.after("1", "Bash", &make);
    assert_eq!(told(&answer), "");
    bob.after("3", "Write", &pending);
    assert_eq!(traced(&world), ["CREATE lib/done.ts", "CREATE lib/pending.ts"]);
}

#[test]
fn an_unknown_tool_is_looked_after_too() {
    let world = world();
    let claude = world.claude("s");
    let input = json!({"query": "do it"});
    assert_eq!(crate::world::refusal(&claude.before("1", "mcp__builder__generate", &input)), None);
    std::thread::sleep(std::time::Duration::from_millis(15));
    world.write("src/made.ts", "made\n");
    world.write("lib/made.ts", "made too\n");
    let answer = claude.after("1", "mcp__builder__generate", &input);
    assert!(told(&answer).contains("- lib/made.ts: "), "{answer}");
    assert_eq!(traced(&world), ["CREATE src/made.ts"]);
}

#[test]
fn without_an_intent_everything_an_unknown_tool_changes_is_drift() {
    let world = World::new();
    let claude = world.claude("s");
    claude.before("1", "mcp__builder__generate", &json!({}));
    std::thread::sleep(std::time::Duration::from_millis(15));
    world.write("src/made.ts", "made\n");
    let answer = claude.after("1", "mcp__builder__generate", &json!({}));
    assert!(told(&answer).contains("No active intent selected."), "{answer}");
}

#[test]
fn many_changes_are_counted_not_listed() {
    let world = world();
    let claude = world.claude("s");
    let input = json!({"command": "make"});
    claude.before("1", "Bash", &input);
    std::thread::sleep(std::time::Duration::from_millis(15));
    for n in 0..50 {
        world.write(&format!("lib/f{n}.ts"), format!("{n}"));
    }
    let said = told(&claude.after("1", "Bash", &input));
    assert!(said.contains("and 30 more files"), "{said}");
}

/// Makes a repository of the workspace, with everything in it committed to the index.
fn git_add(world: &World) {
    for args in [&["init", "-q"][..], &["add", "-A"]] {
        let status = std::process::Command::new("git").args(args).current_dir(world.path("")).status();
        assert!(status.unwrap().success());
    }
}

#[test]
fn the_way_to_undo_fits_what_git_knows_of_the_file() {
    let world = world();
    git_add(&world);
    let said = while_make_runs(&world, || {
        world.write("lib/b.ts", "changed\n");
        world.write("lib/it's new.ts", "new\n");
    });
    assert!(said.contains("undo: `git restore -- 'lib/b.ts'` restores git's version"), "{said}");
    let remove = r"undo: it is untracked; if this call created it, `rm -- 'lib/it'\''s new.ts'` removes it";
    assert!(said.contains(remove), "{said}");
}

#[test]
fn what_it_deleted_out_of_scope_is_told_once() {
    let world = world();
    for file in ["src/mine.ts", "lib/c/d.ts", "lib/c/e.ts", "README.md"] {
        world.write(file, "x\n");
    }
    git_add(&world);
    let said = while_make_runs(&world, || {
        fs::remove_file(world.path("src/mine.ts")).unwrap();
        fs::remove_file(world.path("README.md")).unwrap();
        fs::remove_dir_all(world.path("lib/c")).unwrap();
    });
    for file in ["README.md", "lib/c/d.ts", "lib/c/e.ts"] {
        assert!(
            said.contains(&format!("- {file}: it was deleted, by this call or shortly before. ")),
            "{said}"
        );
        assert!(said.contains(&format!("undo: `git restore -- '{file}'`")), "{said}");
    }
    assert!(!said.contains("src/mine.ts") && !said.contains("lib/b.ts"), "{said}");
    assert_eq!(world.events("SCOPE_DRIFT")[0]["files"].as_array().unwrap().len(), 4);
    assert!(said.contains("- lib/: entries of the folder were added, removed or renamed. "), "{said}");

    let again = while_call_runs(&world, "2", || world.write("src/new.ts", "1\n"));
    assert_eq!(again, "", "the file is still missing, and was reported");
    let said = while_call_runs(&world, "3", || fs::remove_file(world.path("lib/b.ts")).unwrap());
    assert!(said.contains("- lib/b.ts: it was deleted") && !said.contains("README.md"), "{said}");
}

#[test]
fn what_a_command_names_to_delete_is_no_drift() {
    let world = world();
    world.write("src/a/b.ts", "x\n");
    git_add(&world);
    let (claude, input) = (world.claude("s"), json!({"command": "rm -r src/a && make"}));
    assert_eq!(crate::world::refusal(&claude.before("1", "Bash", &input)), None);
    std::thread::sleep(std::time::Duration::from_millis(20));
    fs::remove_dir_all(world.path("src/a")).unwrap();
    assert_eq!(told(&claude.after("1", "Bash", &input)), "");
}

/// Does something between two events of a session, and returns what the next one reports.
fn stop_report(world: &World) -> Vec<String> {
    world.claude("s").event("Stop", &json!({}));
    drifted(world)
}

/// Returns every reported path.
fn drifted(world: &World) -> Vec<String> {
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
