//! Which automations an occurrence sets off, and how many runs come of many occurrences.

use std::fs;

use automation::config::what_of;
use automation::{Chain, Coalescer, Configuration, Matches, Occurrence, SourceFile, What, matches};
use serde_json::{Map, json};
use store::Timestamp;

use crate::sample::{Place, at, id, place, run, saved};

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
    let what = what_of(name, file.map(str::to_owned), data, place.workspace.root()).unwrap();
    Occurrence::new(at(0), what)
}

fn ids<'a>(matches: &Matches<'a>) -> Vec<&'a str> {
    matches.set_off.iter().map(|it| it.id.as_str()).collect()
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
    assert_eq!(found.refused.len(), 1);
    for n in 0..9 {
        occurrence.chain = occurrence.chain.then(&id(&format!("n{n}")));
    }
    assert_eq!(ids(&matches(configuration.automations(), &occurrence)), [""; 0]);
}

#[test]
fn what_emit_is_told_has_to_be_enough() {
    let root = event::AbsPath::new("/w").unwrap();
    for (name, why) in [
        ("file-save", "a file has to be named with it"),
        ("specStatusChange", "`specId` and `newStatus` have to be in its data"),
        ("speckit.dance", "there is no such operation of a specification agent"),
        ("a b", "a trigger is letters"),
        ("", "a trigger is letters"),
    ] {
        let error = what_of(name, None, Map::new(), &root).unwrap_err().to_string();
        assert!(error.starts_with(why), "{name}: {error}");
    }
}

fn saved_at(millis: u64, file: &str) -> automation::queue::QueuedRun {
    let mut run = run("format", file);
    run.occurrence.ts = at(millis);
    run
}

#[test]
fn saves_within_half_a_second_become_one_run_for_the_latest() {
    let mut coalescer = Coalescer::default();
    let mut last = None;
    for millis in [0, 100, 599, 1098] {
        let run = saved_at(millis, "a");
        last = Some(run.id.clone());
        assert_eq!(coalescer.offer(run), None);
    }
    assert_eq!(coalescer.next_due(), Some(at(1598)));
    assert_eq!(coalescer.due(at(1597)), []);
    let due = coalescer.due(at(1598));
    assert_eq!(due.iter().map(|run| &run.id).collect::<Vec<_>>(), [last.as_ref().unwrap()]);
    assert_eq!((coalescer.is_empty(), coalescer.n_dropped()), (true, 3));
    coalescer.offer(saved_at(1600, "a"));
    assert_eq!(coalescer.due(at(2100)).len(), 1);
}

#[test]
fn files_and_automations_wait_each_for_themselves() {
    let mut coalescer = Coalescer::default();
    coalescer.offer(saved_at(0, "a"));
    coalescer.offer(saved_at(10, "b"));
    let mut other = saved_at(5, "a");
    other.hook = id("lint");
    coalescer.offer(other);
    assert_eq!(coalescer.due(at(10_000)).len(), 3);
}

#[test]
fn a_file_that_never_rests_is_answered_to_all_the_same() {
    let mut coalescer = Coalescer::default();
    let mut n_runs = 0;
    for millis in (0..60_000).step_by(250) {
        coalescer.offer(saved_at(millis, "log"));
        n_runs += coalescer.due(at(millis)).len();
    }
    n_runs += coalescer.due(at(100_000)).len();
    assert_eq!(n_runs, 12);
}

#[test]
fn what_is_about_no_file_does_not_wait() {
    let mut coalescer = Coalescer::default();
    let mut run = run("x", "a");
    run.occurrence.what = What::Custom { name: "x".into(), path: None, data: Map::new() };
    assert_eq!(coalescer.offer(run.clone()), Some(run));
}

#[test]
fn a_storm_leaves_one_run_per_file() {
    let mut coalescer = Coalescer::default();
    for n in 0..20_000_u64 {
        let mut run = automation::queue::QueuedRun::new(at(0), id("format"), saved(&format!("f{}", n % 500)));
        run.occurrence.ts = at(n / 5);
        coalescer.offer(run);
    }
    assert_eq!(coalescer.len(), 500);
    assert_eq!(coalescer.n_dropped(), 19_500);
    assert_eq!(coalescer.due(Timestamp::from_millis(u64::MAX)).len(), 500);
}
