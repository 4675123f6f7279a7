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

/// Replaces text in a file of the session while a call runs, and changes a file out of scope.
fn rewritten(file: &str, change: impl Fn(&str) -> String) -> (World, String) {
    let world = world();
    git_add(&world);
    while_call_runs(&world, "0", || {});
    let said = while_call_runs(&world, "1", || {
        let path = world.sandbox.session().root.join(file);
        let text = fs::read_to_string(&path).unwrap();
        let changed = change(&text);
        assert_ne!(changed, text, "{file}");
        fs::write(&path, changed).unwrap();
        world.write("lib/b.ts", "changed\n");
    });
    (world, said)
}

#[test]
fn a_record_of_searches_that_a_command_changes_hides_nothing() {
    let (world, said) = rewritten("intent/scan.json", |text| {
        let mut record: Value = serde_json::from_str(text).unwrap();
        record["fromNs"] = json!(1);
        record["untilNs"] = json!(9_000_000_000_000_000_000_u64);
        record.to_string()
    });
    assert!(said.contains("- lib/b.ts: "), "{said}");
    assert_eq!(forged(&world), ["intent/scan.json"]);
}

#[test]
fn a_journal_that_a_command_shortens_hides_nothing() {
    let (_world, said) = rewritten("events.jsonl", |text| {
        let kept: Vec<_> = text.lines().filter(|line| !line.contains("CALL_PENDING")).collect();
        kept.join("\n") + "\n"
    });
    assert!(said.contains("- lib/b.ts: "), "the stored call is there: {said}");
    let world = world();
    while_call_runs(&world, "0", || {});
    let said = while_call_runs(&world, "1", || {
        let root = world.sandbox.session().root;
        let first = fs::read_to_string(root.join("events.jsonl")).unwrap();
        fs::write(root.join("events.jsonl"), first.lines().next().unwrap().to_owned() + "\n").unwrap();
        fs::remove_file(root.join("intent/pending-calls")).unwrap();
        world.write("lib/b.ts", "changed\n");
    });
    assert!(said.contains("- lib/b.ts: "), "{said}");
}

#[test]
fn a_stored_call_of_another_session_that_no_journal_knows_explains_nothing() {
    let world = world();
    let input = json!({"file_path": world.path("src/q.ts"), "content": "x"});
    assert_eq!(crate::world::refusal(&world.claude("other").before("w", "Write", &input)), None);
    let said = while_call_runs(&world, "1", || {
        for session in world.sandbox.sessions() {
            let calls = session.root.join("intent/pending-calls");
            let text = fs::read_to_string(&calls).unwrap();
            fs::write(calls, text.replace("src/q.ts", "lib/b.ts")).unwrap();
        }
        world.write("lib/b.ts", "changed\n");
    });
    assert!(said.contains("- lib/b.ts: "), "{said}");
    assert_eq!(forged(&world), ["intent/pending-calls"]);
}

#[test]
fn an_intent_that_only_the_state_knows_is_forged_even_if_the_journal_is_newer() {
    let world = world();
    let claude = world.claude("s");
    while_call_runs(&world, "1", || {
        let state = world.sandbox.session().root.join("state.json");
        let mut value: Value = serde_json::from_str(&fs::read_to_string(&state).unwrap()).unwrap();
        value["features"]["intent"]["active"] = json!("INT-002");
        fs::write(&state, value.to_string()).unwrap();
    });
    assert!(claude.may_write("2", "lib/x.ts").is_some());
    assert_eq!(forged(&world), ["state.json"]);
}

#[test]
fn an_intent_that_an_agent_selected_stays_in_force() {
    let world = World::new();
    let claude = world.claude("s");
    claude.after("0", "mcp__steersman__select_active_intent", &json!({"intent_id": "INT-002"}));
    for n in 0..40 {
        claude.writes(&format!("{n}"), "lib/x.ts", &format!("{n}\n"));
    }
    assert_eq!(forged(&world), [""; 0]);
}

#[test]
fn a_selection_that_a_command_makes_is_not_in_force() {
    for is_first in [true, false] {
        let world = World::new();
        if !is_first {
            world.select("INT-001");
        }
        let claude = world.claude("s");
        claude.after("0", "mcp__steersman__select_active_intent", &json!({"intent_id": "INT-001"}));
        while_call_runs(&world, "1", || world.select("INT-002"));
        assert_eq!(forged(&world), [".ai/tmp/intent.json"], "{is_first}");
        let other = world.claude("other");
        assert!(other.may_write("2", "lib/x.ts").is_some(), "{is_first}");
    }
}

#[test]
fn settings_that_a_command_changes_turn_no_intent_off() {
    for (file, text) in [
        (".ai/hooks/config.json", r#"{"intent": {"mode": "observe"}}"#),
        (".ai/hooks/config.json", r#"{"intent": {"allowSelfEdit": true}}"#),
        (".ai/hooks/dispatch.manifest.json", r#"{"modules": {"intent": {"enabled": false}}}"#),
        (".ai/hooks/dispatch.manifest.json", r#"{"modules": {"intent": {"hotPathSafe": false}}}"#),
    ] {
        let world = world();
        let said = while_call_runs(&world, "1", || {
            world.write(file, text);
            world.write("lib/b.ts", "changed\n");
        });
        assert!(
            said.contains(&format!("- {file}: ")) && said.contains("- lib/b.ts: "),
            "{file} {text}: {said}"
        );
        for path in ["lib/x.ts", ".ai/hooks/config.json"] {
            assert!(world.claude("s").may_write("2", path).is_some(), "{file} {text}: {path}");
        }
        // A person may, once no job of the command can be running.
        world.claude("s").event("Stop", &json!({}));
        world.write(file, format!("{text}\n"));
        let is_off = world.claude("s").may_write("3", "lib/x.ts").is_none();
        assert_eq!(is_off, !text.contains("allowSelfEdit"), "{file} {text}");
    }
}

#[test]
fn thousands_of_other_changes_do_not_crowd_out_the_intents_and_the_settings() {
    let widened = crate::world::INTENTS.replace("src/**", "**");
    for (file, text) in [
        (".ai/hooks/config.json", r#"{"intent": {"mode": "observe"}}"#),
        (".ai/hooks/dispatch.manifest.json", r#"{"modules": {"intent": {"enabled": false}}}"#),
        (".orchestration/active_intents.yaml", widened.as_str()),
    ] {
        let world = world();
        let said = while_call_runs(&world, "1", || {
            for n in 0..60 {
                world.write(&format!(".ai/hooks/a/{n}"), "x");
                world.write(&format!("aaa/{n}"), "x");
            }
            world.write(file, text);
        });
        assert!(said.contains(&format!("- {file}: ")), "{said}");
        assert!(world.claude("s").may_write("2", "lib/x.ts").is_some(), "{file}");
    }
}

#[test]
fn a_job_that_a_command_left_behind_opens_nothing_before_the_next_search() {
    let widened = crate::world::INTENTS.replace("src/**", "**");
    for (file, text) in [
        (".ai/hooks/config.json", r#"{"intent": {"mode": "observe"}}"#),
        (".ai/hooks/dispatch.manifest.json", r#"{"modules": {"intent": {"enabled": false}}}"#),
        (".orchestration/active_intents.yaml", widened.as_str()),
    ] {
        let world = world();
        let claude = world.claude("s");
        while_call_runs(&world, "1", || {});
        assert_eq!(claude.may_write("2", "src/x.ts"), None);
        world.write(file, text);
        assert!(claude.may_write("3", "lib/x.ts").is_some(), "{file}");
        claude.event("Stop", &json!({}));
        assert!(crate::search::drifted(&world).iter().any(|it| it == file), "{file}");
        assert!(claude.may_write("4", "lib/x.ts").is_some(), "{file}");
    }
}

#[test]
fn an_intent_that_was_selected_while_all_records_were_removed_is_not_in_force() {
    let world = world();
    while_call_runs(&world, "1", || {
        fs::remove_dir_all(world.path(".ai/tmp")).unwrap();
        fs::remove_dir_all(world.sandbox.user_state()).unwrap();
        world.select("INT-002");
    });
    assert_eq!(forged(&world), [".ai/tmp"]);
    assert!(world.claude("s").may_write("2", "lib/x.ts").is_some());
}

#[test]
fn records_that_the_project_keeps_elsewhere_are_no_drift() {
    let world = world();
    world.write(".ai/hooks/workspace.json", r#"{"version": 1, "workRoot": ".ai/work"}"#);
    world.write(".ai/work/intent.json", fs::read(world.path(".ai/tmp/intent.json")).unwrap());
    let said = while_call_runs(&world, "1", || world.write("src/a.ts", "a\n"));
    assert_eq!(said, "");
    let said = while_call_runs(&world, "2", || world.write(".ai/work/evil.sh", "e\n"));
    assert!(said.contains("- .ai/work/evil.sh: "), "{said}");
}

#[test]
fn a_journal_that_lost_its_last_lines_is_reported_and_everything_counts_as_changed() {
    let world = world();
    git_add(&world);
    while_call_runs(&world, "0", || {});
    let said = while_call_runs(&world, "1", || {
        let journal = world.sandbox.session().root.join("events.jsonl");
        let text = fs::read_to_string(&journal).unwrap();
        let kept: String = text.split_inclusive('\n').take(text.lines().count() - 3).collect();
        fs::write(journal, kept).unwrap();
        world.write("lib/b.ts", "changed\n");
    });
    assert!(said.contains("- lib/b.ts: ") && said.contains("Forged record: `events.jsonl`"), "{said}");
}

#[test]
fn an_intents_file_that_a_script_changes_as_steersman_would_is_reported() {
    let world = world();
    while_call_runs(&world, "0", || {});
    let said = while_call_runs(&world, "1", || {
        let wider = crate::world::INTENTS.replace("src/**", "**");
        world.write(".orchestration/active_intents.yaml", &wider);
        world.write(".ai/tmp/intents-edit", intent::ContentHash::of(wider.as_bytes()).as_str());
    });
    assert!(said.contains("- .orchestration/active_intents.yaml: "), "{said}");
}

#[test]
fn a_user_state_folder_that_is_removed_is_reported_and_everything_counts_as_changed() {
    for between_calls in [false, true] {
        let world = world();
        git_add(&world);
        while_call_runs(&world, "0", || {});
        while_call_runs(&world, "1", || {});
        let remove = || {
            fs::remove_dir_all(world.sandbox.user_state()).unwrap();
            world.write("lib/b.ts", "changed\n");
        };
        if between_calls {
            remove();
        }
        let said = while_call_runs(&world, "2", || {
            if !between_calls {
                remove();
            }
        });
        assert!(said.contains("- lib/b.ts: "), "{between_calls}: {said}");
        assert_eq!(forged(&world), ["the user's state folder"], "{between_calls}");
    }
}

#[test]
fn records_that_are_removed_between_two_calls_are_missed_at_the_next_event() {
    let world = world();
    git_add(&world);
    while_call_runs(&world, "0", || {});
    while_call_runs(&world, "1", || {});
    fs::remove_dir_all(world.path(".ai/tmp")).unwrap();
    world.select("INT-001");
    world.write("lib/b.ts", "changed\n");
    world.claude("s").writes("2", "src/a.ts", "a\n");
    world.claude("s").event("Stop", &json!({}));
    assert_eq!(forged(&world), [".ai/tmp"]);
    assert!(crate::search::drifted(&world).contains(&"lib/b.ts".to_owned()));
}

#[test]
fn a_cached_intent_that_a_command_changes_is_reported_at_its_end() {
    let world = world();
    while_call_runs(&world, "0", || std::thread::sleep(std::time::Duration::from_millis(80)));
    while_call_runs(&world, "1", || {});
    let said = while_call_runs(&world, "2", || {
        for folder in fs::read_dir(world.sandbox.user_state().join("intents")).unwrap().flatten() {
            for file in fs::read_dir(folder.path()).unwrap().flatten() {
                let text = fs::read_to_string(file.path()).unwrap();
                fs::write(file.path(), text.replace("src/**", "**")).unwrap();
            }
        }
        world.write("lib/b.ts", "changed\n");
    });
    assert!(said.contains("- lib/b.ts: ") && said.contains("Forged record: `the cached intent`"), "{said}");
}
