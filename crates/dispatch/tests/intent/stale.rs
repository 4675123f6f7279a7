//! Denies a write to a file that another agent changed, until the agent has read it again.

use serde_json::json;

use crate::world::{Asker, World, refusal};

const STALE: &str = "Stale File: File was modified by another process. Please re-read and retry.\nhint: ";

fn world() -> World {
    let world = World::new();
    world.select("INT-001");
    world.write("src/a.ts", "one\n");
    world
}

fn check_two(world: &World, alice: Asker<'_>, bob: Asker<'_>) {
    alice.reads("1", "src/a.ts");
    bob.reads("2", "src/a.ts");
    bob.writes("3", "src/a.ts", "two\n");
    let reason = alice.may_write("4", "src/a.ts").unwrap();
    assert!(reason.starts_with(STALE), "{reason}");
    assert_eq!(bob.may_write("5", "src/a.ts"), None, "what it wrote itself is no surprise");
    assert_eq!(
        world.events("INTENT_DENIED"),
        [json!({"intentId": "INT-001", "why": "stale", "files": ["src/a.ts"]})]
    );
    alice.reads("6", "src/a.ts");
    assert_eq!(alice.may_write("7", "src/a.ts"), None);
}

#[test]
fn two_sessions_in_one_workspace_do_not_write_over_each_other() {
    let world = world();
    check_two(&world, world.claude("alice"), world.claude("bob"));
}

#[test]
fn two_agents_of_one_session_do_not_write_over_each_other() {
    let world = world();
    let alice = world.claude("s");
    check_two(&world, alice, Asker { agent: Some("agent-7"), ..alice });
}

#[test]
fn a_file_that_was_never_read_is_not_stale() {
    let world = world();
    assert_eq!(world.claude("s").may_write("1", "src/a.ts"), None);
}

#[test]
fn what_a_person_changed_in_between_is_stale_too() {
    let world = world();
    let claude = world.claude("s");
    claude.writes("1", "src/a.ts", "mine\n");
    world.write("src/a.ts", "a person's\n");
    assert!(claude.may_write("2", "src/a.ts").unwrap().starts_with(STALE));
    world.write("src/a.ts", "mine\n");
    assert_eq!(claude.may_write("3", "src/a.ts"), None, "it was put back");
}

#[test]
fn a_command_that_shows_a_file_reads_it_and_one_that_writes_it_is_held_to_it() {
    let world = world();
    let claude = world.claude("s");
    claude.runs("1", "cat src/a.ts > /dev/null; cat src/a.ts");
    world.write("src/a.ts", "other\n");
    let shell = json!({"command": "echo x > src/a.ts"});
    assert!(refusal(&claude.before("2", "Bash", &shell)).unwrap().starts_with(STALE));
    claude.runs("3", "tail -n 5 src/a.ts");
    assert_eq!(refusal(&claude.before("4", "Bash", &shell)), None);
}

#[test]
fn what_was_deleted_and_made_again_by_another_is_not_stale() {
    let world = world();
    let claude = world.claude("s");
    claude.reads("1", "src/a.ts");
    claude.runs("2", "rm src/a.ts");
    world.write("src/a.ts", "again\n");
    assert_eq!(claude.may_write("3", "src/a.ts"), None);
}

#[test]
fn the_state_does_not_grow_with_the_files_that_are_read() {
    let world = world();
    let claude = world.claude("s");
    claude.reads("first", "src/a.ts");
    let size = || std::fs::metadata(world.sandbox.session().root.join("state.json")).unwrap().len();
    let before = size();
    for n in 0..40 {
        world.write(&format!("src/f{n}.ts"), "x");
        claude.reads(&n.to_string(), &format!("src/f{n}.ts"));
    }
    assert!(size() < before + 16, "{before} -> {}", size());
}
