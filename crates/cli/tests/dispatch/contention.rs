//! Under contention no line is lost or torn, and no number goes back.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::{Value, json};
use testkit::{Sandbox, in_the_long_run};

use crate::{sandbox, shell};

/// One of every sixteen events is a prompt.
fn nth(n: usize) -> (&'static str, Value) {
    match n % 16 {
        0 => ("UserPromptSubmit", json!({"prompt": format!("prompt {n}")})),
        1..8 => ("PreToolUse", shell(&format!("t{n}"), &format!("touch {n}"))),
        8..14 => ("PostToolUse", shell(&format!("t{n}"), &format!("touch {n}"))),
        14 => ("SubagentStart", json!({"agent_id": format!("agent {}", n % 5)})),
        _ => ("PreCompact", json!({"trigger": "auto"})),
    }
}

/// Sends events `0..n_events` from `n_at_once` threads, while another watches the snapshot.
fn send(sandbox: &Sandbox, n_events: usize, n_at_once: usize) {
    let done = AtomicBool::new(false);
    let next = std::sync::atomic::AtomicUsize::new(0);
    thread::scope(|scope| {
        let sampler = scope.spawn(|| watch(&sandbox.path(".ai/tmp/de44ca18/state.json"), &done));
        let hands: Vec<_> = (0..n_at_once)
            .map(|_| {
                scope.spawn(|| {
                    loop {
                        let n = next.fetch_add(1, Ordering::Relaxed);
                        if n >= n_events {
                            break;
                        }
                        let (event, more) = nth(n);
                        sandbox.raw(event, &more);
                    }
                })
            })
            .collect();
        for hand in hands {
            hand.join().unwrap();
        }
        done.store(true, Ordering::Relaxed);
        assert!(sampler.join().unwrap() > 0, "the snapshot was never seen");
    });
}

/// Reads the snapshot repeatedly; returns how often it changed.
fn watch(path: &PathBuf, done: &AtomicBool) -> usize {
    let ordinal = |phase: &str| {
        ["UNINITIALIZED", "PLANNING", "EXECUTING", "COMPLETE"].iter().position(|it| *it == phase)
    };
    let mut last = (0, None, 0);
    let mut n_seen = 0;
    while !done.load(Ordering::Relaxed) {
        thread::sleep(std::time::Duration::from_millis(1));
        let Ok(text) = fs::read_to_string(path) else { continue };
        let state: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text:?}"));
        let core = &state["core"];
        let now = (
            core["lastTurnId"].as_u64().unwrap(),
            core["phase"].as_str().and_then(ordinal),
            core["lastEventOffset"].as_u64().unwrap(),
        );
        assert!(now.0 >= last.0 && now.1 >= last.1 && now.2 >= last.2, "{now:?} after {last:?}");
        n_seen += usize::from(now != last);
        last = now;
    }
    n_seen
}

/// Checks that every event is recorded exactly once, and that all lines are valid.
fn check(sandbox: &Sandbox, n_events: usize) {
    sandbox.check_everything();
    let session = sandbox.session();
    let runs = session.events_of("HOOK_RUN");
    assert_eq!(runs.len(), n_events);
    let calls: BTreeSet<String> = runs
        .iter()
        .filter_map(|run| Some(format!("{} {}", run["data"]["event"], run["data"]["toolUseId"].as_str()?)))
        .collect();
    assert_eq!(calls.len(), (0..n_events).filter(|n| (1..14).contains(&(n % 16))).count());
    let n_prompts = n_events.div_ceil(16);
    let turns: BTreeSet<u64> =
        session.events_of("PROMPT").iter().map(|line| line["turnId"].as_u64().unwrap()).collect();
    assert_eq!(turns, (1..=n_prompts as u64).collect());
    assert_eq!(session.core("lastTurnId"), n_prompts);
    assert_eq!(session.prompts().len(), n_prompts);
    assert_eq!(session.core("agents").as_object().map(serde_json::Map::len), Some(5.min(n_events / 16)));
    assert!(session.events_of("BUDGET_EXCEEDED").is_empty());
}

#[test]
fn sixty_four_processes_at_once_leave_every_line() {
    let sandbox = sandbox();
    let n_events = in_the_long_run(2048, 192);
    send(&sandbox, n_events, 64);
    check(&sandbox, n_events);
}

#[test]
fn ten_thousand_dispatches_in_one_session_leave_every_line() {
    let sandbox = sandbox();
    let n_events = in_the_long_run(10_000, 1_200);
    send(&sandbox, n_events, 6);
    check(&sandbox, n_events);
}

#[test]
fn sixty_four_prompts_at_once_get_sixty_four_turns() {
    let sandbox = sandbox();
    thread::scope(|scope| {
        for _ in 0..64 {
            scope.spawn(|| sandbox.raw("UserPromptSubmit", &json!({"prompt": "now"})));
        }
    });
    let turns: BTreeSet<u64> =
        sandbox.session().events_of("PROMPT").iter().map(|line| line["turnId"].as_u64().unwrap()).collect();
    assert_eq!(turns, (1..=64).collect());
    sandbox.check_everything();
}

#[test]
fn prompts_that_have_to_wait_for_the_journal_still_get_turns_of_their_own() {
    let sandbox = sandbox();
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "first"}));
    let journal = fs::File::open(sandbox.session().root.join("events.jsonl")).unwrap();
    journal.lock().unwrap();
    thread::scope(|scope| {
        for _ in 0..32 {
            scope.spawn(|| sandbox.raw("UserPromptSubmit", &json!({"prompt": "now"})));
        }
        // Long enough for all of them to be waiting.
        thread::sleep(std::time::Duration::from_millis(300));
        journal.unlock().unwrap();
    });
    let session = sandbox.session();
    let turns: BTreeSet<u64> =
        session.prompts().iter().map(|line| line["turnId"].as_u64().unwrap()).collect();
    assert_eq!(turns, (1..=33).collect());
    assert_eq!(session.core("lastTurnId"), 33, "the last writer has rewritten the snapshot");
    sandbox.check_everything();
}

#[test]
fn sixty_four_new_agents_at_once_get_ids_of_their_own() {
    let sandbox = sandbox();
    thread::scope(|scope| {
        for n in 0..64 {
            let sandbox = &sandbox;
            scope.spawn(move || sandbox.raw("SubagentStart", &json!({"agent_id": format!("agent {n}")})));
        }
    });
    let ids: BTreeSet<String> = sandbox
        .session()
        .events_of("HOOK_RUN")
        .iter()
        .map(|run| run["agentId"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(ids.len(), 64, "{ids:?}");
    sandbox.check_everything();
}

#[test]
fn with_little_time_every_run_still_leaves_a_line_about_itself() {
    let sandbox = sandbox();
    sandbox.manifest(&json!({"budgets": {"PreToolUse": 300}}));
    thread::scope(|scope| {
        for n in 0..64 {
            let sandbox = &sandbox;
            scope.spawn(move || sandbox.raw("PreToolUse", &shell(&format!("t{n}"), "ls")));
        }
    });
    let session = sandbox.session();
    let n_recorded = session.events_of("HOOK_RUN").len();
    let n_cut_short = session.events_of("BUDGET_EXCEEDED").len();
    assert!(n_recorded + n_cut_short >= 64, "{n_recorded} recorded, {n_cut_short} cut short");
    sandbox.check_everything();
}
