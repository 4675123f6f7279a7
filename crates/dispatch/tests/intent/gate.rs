//! Calls that need an intent, and the answers to calls without one or with the wrong one.

use serde_json::json;

use crate::world::{World, refusal};

#[test]
fn without_a_file_of_intents_nothing_changes() {
    let world = World::without_intents();
    let claude = world.claude("s");
    assert_eq!(claude.may_write("1", "anything.txt"), None);
    claude.writes("2", "a.txt", "x");
    assert!(world.trace().is_empty());
    assert!(!world.path(".orchestration").exists());
    let left: Vec<_> = std::fs::read_dir(&world.sandbox.session().root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(!left.contains(&"intent".to_owned()), "{left:?}");
}

#[test]
fn a_write_without_an_intent_is_refused_in_the_documents_words() {
    let world = World::new();
    let reason = world.claude("s").may_write("1", "src/a.ts").unwrap();
    assert_eq!(
        reason,
        "No active intent selected. Please call select_active_intent first.\nhint: call list_intents for the ids, \
         or ask a person to run `steersman intent select INT-001`"
    );
    assert_eq!(world.events("INTENT_DENIED"), [json!({"why": "no-intent"})]);
}

#[test]
fn a_write_out_of_scope_is_refused_in_the_documents_words() {
    let world = World::new();
    world.select("INT-001");
    let claude = world.claude("s");
    assert_eq!(claude.may_write("1", "src/a.ts"), None);
    assert_eq!(claude.may_write("2", "docs/x.md"), None);
    let reason = claude.may_write("3", "lib/b.ts").unwrap();
    assert!(
        reason.starts_with(
            "Scope Violation: INT-001 is not authorized to edit lib/b.ts. Request scope expansion.\nhint: "
        ),
        "{reason}"
    );
    assert_eq!(
        world.events("INTENT_DENIED"),
        [json!({"intentId": "INT-001", "why": "out-of-scope", "files": ["lib/b.ts"]})]
    );
    world.sandbox.check_everything();
}

#[test]
fn a_change_of_the_file_takes_effect_with_the_next_call() {
    let world = World::new();
    world.select("INT-001");
    let claude = world.claude("s");
    assert!(claude.may_write("1", "lib/b.ts").is_some());
    let wider = crate::world::INTENTS.replace("src/**", "lib/**");
    world.write(".orchestration/active_intents.yaml", wider);
    assert_eq!(claude.may_write("2", "lib/b.ts"), None);
    assert!(claude.may_write("3", "src/a.ts").is_some());
}

#[test]
fn an_intent_that_was_selected_and_is_done_or_gone_is_none() {
    for (id, why) in [
        ("INT-003", "cannot select `INT-003`: it is COMPLETED"),
        ("INT-004", "cannot select `INT-004`: it is BLOCKED"),
        ("INT-999", "unknown intent `INT-999` (known: INT-001, INT-002, INT-003, INT-004)"),
    ] {
        let world = World::new();
        world.select(id);
        let reason = world.claude("s").may_write("1", "src/a.ts").unwrap();
        assert!(
            reason.starts_with("No active intent selected. Please call select_active_intent first.\nhint: ")
        );
        assert!(reason.contains(why), "{reason}");
    }
}

#[test]
fn a_broken_file_blocks_writes_with_the_reason_and_reading_goes_on() {
    for (text, place) in [
        ("intents: 7", "Invalid active_intents.yaml: .orchestration/active_intents.yaml:1:10: "),
        (
            "intents:\n  - id: INT-001\n    name: x\n    status: PENDING\n",
            "Invalid active_intents.yaml: .orchestration/active_intents.yaml:2:",
        ),
        ("intents:\n  - id: INT-001\n   bad: [", "Invalid active_intents.yaml: "),
    ] {
        for selected in [false, true] {
            let world = World::new();
            if selected {
                world.select("INT-001");
            }
            world.write(".orchestration/active_intents.yaml", text);
            let claude = world.claude("s");
            let reason = claude.may_write("1", "src/a.ts").unwrap();
            assert!(reason.starts_with(place), "{reason}");
            assert!(reason.contains("\nhint: "), "{reason}");
            claude.reads("2", ".orchestration/active_intents.yaml");
            let ls = claude.before("3", "Bash", &json!({"command": "ls -la | grep x"}));
            assert_eq!(refusal(&ls), None);
            assert!(refusal(&claude.before("4", "Bash", &json!({"command": "make"}))).is_some());
        }
    }
    let world = World::without_intents();
    std::fs::create_dir_all(world.path(".orchestration/active_intents.yaml")).unwrap();
    let reason = world.claude("s").may_write("1", "src/a.ts").unwrap();
    assert!(reason.starts_with("Invalid active_intents.yaml: cannot read"), "{reason}");
}

#[test]
fn a_command_whose_writes_cannot_be_known_passes_under_an_intent_or_is_asked_about() {
    let world = World::new();
    let make = json!({"command": "make -j4"});
    assert!(refusal(&world.claude("a").before("1", "Bash", &make)).is_some());
    world.select("INT-001");
    assert_eq!(refusal(&world.claude("a").before("2", "Bash", &make)), None);
    world.sandbox.config(&json!({"version": 1, "intent": {"strictShell": true}}));
    let answer = world.claude("a").before("3", "Bash", &make);
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "ask", "{answer}");
    // A person's yes to that question is no way round the guard.
    let both = json!({"command": "make -j4; rm -rf /"});
    assert!(refusal(&world.claude("a").before("4", "Bash", &both)).is_some());
}

#[test]
fn with_a_word_of_the_project_the_governor_can_be_in_a_scope() {
    let world = World::new();
    world.write(".orchestration/active_intents.yaml", crate::world::INTENTS.replace("src/**", "**"));
    world.select("INT-001");
    let claude = world.claude("s");
    assert!(claude.may_write("1", ".orchestration/notes.md").unwrap().contains("Scope Violation"));
    world.sandbox.config(&json!({"version": 1, "intent": {"allowSelfEdit": true}}));
    // The shell guard has its own rule about it.
    let reason = claude.may_write("2", ".orchestration/notes.md").unwrap_or_default();
    assert!(!reason.contains("Scope Violation"), "{reason}");
}

#[test]
fn settings_that_cannot_be_read_are_complained_about_and_govern_strictly() {
    let world = World::new();
    world.select("INT-001");
    world.write(".ai/hooks/config.json", r#"{"version": 1, "intent": {"allowSelfEdit": "yes"}}"#);
    assert!(world.claude("s").may_write("1", ".ai/hooks/x").is_some());
    let said = world.sandbox.session().last_run()["data"]["warnings"].to_string();
    assert!(said.contains("`intent` in config.json is ignored"), "{said}");
}

#[test]
fn temporary_files_are_written_under_an_intent_unless_the_settings_say_otherwise() {
    let world = World::new();
    world.select("INT-001");
    let bash = |id: &str, command: &str| {
        refusal(&world.claude("s").before(id, "Bash", &json!({"command": command})))
    };
    let beside = world.sandbox.elsewhere().join("out.log");
    assert_eq!(bash("1", "echo hi > /tmp/steersman-test-out.log"), None);
    assert_eq!(bash("2", "T=$(mktemp) && echo hi > $T"), None);
    let record = &world.events("TEMP_WRITTEN")[0];
    assert_eq!(record, &json!({"intentId": "INT-001", "files": ["/tmp/steersman-test-out.log"]}));
    for (id, command) in [
        ("3", format!("echo hi > {}", beside.display())),
        ("4", "echo hi > /etc/steersman-test".to_owned()),
        ("5", "echo hi > /tmp/../etc/steersman-test".to_owned()),
        ("6", "echo hi > /tmp/steersman-test/.git/config".to_owned()),
    ] {
        assert!(bash(id, &command).is_some(), "{command}");
    }
    world.write(".ai/hooks/config.json", r#"{"intent": {"tempWrites": "deny"}}"#);
    for (id, command) in [
        ("7", "echo hi > /tmp/steersman-test-out.log"),
        ("8", "D=$(mktemp -d)"),
        ("9", "mktemp"),
        ("10", "mktemp -t x.XXXXXX"),
        ("11", "echo $(mktemp --suffix=.log)"),
        ("12", "mktemp -p /tmp"),
    ] {
        assert!(bash(id, command).is_some(), "{command}");
    }
    for (id, command) in [("13", "mktemp -u"), ("14", "mktemp src/XXXXXX"), ("15", "mktemp -p src")] {
        assert_eq!(bash(id, command), None, "{command}");
    }
}

#[test]
fn a_file_out_of_scope_is_found_behind_thousands_that_are_in_it() {
    let world = World::new();
    world.select("INT-001");
    for n in 0..4000 {
        world.write(&format!("src/m/f{n}"), "");
    }
    let command = "rm -f src/m/*; rm -f src/m/*; rm -f src/m/*; rm -f src/m/*; echo x > lib/b.ts";
    let why = refusal(&world.claude("s").before("1", "Bash", &json!({"command": command}))).unwrap();
    assert!(why.contains("is not authorized to edit lib/b.ts"), "{why}");
}
