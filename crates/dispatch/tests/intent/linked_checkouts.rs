//! Linked checkouts inside of the workspace, as agent programs make them with `git worktree`.

use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use serde_json::json;

use crate::world::{World, refusal, told};

const CHECKOUT: &str = ".claude/worktrees/x";

fn git(world: &World, args: &[&str]) {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    let status = Command::new("git").args(identity).args(args).current_dir(world.path("")).status();
    assert!(status.unwrap().success(), "git {args:?}");
}

/// Returns a committed workspace whose session has selected INT-001: `src/**` and `docs/*.md`.
fn world() -> World {
    let world = World::new();
    world.select("INT-001");
    world.write("src/a.ts", "a\n");
    world.write("README.md", "read me\n");
    git(&world, &["init", "-q"]);
    git(&world, &["add", "-A"]);
    git(&world, &["commit", "-qm", "first"]);
    world
}

fn add_checkout(world: &World) {
    git(world, &["worktree", "add", "-q", CHECKOUT]);
}

#[test]
fn the_patterns_of_an_intent_apply_to_the_path_in_the_checkout() {
    let world = world();
    add_checkout(&world);
    let claude = world.claude("s");
    for (n, path) in ["src/a.ts", "src/new/b.ts", "docs/x.md"].into_iter().enumerate() {
        assert_eq!(claude.may_write(&format!("in{n}"), &format!("{CHECKOUT}/{path}")), None, "{path}");
    }
    for (n, path) in ["README.md", "lib/b.ts", ".ai/hooks/config.json", ".orchestration/active_intents.yaml"]
        .into_iter()
        .enumerate()
    {
        let reason = claude.may_write(&format!("out{n}"), &format!("{CHECKOUT}/{path}"));
        assert!(reason.is_some(), "{path}");
    }
    let outside = claude.may_write("no", ".claude/worktrees/y/src/a.ts").unwrap();
    assert!(outside.contains("not authorized"), "a folder that git does not know: {outside}");
}

#[test]
fn a_checkout_that_a_call_makes_is_no_drift_and_its_later_changes_are() {
    let world = world();
    let claude = world.claude("s");
    let name = json!({"name": "x"});
    sleep(Duration::from_millis(20));
    assert_eq!(refusal(&claude.before("enter", "EnterWorktree", &name)), None);
    sleep(Duration::from_millis(20));
    add_checkout(&world);
    assert_eq!(told(&claude.after("enter", "EnterWorktree", &name)), "");
    let make = json!({"command": "make"});
    for (n, path, is_drift) in [(0, "src/a.ts", false), (1, "README.md", true)] {
        let id = format!("make{n}");
        sleep(Duration::from_millis(20));
        assert_eq!(refusal(&claude.before(&id, "Bash", &make)), None);
        sleep(Duration::from_millis(20));
        world.write(&format!("{CHECKOUT}/{path}"), "changed\n");
        let said = told(&claude.after(&id, "Bash", &make));
        assert_eq!(said.contains(&format!("{CHECKOUT}/{path}")), is_drift, "{path}: {said}");
    }
}

#[test]
fn a_destructive_command_is_refused_for_what_it_destroys_even_without_an_intent() {
    let world = World::new();
    let claude = world.claude("s");
    for (n, command) in ["rm -rf ~/", "rm -rf /", "dd if=/dev/zero of=/dev/sda"].into_iter().enumerate() {
        let answer = claude.before(&n.to_string(), "Bash", &json!({"command": command}));
        let reason = refusal(&answer).unwrap();
        assert!(!reason.contains("select_active_intent"), "{command}: {reason}");
    }
    let answer = claude.before("rm", "Bash", &json!({"command": "rm -rf ~/"}));
    assert!(refusal(&answer).unwrap().contains("delete-home"), "{answer}");
}

#[test]
fn a_destructive_command_outside_the_scope_is_refused_for_what_it_destroys() {
    let world = World::new();
    let claude = world.claude("s");
    world.select("INT-001");
    let refused =
        |id: &str, command: &str| refusal(&claude.before(id, "Bash", &json!({"command": command}))).unwrap();
    assert!(refused("1", "rm -rf ~/").contains("delete-home"));
    assert!(refused("2", "echo x > outside.txt").contains("Scope Violation"));
}

#[test]
fn a_tool_that_writes_what_governs_the_agent_is_refused_for_that_with_and_without_an_intent() {
    let world = World::new();
    let claude = world.claude("s");
    let write = |id: &str, path: &str| {
        let input = json!({"file_path": world.path(path), "content": "{}"});
        refusal(&claude.before(id, "Write", &input)).unwrap()
    };
    assert!(write("1", ".claude/settings.json").contains("agent-settings"));
    assert!(write("2", "outside.txt").contains("select_active_intent"));
    world.select("INT-001");
    assert!(write("3", ".claude/settings.json").contains("governs this work"));
    assert!(write("4", "outside.txt").contains("Scope Violation"));
}
