//! Finds the files that a command really changed.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::world::{World, told};

pub(crate) fn world() -> World {
    let world = World::new();
    world.select("INT-001");
    world.write(".gitignore", "target/\n");
    world.write("lib/b.ts", "b\n");
    world
}

/// Does something while a command of unknown effect runs; returns what steersman reports
/// afterwards.
pub(crate) fn while_make_runs(world: &World, it: impl FnOnce()) -> String {
    while_call_runs(world, "make", it)
}

/// The same with its own call id: a repeated event is answered once.
pub(crate) fn while_call_runs(world: &World, id: &str, it: impl FnOnce()) -> String {
    let (claude, input) = (world.claude("s"), json!({"command": "make"}));
    // File systems count time in steps; what was written before must be older.
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert_eq!(crate::world::refusal(&claude.before(id, "Bash", &input)), None);
    std::thread::sleep(std::time::Duration::from_millis(20));
    it();
    told(&claude.after(id, "Bash", &input))
}

pub(crate) fn traced(world: &World) -> Vec<String> {
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
    // Without it the agent may look and write nothing.
    let claude = world.claude("s");
    let refused = |id: &str, tool: &str, input: Value| {
        crate::world::refusal(&claude.before(id, tool, &input)).is_some()
    };
    assert!(refused("9", "Write", json!({"file_path": world.path("src/a.ts"), "content": "x"})));
    assert!(refused("10", "Bash", json!({"command": "echo x > lib/b.ts"})));
    assert!(refused("11", "Bash", json!({"command": "make"})));
    assert!(!refused("12", "Bash", json!({"command": "ls lib"})));
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
pub(crate) fn git_add(world: &World) {
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

#[test]
fn a_scope_that_a_command_widened_does_not_count() {
    let world = world();
    git_add(&world);
    let wider = crate::world::INTENTS.replace("src/**", "**");
    let said = while_call_runs(&world, "1", || world.write(".orchestration/active_intents.yaml", &wider));
    assert!(said.contains("undo: ask the user to restore it: it governs the agent"), "{said}");
    let claude = world.claude("s");
    let refusal = |id: &str, session: &str, command: &str| {
        crate::world::refusal(&world.claude(session).before(id, "Bash", &json!({"command": command})))
    };
    let refused = claude.may_write("2", "lib/b.ts").unwrap();
    assert!(refused.contains("only a person may change a scope"), "{refused}");
    assert!(claude.may_write("3", "src/a.ts").is_some() && refusal("4", "s", "make").is_some());
    assert!(refusal("5", "other", "echo x > lib/b.ts").is_some(), "nor in another session");
    assert_eq!(refusal("6", "s", "ls lib"), None);
    world.write(".orchestration/active_intents.yaml", crate::world::INTENTS);
    assert_eq!(claude.may_write("8", "src/a.ts"), None);
    // A person's own edit counts, once no job of the command can be running.
    claude.event("Stop", &json!({}));
    world.write(".orchestration/active_intents.yaml", format!("# mine\n{wider}"));
    assert_eq!(claude.may_write("9", "lib/b.ts"), None);
}

#[test]
fn intents_that_git_brings_count() {
    let world = world();
    git_add(&world);
    let git = |args: &[&str]| {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
        let mut git = std::process::Command::new("git");
        let done = git.args(identity).args(args).current_dir(world.path("")).output().unwrap();
        assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["commit", "-q", "-m", "a"]);
    git(&["switch", "-q", "-c", "wider"]);
    let wider = crate::world::INTENTS.replace("src/**", "src/*.ts");
    world.write(".orchestration/active_intents.yaml", wider);
    git(&["commit", "-q", "-a", "-m", "b"]);
    git(&["switch", "-q", "-"]);
    while_call_runs(&world, "1", || git(&["switch", "-q", "wider"]));
    assert_eq!(world.claude("s").may_write("2", "src/a.ts"), None);
}
