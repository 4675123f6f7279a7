//! The automations that an occurrence triggers.

use std::fs;

use automation::config::{emitted_kind, known_triggers};
use automation::queue::Entry;
use automation::{Chain, Configuration, Matches, Occurrence, SourceFile, Status, matches};
use serde_json::{Map, json};

use crate::sample::{Place, at, id, place};

fn configured() -> (Place, Configuration) {
    let place = place();
    let akira = json!({"hooks": [
        {"id": "rust", "trigger": "onDidSaveTextDocument", "pattern": "src/**/*.rs", "prompt": "x"},
        {"id": "any", "trigger": "file-save", "prompt": "x"},
        {"id": "off", "trigger": "file-save", "prompt": "x", "enabled": false},
        {"id": "will", "trigger": "onWillSaveTextDocument", "prompt": "x"},
        {"id": "commit", "trigger": "gitCommit", "prompt": "x", "allowGit": true, "repoRoot": "."},
        {"id": "elsewhere", "trigger": "gitCommit", "prompt": "x", "allowGit": true, "repoRoot": "vendor/lib"},
        {"id": "stop", "trigger": "Stop", "prompt": "x"},
        {"id": "before", "trigger": "speckit.clarify:before", "prompt": "x"},
        {"id": "deploy", "trigger": "deploy", "prompt": "x"},
        {"id": "deploy-web", "trigger": "deploy", "pattern": "web/**", "prompt": "x"},
        {"id": "spec", "trigger": "specStatusChange", "prompt": "x"},
    ]});
    let hook = |id: &str, operation: &str, created: u64| {
        json!({"id": id, "createdAt": created,
            "trigger": {"agent": if operation == "clarify" { "speckit" } else { "workspace" }, "operation": operation},
            "action": {"type": "command", "parameters": {"command": ["true"]}}})
    };
    let gatomia = json!([
        hook("younger", "clarify", 2000),
        hook("older", "clarify", 1000),
        hook("same-age", "clarify", 1000),
    ]);
    for (source, value) in [(SourceFile::Akira, akira), (SourceFile::Gatomia, gatomia)] {
        let path = source.path(&place.workspace);
        fs::create_dir_all(path.as_path().parent().unwrap()).unwrap();
        fs::write(path.as_path(), value.to_string()).unwrap();
    }
    let (configuration, loaded) = Configuration::load(&place.workspace);
    assert_eq!(loaded.problems, []);
    (place, configuration)
}

fn emitted(place: &Place, name: &str, file: Option<&str>, data: &serde_json::Value) -> Occurrence {
    let data: Map<_, _> = data.as_object().cloned().unwrap_or_default();
    let kind = emitted_kind(name, file.map(str::to_owned), data, place.workspace.root()).unwrap();
    Occurrence::new(at(0), kind)
}

fn ids<'a>(matches: &Matches<'a>) -> Vec<&'a str> {
    matches.triggered.iter().map(|it| it.id.as_str()).collect()
}

#[test]
fn an_occurrence_sets_off_what_waits_for_it_and_nothing_else() {
    let (place, configuration) = configured();
    let status = json!({"specId": "1", "newStatus": "review"});
    for (name, file, data, expected) in [
        ("onDidSaveTextDocument", Some("src/deep/a.rs"), json!({}), vec!["rust", "any"]),
        ("file-save", Some("README.md"), json!({}), vec!["any"]),
        ("onWillSaveTextDocument", Some("src/a.rs"), json!({}), vec!["will"]),
        ("gitCommit", None, json!({"commitHash": "abc"}), vec!["commit"]),
        ("gitCommit", None, json!({"repoRoot": "vendor/lib"}), vec!["elsewhere"]),
        ("Stop", None, json!({}), vec!["stop"]),
        ("SubagentStop", None, json!({}), vec![]),
        ("speckit.clarify", None, json!({}), vec!["older", "same-age", "younger"]),
        ("speckit.clarify:before", None, json!({}), vec!["before"]),
        ("openspec.clarify", None, json!({}), vec![]),
        ("deploy", None, json!({}), vec!["deploy"]),
        ("deploy", Some("web/index.html"), json!({}), vec!["deploy", "deploy-web"]),
        ("specStatusChange", Some("specs/1/spec.md"), status, vec!["spec"]),
    ] {
        let occurrence = emitted(&place, name, file, &data);
        assert_eq!(ids(&matches(configuration.automations(), &occurrence)), expected, "{name} {file:?}");
    }
}

#[test]
fn every_built_in_trigger_is_met_by_the_occurrence_of_its_name_and_by_no_other() {
    let place = place();
    let names = known_triggers();
    let hook = |name: &String| {
        let mut hook = json!({"id": name, "trigger": name, "prompt": "x", "allowGit": true, "repoRoot": "."});
        if name == "schedule" {
            hook["every"] = json!("1h");
        }
        hook
    };
    let hooks = json!({"hooks": names.iter().map(hook).collect::<Vec<_>>()});
    let path = SourceFile::Akira.path(&place.workspace);
    fs::create_dir_all(path.as_path().parent().unwrap()).unwrap();
    fs::write(path.as_path(), hooks.to_string()).unwrap();
    let (configuration, loaded) = Configuration::load(&place.workspace);
    assert!(loaded.is_valid(), "{:?}", loaded.problems);
    let data = json!({"specId": "1", "newStatus": "review"});
    // Only the clock meets a schedule.
    for name in names.iter().filter(|name| *name != "schedule") {
        let occurrence = emitted(&place, name, Some("specs/1/spec.md"), &data);
        assert_eq!(ids(&matches(configuration.automations(), &occurrence)), [name.as_str()]);
    }
}

#[test]
fn custom_agent_hooks_of_one_occurrence_run_one_after_the_other() {
    let (place, configuration) = configured();
    let occurrence = emitted(&place, "speckit.clarify", None, &json!({}));
    let runs = matches(configuration.automations(), &occurrence).runs(at(0), &occurrence);
    let order: Vec<_> = runs.iter().map(|run| run.after.clone()).collect();
    assert_eq!(order, [None, Some(runs[0].id.clone()), Some(runs[1].id.clone())]);
    let saved = emitted(&place, "file-save", Some("src/a.rs"), &json!({}));
    let runs = matches(configuration.automations(), &saved).runs(at(0), &saved);
    assert!(runs.len() == 2 && runs.iter().all(|run| run.after.is_none()));
}

#[test]
fn an_automation_that_led_to_the_occurrence_is_refused_and_the_others_run() {
    let (place, configuration) = configured();
    let mut occurrence = emitted(&place, "file-save", Some("src/a.rs"), &json!({}));
    occurrence.chain = Chain::default().then(&id("rust"));
    let found = matches(configuration.automations(), &occurrence);
    assert_eq!(ids(&found), ["any"]);
    let [Entry::Queued { run }, Entry::Finished { record }] = &found.refusals(at(7), &occurrence)[..] else {
        panic!("a refused run is queued and has ended: {found:?}");
    };
    assert_eq!((&run.id, run.hook.as_str(), record.attempts), (&record.id, "rust", 0));
    assert_eq!((record.status, record.end_ts.as_ref()), (Status::Failed, Some(&at(7).to_string())));
    let error = record.error.as_ref().unwrap();
    assert_eq!(
        (error.code.as_str(), error.message.as_str()),
        ("CHAIN_REFUSED", "`rust` triggered itself: `rust`")
    );
    for n in 0..9 {
        occurrence.chain = occurrence.chain.then(&id(&format!("n{n}")));
    }
    assert_eq!(ids(&matches(configuration.automations(), &occurrence)), [""; 0]);
}

#[test]
fn what_emit_is_told_has_to_be_enough() {
    let root = event::AbsPath::new("/w").unwrap();
    for (name, why) in [
        ("file-save", "this trigger needs a file"),
        ("specStatusChange", "this trigger needs `specId` and `newStatus` in its data"),
        ("speckit.dance", "unknown operation of a specification agent"),
        ("a b", "a trigger name has at most 100 characters"),
        ("", "a trigger name has at most 100 characters"),
    ] {
        let error = emitted_kind(name, None, Map::new(), &root).unwrap_err().to_string();
        assert!(error.starts_with(why), "{name}: {error}");
    }
}
