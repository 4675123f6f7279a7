//! The journal gets the output of a run while the run is active.

use std::fs;
use std::time::Duration;

use automation::queue::Entry;
use automation::{OutputStream, Retry, Status};

use crate::stage::{Stage, TestEngine, called, scripted};

const TOKEN: &str = concat!("ghp_", "abcdefghijklmnopqrstuvwxyz0123456789");

/// Returns the text that the journal has of an output.
fn printed(stage: &Stage, wanted: OutputStream) -> String {
    let text = |entry| match entry {
        Entry::Printed { output, text, .. } if output == wanted => Some(text),
        _ => None,
    };
    stage.entries().into_iter().filter_map(text).collect()
}

/// Turns until the journal has this output; the run is still active then.
fn turn_until_printed(engine: &mut TestEngine, stage: &Stage, text: &str) {
    engine.turn_until(|_| printed(stage, OutputStream::Stdout).contains(text));
    assert_eq!(engine.engine.n_active(), 1);
    assert!(stage.records().is_empty());
}

#[test]
fn lines_are_in_the_journal_before_the_run_has_ended_and_the_record_has_them_once() {
    let stage = Stage::new();
    let script = "echo first; echo trouble >&2; until [ -e go ]; do sleep 0.02; done; echo last";
    let mut engine = stage.engine(&[scripted("a", script)]);
    engine.offer([called("a")]);
    turn_until_printed(&mut engine, &stage, "first\n");
    engine.turn_until(|_| printed(&stage, OutputStream::Stderr) == "trouble\n");
    let open = engine.engine.queue_state().open().next().unwrap().printed.logs();
    assert_eq!(open, "first\n[stderr]\ntrouble\n");
    fs::write(stage.path("go"), "").unwrap();
    engine.finish();
    assert_eq!(stage.records()[0].logs.as_deref(), Some("first\nlast\n[stderr]\ntrouble\n"));
}

#[test]
fn a_secret_that_comes_in_pieces_is_never_written() {
    let mut stage = Stage::new();
    stage.settings.environment.set("DEPLOY_KEY", "first words\nand the second line");
    let (half, rest) = TOKEN.split_at(12);
    let wait = |name: &str| format!("touch {name}-said; until [ -e {name} ]; do sleep 0.02; done");
    let script = format!(
        "echo begin; printf 'token {half}'; {}; echo '{rest} was used'; echo first words; {}; \
         echo and the second line; echo end; {}",
        wait("one"),
        wait("two"),
        wait("three"),
    );
    let mut engine = stage.engine(&[scripted("a", &script)]);
    engine.offer([called("a")]);
    turn_until_printed(&mut engine, &stage, "begin\n");
    for (name, told) in [
        ("one", "begin\n"),
        ("two", "begin\ntoken [REDACTED] was used\n"),
        ("three", "begin\ntoken [REDACTED] was used\n[REDACTED]\nend\n"),
    ] {
        let said = stage.path(&format!("{name}-said"));
        engine.turn_until(|_| said.exists());
        engine.turn_until(|_| printed(&stage, OutputStream::Stdout).len() >= told.len());
        assert_eq!(printed(&stage, OutputStream::Stdout), told);
        fs::write(stage.path(name), "").unwrap();
    }
    engine.finish();
    let journal = fs::read_to_string(stage.settings.workspace.automation_queue().as_path()).unwrap();
    for secret in [half, rest, "first words", "second line"] {
        assert!(!journal.contains(secret), "{secret}\n{journal}");
    }
}

#[test]
fn no_more_than_the_limit_is_reported_and_the_record_says_how_much_was_left_out() {
    let stage = Stage::new();
    let script = "yes 'a line of fifteen' | head -n 20000; until [ -e go ]; do sleep 0.02; done; echo last";
    let mut engine = stage.engine(&[scripted("a", script)]);
    engine.offer([called("a")]);
    turn_until_printed(&mut engine, &stage, "[output truncated; the rest is logged when the run ends]\n");
    let told = printed(&stage, OutputStream::Stdout);
    assert!(told.len() < 17 * 1024 && told.starts_with("a line of fifteen\na line"), "{}", told.len());
    fs::write(stage.path("go"), "").unwrap();
    engine.finish();
    assert_eq!(printed(&stage, OutputStream::Stdout), told);
    let logs = stage.records().remove(0).logs.unwrap();
    assert!(logs.contains(" bytes left out]\n") && logs.ends_with("last\n") && logs.len() < 33 * 1024);
}

#[test]
fn what_a_failed_try_printed_is_in_the_journal_although_no_record_has_it() {
    let stage = Stage::new();
    let mut automation = scripted("a", "echo try; [ -e tried ] || { touch tried; exit 1; }");
    automation.retry = Retry { count: 1, backoff: Duration::from_millis(10), factor: 1.0 };
    let mut engine = stage.engine(&[automation]);
    engine.offer([called("a")]);
    engine.finish();
    let steps: Vec<String> = stage.entries().iter().filter_map(step).collect();
    assert_eq!(steps[..2], ["try\n", "failed"]);
    assert_eq!(stage.records()[0].logs.as_deref(), Some("try\n"));
}

fn step(entry: &Entry) -> Option<String> {
    match entry {
        Entry::Printed { text, .. } => Some(text.clone()),
        Entry::Failed { .. } => Some("failed".to_owned()),
        Entry::Finished { .. } => Some("finished".to_owned()),
        _ => None,
    }
}

#[test]
fn what_was_printed_before_a_kill_is_in_the_record_of_the_interrupted_run() {
    let stage = Stage::new();
    let automation = scripted("a", "echo half of it; sleep 600");
    let mut engine = stage.engine(std::slice::from_ref(&automation));
    engine.offer([called("a")]);
    turn_until_printed(&mut engine, &stage, "half of it\n");
    // As after a kill: the journal shows the run as running, but no process runs it.
    drop(engine);
    let mut next = stage.engine(&[automation]);
    assert_eq!(next.recovered.given_up, 1);
    next.finish();
    let record = stage.records().remove(0);
    assert_eq!((record.status, record.logs.as_deref()), (Status::Failed, Some("half of it\n")));
}
