//! Killed at any moment: the next run finds nothing torn and a snapshot that parses.

use std::io::Write;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use testkit::{Sandbox, in_the_long_run};

use crate::{sandbox, shell};

/// A deterministic pseudo-random sequence.
struct PseudoRandom(u64);

impl PseudoRandom {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

fn event(n: usize) -> (&'static str, Value) {
    match n % 3 {
        0 => ("UserPromptSubmit", json!({"prompt": format!("prompt {n}")})),
        1 => ("PreToolUse", shell(&format!("t{n}"), &format!("touch {}", "x".repeat(n * 37 % 5000)))),
        _ => ("SubagentStart", json!({"agent_id": format!("agent {n}")})),
    }
}

/// Starts a run and kills it after this time.
fn start_and_kill(sandbox: &Sandbox, n: usize, after: Duration) {
    let (event, more) = event(n);
    let mut child = sandbox.dispatch("raw", event).start();
    let payload = testkit::payload::raw(event, &sandbox.root(), &more).to_string();
    let _ = child.stdin.take().unwrap().write_all(payload.as_bytes());
    thread::sleep(after);
    let _ = child.kill();
    child.wait().unwrap();
}

#[test]
fn nothing_torn_survives_the_next_write() {
    let sandbox = sandbox();
    let mut dice = PseudoRandom(7);
    let mut last_turn = 0;
    for n in 0..in_the_long_run(500, 60) {
        start_and_kill(&sandbox, n, Duration::from_micros(dice.below(6000)));
        sandbox.raw("UserPromptSubmit", &json!({"prompt": "after"}));
        sandbox.check_everything();
        let turn = sandbox.session().core("lastTurnId").as_u64().unwrap();
        assert!(turn > last_turn, "turn {turn} after {last_turn}");
        last_turn = turn;
    }
    let session = sandbox.session();
    let turns: Vec<u64> =
        session.events_of("PROMPT").iter().map(|line| line["turnId"].as_u64().unwrap()).collect();
    assert!(turns.is_sorted_by(|a, b| a < b), "a turn was given twice: {turns:?}");
}

#[test]
fn eight_that_are_killed_while_they_wait_for_each_other_leave_nothing_torn() {
    let sandbox = sandbox();
    let mut dice = PseudoRandom(11);
    for round in 0..in_the_long_run(60, 8) {
        let pauses: Vec<u64> = (0..8).map(|_| dice.below(12_000)).collect();
        thread::scope(|scope| {
            for (index, pause) in pauses.into_iter().enumerate() {
                let sandbox = &sandbox;
                scope.spawn(move || start_and_kill(sandbox, round * 8 + index, Duration::from_micros(pause)));
            }
        });
        sandbox.raw("PreToolUse", &shell(&format!("r{round}"), "ls"));
        sandbox.check_everything();
    }
}

#[test]
fn the_next_event_removes_a_torn_line() {
    for torn in ["{\"v\":1,\"ts\":", "garbage", "{\"v\":1}", "\u{fffd}"] {
        let sandbox = sandbox();
        sandbox.raw("UserPromptSubmit", &json!({"prompt": "one"}));
        let journal = sandbox.session().root.join("events.jsonl");
        let mut file = std::fs::OpenOptions::new().append(true).open(&journal).unwrap();
        file.write_all(torn.as_bytes()).unwrap();
        sandbox.raw("PreToolUse", &shell("t1", "ls"));
        sandbox.check_everything();
        assert_eq!(sandbox.session().events_of("HOOK_RUN").len(), 2, "{torn}");
    }
}
