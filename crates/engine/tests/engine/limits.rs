//! How many runs are active at once, in which order they start, and which occurrences coalesce.

use std::time::Duration;

use automation::limits::MAX_CHAIN_DEPTH;
use automation::queue::Entry;
use automation::{OccurrenceKind, Rate, SourceFile, Status};
use store::Timestamp;

use crate::stage::{Stage, called, scripted};

/// Appends the number of active runs of its kind to `seen`.
const COUNTING: &str = "mkdir -p at; touch at/$$; ls at | wc -l >> seen; sleep 0.3; rm at/$$";

fn most_at_once(stage: &Stage) -> usize {
    stage.read("seen").lines().map(|line| line.trim().parse::<usize>().unwrap()).max().unwrap()
}

#[test]
fn a_hook_runs_no_more_at_once_than_it_says() {
    let mut stage = Stage::new();
    stage.settings.max_running = 8;
    let mut counted = scripted("a", COUNTING);
    counted.concurrency = 2;
    let mut engine = stage.engine(&[counted]);
    engine.offer((0..6).map(|_| called("a")));
    engine.finish();
    assert_eq!(stage.records().len(), 6);
    assert!(most_at_once(&stage) <= 2);
}

#[test]
fn runs_of_one_hook_are_at_work_at_once() {
    let stage = Stage::new();
    // Each waits for the other; run sequentially they would never end.
    let meeting = "mkdir -p met; touch met/$$; while [ $(ls met | wc -l) -lt 2 ]; do sleep 0.05; done";
    let mut engine = stage.engine(&[scripted("a", meeting)]);
    engine.offer([called("a"), called("a")]);
    engine.finish();
    let ended: Vec<Status> = stage.records().into_iter().map(|it| it.status).collect();
    assert_eq!(ended, [Status::Success; 2]);
}

#[test]
fn all_hooks_together_run_no_more_at_once_than_the_workspace_says() {
    let mut stage = Stage::new();
    stage.settings.max_running = 3;
    let hooks: Vec<_> = ["a", "b", "c", "d", "e"].map(|id| scripted(id, COUNTING)).into_iter().collect();
    let mut engine = stage.engine(&hooks);
    engine.offer(["a", "b", "c", "d", "e", "a"].map(called));
    engine.finish();
    assert_eq!(stage.records().len(), 6);
    assert!(most_at_once(&stage) <= 3);
}

#[test]
fn a_rate_spreads_runs_over_time() {
    let stage = Stage::new();
    let mut rated = scripted("a", "true");
    rated.rate = Some(Rate { runs: 2, per: Duration::from_millis(600) });
    let mut engine = stage.engine(&[rated]);
    engine.offer((0..4).map(|_| called("a")));
    engine.finish();
    let mut starts: Vec<String> = stage.records().into_iter().map(|it| it.start_ts).collect();
    starts.sort();
    let gap = millis(&starts[2]) - millis(&starts[1]);
    assert!(gap >= 400, "the third began {gap} ms after the second");
}

/// Milliseconds within a day; enough to compare moments of one test, midnight aside.
fn millis(iso: &str) -> i64 {
    let number = |range: std::ops::Range<usize>| iso[range].parse::<i64>().unwrap();
    ((number(11..13) * 60 + number(14..16)) * 60 + number(17..19)) * 1000 + number(20..23)
}

#[test]
fn what_is_handed_in_about_one_file_in_quick_succession_runs_once() {
    let stage = Stage::new();
    let mut on_save = scripted("a", "echo x >> runs");
    on_save.trigger = automation::Trigger::FileSaved { pattern: Some("*.rs".into()) };
    for path in ["src/a.rs", "src/a.rs", "src/b.rs", "src/a.rs", "README.md"] {
        stage.emit(OccurrenceKind::FileSaved { path: path.into() });
    }
    let mut engine = stage.engine(&[on_save]);
    engine.finish();
    let files: Vec<_> = stage.records().into_iter().map(|it| it.file.unwrap()).collect();
    assert_eq!(files.len(), 2, "{files:?}");
    let matched = stage.entries().iter().filter(|it| matches!(it, Entry::Matched { .. })).count();
    assert_eq!(matched, 5, "every occurrence is accounted for");
}

#[test]
fn a_waiting_run_about_the_same_file_is_replaced_by_the_latest() {
    let mut stage = Stage::new();
    stage.settings.max_running = 1;
    let mut on_save = scripted("a", "sleep 0.3");
    on_save.trigger = automation::Trigger::FileSaved { pattern: None };
    let mut engine = stage.engine(&[on_save]);
    let saved = |path: &str| OccurrenceKind::FileSaved { path: path.into() };
    for path in ["a", "b", "b", "b", "c"] {
        engine.offer([saved(path)]);
        engine.engine.turn().unwrap();
    }
    engine.finish();
    let files: Vec<_> = stage.records().into_iter().map(|it| it.file.unwrap()).collect();
    assert_eq!(files, ["a", "b", "c"]);
    let replaced = stage.entries().iter().filter(|it| matches!(it, Entry::Replaced { .. })).count();
    assert_eq!(replaced, 2);
}

#[test]
fn saves_that_cannot_be_written_down_yet_gather_as_one_run_for_each_file() {
    let mut stage = Stage::new();
    stage.settings.max_running = 1;
    let on_save = |id: &str, script: &str| {
        let mut hook = scripted(id, script);
        hook.trigger = automation::Trigger::FileSaved { pattern: None };
        hook
    };
    let mut engine = stage.engine(&[on_save("one", "cat >> one"), on_save("other", "true")]);
    let saved = |path: &str| OccurrenceKind::FileSaved { path: path.into() };
    engine.engine.set_may_begin(false);
    engine.offer([saved("a")]);
    engine.engine.turn().unwrap();
    // As on a full disk: much happens between two turns that can write.
    for path in ["a", "b", "a", "a", "b", "a"] {
        engine.offer([saved(path)]);
    }
    engine.engine.set_may_begin(true);
    engine.finish();
    let mut files: Vec<_> =
        stage.records().into_iter().map(|it| (it.hook_id.to_string(), it.file.unwrap())).collect();
    files.sort();
    let expected = [("one", "a"), ("one", "b"), ("other", "a"), ("other", "b")];
    assert_eq!(files, expected.map(|(hook, file)| (hook.to_owned(), file.to_owned())));
    let entries = stage.entries();
    let n_queued = entries.iter().filter(|it| matches!(it, Entry::Queued { .. })).count();
    assert_eq!(n_queued, 6, "the two that were written first, and one for each file after them");
    let is_queued = |id: &automation::ExecutionId| {
        entries.iter().any(|it| matches!(it, Entry::Queued { run } if run.id == *id))
    };
    let replaced_by = entries.iter().filter_map(|it| match it {
        Entry::Replaced { by, .. } => Some(by),
        _ => None,
    });
    assert_eq!(replaced_by.filter(|by| is_queued(by)).count(), 2, "by runs that exist");
}

#[test]
fn a_save_that_an_editor_told_of_and_the_watcher_saw_is_one_save() {
    let stage = Stage::new();
    let mut on_save = scripted("a", "true");
    on_save.trigger = automation::Trigger::FileSaved { pattern: None };
    let mut engine = stage.engine(&[on_save]);
    let saved = |path: &str| OccurrenceKind::FileSaved { path: path.into() };
    for path in ["both", "both", "told"] {
        stage.emit(saved(path));
    }
    engine.engine.turn().unwrap();
    engine.offer([saved("both")]);
    engine.finish();
    let mut files: Vec<_> = stage.records().into_iter().map(|it| it.file.unwrap()).collect();
    files.sort();
    assert_eq!(files, ["both", "told"]);
    let n_matched = stage.entries().iter().filter(|it| matches!(it, Entry::Matched { .. })).count();
    assert_eq!(n_matched, 3, "every emitted occurrence is accounted for");
}

#[test]
fn custom_hooks_of_one_trigger_run_one_after_the_other_and_a_failure_stops_none() {
    let stage = Stage::new();
    let hook = |id: &str, created: u64, script: &str| {
        let mut hook = scripted(id, script);
        hook.trigger = automation::Trigger::Custom { name: "go".into(), pattern: None };
        hook.origin.file = SourceFile::Gatomia;
        hook.created = Some(Timestamp::from_millis(created));
        hook
    };
    let mut engine = stage.engine(&[
        hook("third", 3, "echo third >> order"),
        hook("first", 1, "sleep 0.2; echo first >> order"),
        hook("second", 2, "echo second >> order; exit 1"),
    ]);
    engine.offer([called("go")]);
    engine.finish();
    assert_eq!(stage.read("order"), "first\nsecond\nthird\n");
}

#[test]
fn an_automation_that_leads_to_itself_or_too_deep_is_refused_and_recorded() {
    let stage = Stage::new();
    let hook = scripted("a", "echo ran >> ran; echo \"$STEERSMAN_AUTOMATION_CHAIN\" > chain");
    let mut engine = stage.engine(&[hook]);
    let mut looped = automation::Occurrence::new(store::now(), called("a"));
    looped.chain = automation::Chain::default().then(&automation::AutomationId::new("a").unwrap());
    let mut deep = automation::Occurrence::new(store::now(), called("a"));
    for n in 0..MAX_CHAIN_DEPTH {
        deep.chain = deep.chain.then(&automation::AutomationId::new(&format!("x{n}")).unwrap());
    }
    engine.engine.offer(vec![looped, deep]);
    engine.finish();
    let codes: Vec<_> = stage.records().into_iter().map(|it| it.error.unwrap().code).collect();
    assert_eq!(codes, ["CHAIN_REFUSED", "CHAIN_REFUSED"]);
    assert_eq!(stage.read("ran"), "");
    engine.offer([called("a")]);
    engine.finish();
    assert_eq!(stage.read("chain"), "[\"a\"]\n");
}

#[test]
fn a_run_whose_automation_was_taken_out_ends_with_a_reason() {
    let mut stage = Stage::new();
    stage.settings.max_running = 1;
    let mut engine = stage.engine(&[scripted("a", "sleep 0.2"), scripted("b", "true")]);
    engine.offer([called("a")]);
    engine.engine.turn().unwrap();
    engine.offer([called("b")]);
    engine.engine.turn().unwrap();
    let automations = engine::AutomationSet::declared_in_code([scripted("a", "true")], &stage.settings);
    engine.engine.set_automations(automations);
    engine.finish();
    let records = stage.records();
    let gone = records.iter().find(|it| it.hook_id.as_str() == "b").unwrap();
    assert_eq!((gone.status, gone.error.as_ref().unwrap().code.as_str()), (Status::Failed, "NO_SUCH_HOOK"));
}

#[test]
fn nothing_begins_while_the_workspace_is_not_trusted() {
    let stage = Stage::new();
    let mut engine = stage.engine(&[scripted("a", "touch ran")]);
    engine.engine.set_may_begin(false);
    engine.offer([called("a")]);
    assert_eq!(engine.engine.turn().unwrap().n_begun, 0);
    assert_eq!(engine.engine.queue_state().n_open(), 1, "it is pending");
}
