//! How runs end, and when they are retried.

use std::time::Duration;

use automation::queue::{self, Entry, QueuedRun};
use automation::{AutomationId, Occurrence, Retry, State, Status};

use crate::stage::{Stage, called, scripted};

fn steps(stage: &Stage) -> Vec<&'static str> {
    let word = |entry: &Entry| match entry {
        Entry::Queued { .. } => "queued",
        Entry::Started { .. } => "started",
        Entry::Entered { state, .. } => state.as_str(),
        Entry::Failed { .. } => "failed",
        Entry::Finished { record } => record.state.as_str(),
        Entry::Interrupted { .. } => "interrupted",
        _ => "other",
    };
    stage.entries().iter().map(word).collect()
}

#[test]
fn a_run_goes_through_the_steps_of_the_document_and_each_is_written_down() {
    let stage = Stage::new();
    let mut engine = stage.engine(&[scripted("a", "cat; echo done >&2")]);
    engine.offer([called("a")]);
    engine.finish();
    assert_eq!(steps(&stage), ["queued", "started", "VALIDATING", "REPLACING", "EXECUTING", "SUCCESS"]);
    let record = stage.records().remove(0);
    assert_eq!((record.status, record.exit_code, record.attempts), (Status::Success, Some(0), 1));
    assert_eq!(record.logs.unwrap(), "a prompt\n[stderr]\ndone\n");
    assert!(record.end_ts.unwrap() >= record.start_ts);
}

#[test]
fn a_failure_is_tried_again_as_often_as_the_policy_says() {
    let stage = Stage::new();
    let mut automation = scripted("a", "echo x >> tries; exit 3");
    automation.retry = Retry { count: 2, backoff: Duration::from_millis(20), factor: 2.0 };
    let mut engine = stage.engine(&[automation]);
    engine.offer([called("a")]);
    engine.finish();
    assert_eq!(stage.read("tries"), "x\nx\nx\n");
    let records = stage.records();
    let record = &records[0];
    assert_eq!((records.len(), record.status, record.attempts), (1, Status::Failed, 3));
    assert_eq!(record.error.as_ref().unwrap().code, "EXIT_CODE");
    assert_eq!(record.exit_code, Some(3));
}

#[test]
fn a_try_that_succeeds_ends_the_trying() {
    let stage = Stage::new();
    let mut automation = scripted("a", "echo x >> tries; [ $(wc -l < tries) = 2 ]");
    automation.retry = Retry { count: 5, backoff: Duration::from_millis(10), factor: 1.0 };
    let mut engine = stage.engine(&[automation]);
    engine.offer([called("a")]);
    engine.finish();
    let record = stage.records().remove(0);
    assert_eq!((record.status, record.attempts), (Status::Success, 2));
}

#[test]
fn a_run_whose_time_is_up_is_a_timeout_and_is_not_tried_again() {
    let stage = Stage::new();
    let mut automation = scripted("a", "trap '' TERM; echo x >> tries; while :; do sleep 0.1; done");
    automation.retry = Retry { count: 3, ..Retry::default() };
    automation.timeout = Duration::from_secs(2);
    let mut engine = stage.engine(&[automation]);
    engine.offer([called("a")]);
    engine.finish();
    let record = stage.records().remove(0);
    assert_eq!((record.status, record.state, record.attempts), (Status::Timeout, State::Timeout, 1));
    assert!(record.end_ts.is_some() && stage.read("tries") == "x\n");
}

#[test]
fn a_run_that_somebody_wants_stopped_is_canceled_and_not_tried_again() {
    let stage = Stage::new();
    let mut automation = scripted("a", "echo $$ > pid; sleep 600");
    automation.retry = Retry { count: 3, ..Retry::default() };
    let mut engine = stage.engine(&[automation]);
    engine.offer([called("a")]);
    let pid = stage.path("pid");
    engine.turn_until(|_| pid.exists());
    let run = engine.engine.queue_state().open().next().unwrap().queued.id.clone();
    queue::append(&stage.settings.workspace, store::now(), [Entry::CancelAsked { run, by: None }]).unwrap();
    engine.finish();
    let record = stage.records().remove(0);
    assert_eq!((record.status, record.attempts, record.error), (Status::Canceled, 1, None));
}

#[cfg(target_os = "linux")]
#[test]
fn a_runner_that_leaves_its_session_is_ended_with_its_grandchildren_whichever_way_it_is_stopped() {
    // Three generations of processes, each in its own session and ignoring SIGTERM.
    let inner = "trap \"\" TERM; echo $$ > inner.new; mv inner.new inner; while :; do sleep 0.1; done";
    let outer =
        format!("trap '' TERM; echo $$ > outer; setsid sh -c '{inner}' & while :; do sleep 0.1; done");
    for is_timeout in [false, true] {
        let stage = Stage::new();
        std::fs::write(stage.path("outer.sh"), &outer).unwrap();
        let mut automation = scripted("a", "setsid sh outer.sh & wait");
        if is_timeout {
            automation.timeout = Duration::from_secs(2);
        }
        let mut engine = stage.engine(&[automation]);
        engine.offer([called("a")]);
        let inner = stage.path("inner");
        engine.turn_until(|engine| inner.exists() || engine.queue_state().n_open() == 0);
        if !is_timeout {
            let run = engine.engine.queue_state().open().next().unwrap().queued.id.clone();
            queue::append(&stage.settings.workspace, store::now(), [Entry::CancelAsked { run, by: None }])
                .unwrap();
        }
        engine.finish();
        let expected = if is_timeout { Status::Timeout } else { Status::Canceled };
        assert_eq!(stage.records()[0].status, expected);
        for name in ["outer", "inner"].into_iter().filter(|name| stage.path(name).exists()) {
            let pid: u32 = stage.read(name).trim().parse().unwrap();
            assert!(!is_alive(pid), "{name}, timeout: {is_timeout}");
        }
    }
}

/// Returns whether a process exists and is not a zombie.
#[cfg(target_os = "linux")]
fn is_alive(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rfind(')').is_some_and(|at| !stat[at + 1..].trim_start().starts_with(['Z', 'X']))
}

#[test]
fn a_runner_that_is_not_there_fails_before_anything_runs() {
    let stage = Stage::new();
    let mut automation = scripted("a", "");
    automation.runner = None;
    automation.retry = Retry { count: 3, ..Retry::default() };
    let mut absent = scripted("b", "");
    absent.runner = Some(automation::RunnerChoice::Command { argv: vec!["no-such-program".into()] });
    let mut engine = stage.engine(&[automation, absent]);
    // A user can still start a run of an automation that is off because it has no runner.
    let now = store::now();
    let by_hand = Occurrence::new(now, called(Occurrence::MANUAL));
    let run = QueuedRun::new(now, AutomationId::new("a").unwrap(), by_hand);
    queue::append(&stage.settings.workspace, now, [Entry::Queued { run }]).unwrap();
    engine.finish();
    engine.offer([called("b")]);
    engine.finish();
    let codes: Vec<_> = stage.records().into_iter().map(|it| (it.error.unwrap().code, it.attempts)).collect();
    assert_eq!(codes, [("NO_RUNNER".into(), 1), ("CLI_NOT_INSTALLED".into(), 1)]);
    assert!(!steps(&stage).contains(&"EXECUTING"));
}

#[test]
fn secrets_of_prompts_outputs_errors_and_the_environment_reach_no_journal_and_no_metric() {
    let mut stage = Stage::new();
    let token = concat!("ghp_", "abcdefghijklmnopqrstuvwxyz0123456789");
    stage.settings.environment.set("DEPLOY_TOKEN", "words-without-a-shape");
    let script = format!("cat; echo {token}; echo order-4711-x; echo \"<$DEPLOY_TOKEN>\" >&2; exit 1");
    let mut leaky = scripted("a", &script);
    leaky.secret_patterns = vec!["order-[0-9]+".into()];
    leaky.action =
        automation::Action::Prompt { prompt: automation::Template::new(format!("use {token} for order-12")) };
    let mut missing = scripted("b", "");
    missing.runner = Some(automation::RunnerChoice::Command { argv: vec![format!("no-{token}")] });
    let mut engine = stage.engine(&[leaky, missing]);
    engine.offer([called("a"), called("b")]);
    engine.finish();
    let journal = std::fs::read_to_string(stage.settings.workspace.automation_queue().as_path()).unwrap();
    let metrics = engine.engine.metrics().to_prometheus();
    for secret in [token, "order-4711", "order-12", "words-without-a-shape"] {
        assert!(!journal.contains(secret), "{secret}\n{journal}");
        assert!(!metrics.contains(secret), "{secret}\n{metrics}");
    }
    assert!(journal.contains("use [REDACTED] for [REDACTED]"), "{journal}");
}
