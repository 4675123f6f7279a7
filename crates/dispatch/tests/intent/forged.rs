//! Records of steersman that a command changes are not believed.

use std::fs;

use serde_json::{Value, json};

use crate::drift::{git_add, while_call_runs, while_make_runs, world};
use crate::world::World;

/// Returns what was reported as forged.
fn forged(world: &World) -> Vec<String> {
    world.events("FORGED").iter().map(|it| it["what"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_stored_call_that_a_command_changes_or_removes_is_forged_and_its_changes_are_found() {
    for remove in [true, false] {
        let world = world();
        let said = while_make_runs(&world, || {
            world.write("lib/b.ts", "changed\n");
            let calls = world.sandbox.session().root.join("intent/pending-calls");
            if remove {
                fs::remove_file(calls).unwrap();
            } else {
                let text = fs::read_to_string(&calls).unwrap();
                fs::write(calls, text.replace("\"changesMore\":true,", "\"changesMore\":false")).unwrap();
            }
        });
        assert_eq!(forged(&world), ["intent/pending-calls"], "{remove}");
        assert!(said.contains("- lib/b.ts: ") && said.contains("Forged record"), "{said}");
    }
}

#[test]
fn a_line_that_a_command_appends_to_the_trace_hides_nothing() {
    let world = world();
    world.claude("s").writes("1", "src/a.ts", "a\n");
    let line = fs::read_to_string(world.path(".orchestration/agent_trace.jsonl")).unwrap();
    let said = while_call_runs(&world, "2", || {
        world.write("lib/a.ts", "a\n");
        let forged = line.replace("src/a.ts", "lib/a.ts");
        fs::write(world.path(".orchestration/agent_trace.jsonl"), format!("{line}{forged}")).unwrap();
    });
    assert!(said.contains("- lib/a.ts: "), "{said}");
    assert_eq!(forged(&world), [".orchestration/agent_trace.jsonl"]);
}

#[test]
fn an_intent_that_only_the_state_knows_is_not_in_force() {
    let world = World::new();
    let claude = world.claude("s");
    claude.reads("1", ".orchestration/active_intents.yaml");
    let session = world.sandbox.session();
    std::thread::sleep(std::time::Duration::from_millis(20));
    let state = session.root.join("state.json");
    let mut value: Value = serde_json::from_str(&fs::read_to_string(&state).unwrap()).unwrap();
    value["features"]["intent"]["active"] = json!("INT-002");
    fs::write(&state, value.to_string()).unwrap();
    assert!(claude.may_write("2", "lib/x.ts").is_some());
    assert_eq!(forged(&world), ["state.json"]);
}

#[test]
fn a_cached_intent_that_contradicts_the_file_is_not_believed() {
    let world = world();
    world.claude("s").writes("1", "src/a.ts", "a\n");
    std::thread::sleep(std::time::Duration::from_millis(80));
    world.claude("s").writes("2", "src/b.ts", "b\n");
    let cache = world.sandbox.user_state().join("intents");
    let mut n_forged = 0;
    for folder in fs::read_dir(cache).unwrap().flatten() {
        for file in fs::read_dir(folder.path()).unwrap().flatten() {
            let text = fs::read_to_string(file.path()).unwrap();
            n_forged += usize::from(text.contains("src/**"));
            fs::write(file.path(), text.replace("src/**", "**")).unwrap();
        }
    }
    assert!(n_forged > 0);
    assert!(world.claude("s").may_write("3", "lib/x.ts").is_some());
    assert_eq!(forged(&world), ["the cached intent"]);
}

#[test]
fn a_state_folder_that_a_command_removes_is_reported_and_everything_counts_as_changed() {
    let world = world();
    git_add(&world);
    let said = while_make_runs(&world, || {
        world.write("lib/b.ts", "changed\n");
        fs::remove_dir_all(world.path(".ai/tmp")).unwrap();
        world.select("INT-001");
    });
    assert!(said.contains("- lib/b.ts: "), "{said}");
    assert_eq!(forged(&world), [".ai/tmp"]);
}
