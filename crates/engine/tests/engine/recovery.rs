//! Runs whose engine ended before them.

use std::time::Duration;

use automation::queue::{self, Entry, QueuedRun};
use automation::{AutomationId, ExecutionId, Occurrence, Retry, Status};

use crate::stage::{Stage, called, scripted};

/// Leaves a run in the journal that an ended process had started.
fn half_done(stage: &Stage, hook: &str) -> ExecutionId {
    let now = store::now();
    let run = QueuedRun::new(now, AutomationId::new(hook).unwrap(), Occurrence::new(now, called(hook)));
    let id = run.id.clone();
    let started = Entry::Started { run: id.clone(), attempt: 1, process: 1 };
    queue::append(&stage.settings.workspace, now, [Entry::Queued { run }, started]).unwrap();
    id
}

#[test]
fn a_run_that_was_at_work_is_tried_again_and_says_so_or_is_given_up_and_says_so() {
    let stage = Stage::new();
    let mut patient = scripted("patient", "echo x >> runs");
    patient.retry = Retry { count: 1, backoff: Duration::from_millis(1), factor: 1.0 };
    let (tried, given_up) = (half_done(&stage, "patient"), half_done(&stage, "once"));
    let mut engine = stage.engine(&[patient, scripted("once", "echo y >> runs")]);
    assert_eq!((engine.recovered.retried, engine.recovered.given_up), (1, 1));
    engine.finish();
    assert_eq!(stage.read("runs"), "x\n");
    let records = stage.records();
    let find = |id| records.iter().find(|it| it.id == id).unwrap();
    let tried = find(tried);
    assert_eq!((tried.status, tried.attempts, tried.interruptions), (Status::Success, 2, 1));
    let given_up = find(given_up);
    assert_eq!((given_up.status, given_up.interruptions), (Status::Failed, 1));
    assert_eq!(given_up.error.as_ref().unwrap().code, "INTERRUPTED");
}

#[test]
fn runs_that_waited_are_run_by_the_next_engine() {
    let stage = Stage::new();
    let hook = scripted("a", "echo x >> runs");
    {
        let mut engine = stage.engine(std::slice::from_ref(&hook));
        engine.engine.set_may_begin(false);
        engine.offer([called("a"), called("a")]);
        engine.engine.turn().unwrap();
    }
    let mut engine = stage.engine(&[hook]);
    assert_eq!(engine.recovered.queued, 2);
    engine.finish();
    assert_eq!(stage.read("runs"), "x\nx\n");
}

#[cfg(target_os = "linux")]
#[test]
fn processes_that_outlived_their_engine_are_ended_before_the_next_try() {
    let stage = Stage::new();
    let id = half_done(&stage, "a");
    let mut orphan =
        std::process::Command::new("sleep").arg("600").env(runner::MARK, id.as_str()).spawn().unwrap();
    // The kernel lets the parent go on before it has written the child's environment.
    let environment = format!("/proc/{}/environ", orphan.id());
    while std::fs::read(&environment).unwrap().is_empty() {
        std::thread::yield_now();
    }
    let engine = stage.engine(&[scripted("a", "true")]);
    assert_eq!(engine.recovered.killed_processes, 1);
    let _ = orphan.wait();
}

#[test]
fn an_engine_that_leaves_marks_what_it_stops_as_interrupted() {
    let stage = Stage::new();
    let mut hook = scripted("a", "touch begun; sleep 600");
    hook.retry = Retry { count: 1, ..Retry::default() };
    let mut engine = stage.engine(&[hook]);
    engine.offer([called("a")]);
    let begun = stage.path("begun");
    engine.turn_until(|_| begun.exists());
    engine.engine.stop_all(Duration::from_secs(2));
    engine.engine.set_may_begin(false);
    engine.turn_until(|engine| engine.n_active() == 0);
    let run = engine.engine.queue_state().open().next().unwrap().clone();
    assert!(run.is_pending() && run.interruptions == 1 && stage.records().is_empty());
}

#[test]
fn a_journal_that_vanishes_under_the_engine_loses_nothing_that_is_open() {
    let stage = Stage::new();
    let mut engine = stage.engine(&[scripted("a", "sleep 0.2; echo x >> runs")]);
    engine.offer([called("a"), called("a")]);
    engine.engine.turn().unwrap();
    std::fs::remove_dir_all(stage.path(".ai")).unwrap();
    engine.finish();
    assert_eq!(stage.read("runs"), "x\nx\n");
    assert_eq!(stage.records().len(), 2);
}

#[test]
fn the_journal_begins_anew_while_a_run_is_at_work_and_every_run_ends_once() {
    let mut stage = Stage::new();
    (stage.settings.rotate_beyond, stage.settings.max_running) = (6000, 2);
    let long =
        scripted("long", "echo before; touch begun; while [ ! -e go ]; do sleep 0.05; done; echo after");
    let mut engine = stage.engine(&[long, scripted("short", "echo x >> runs")]);
    engine.offer([called("long")]);
    let begun = stage.path("begun");
    engine.turn_until(|_| begun.exists());
    let n_rotations = |engine: &engine::Engine| engine.queue_state().rotation();
    while n_rotations(&engine.engine) < 2 {
        engine.offer((0..10).map(|_| called("short")));
        engine.turn_until(|engine| engine.queue_state().n_open() == 1);
    }
    let n_short = stage.read("runs").lines().count();
    std::fs::write(stage.path("go"), "").unwrap();
    engine.finish();
    let history: Vec<_> = stage.records_of_all_journals();
    assert_eq!(history.len(), n_short + 1);
    let ids: std::collections::HashSet<_> = history.iter().map(|it| &it.id).collect();
    assert_eq!(ids.len(), history.len(), "a run ended twice");
    let long = history.iter().find(|it| it.hook_id.as_str() == "long").unwrap();
    assert_eq!((long.status, long.attempts, long.interruptions), (Status::Success, 1, 0));
    assert_eq!(long.logs.as_deref(), Some("before\nafter\n"));
}

#[test]
fn a_run_that_was_at_work_in_a_journal_that_began_anew_is_known_by_the_next_engine() {
    let mut stage = Stage::new();
    stage.settings.rotate_beyond = 1;
    let id = half_done(&stage, "a");
    let mut hook = scripted("a", "touch begun; while [ ! -e go ]; do sleep 0.05; done");
    hook.retry = Retry { count: 5, backoff: Duration::from_millis(1), factor: 1.0 };
    let begun = stage.path("begun");
    {
        let mut engine = stage.engine(std::slice::from_ref(&hook));
        engine.turn_until(|_| begun.exists());
        assert!(engine.engine.queue_state().rotation() > 0);
    }
    let mut engine = stage.engine(&[hook]);
    assert_eq!(engine.recovered.retried, 1);
    std::fs::write(stage.path("go"), "").unwrap();
    engine.finish();
    let records = stage.records_of_all_journals();
    let [record] = records.as_slice() else { panic!("{records:?}") };
    assert_eq!((&record.id, record.attempts, record.interruptions), (&id, 3, 2));
}

#[test]
fn a_journal_in_which_everything_is_open_does_not_begin_anew_at_every_turn() {
    let mut stage = Stage::new();
    stage.settings.rotate_beyond = 1;
    let mut engine = stage.engine(&[scripted("a", "true")]);
    engine.engine.set_may_begin(false);
    engine.offer((0..20).map(|_| called("a")));
    for _ in 0..20 {
        engine.engine.turn().unwrap();
    }
    assert_eq!((engine.engine.queue_state().rotation(), engine.engine.queue_state().n_open()), (1, 20));
}
