//! `intent …`: users manage the work of agents.

use std::fs;

use expect_test::{Expect, expect};
use intent::{ExpansionRequests, IntentId};
use serde_json::{Value, json};
use store::{Timestamp, Workspace};
use testkit::{Sandbox, schema};

pub(crate) const FILE: &str = ".orchestration/active_intents.yaml";

pub(crate) const TWO: &str = "\
# Ours.
intents:
    - id: INT-001 # the first
      name: Login
      status: PENDING
      owned_scope: [src/login/**]
    - id: INT-002
      name: Docs
      status: BLOCKED
      owned_scope:
          - docs/**
";

fn sandbox() -> Sandbox {
    Sandbox::new(env!("CARGO_BIN_EXE_steersman"))
}

pub(crate) fn with_two() -> Sandbox {
    let sandbox = sandbox();
    sandbox.write(FILE, TWO);
    sandbox
}

/// Runs a command and returns its whole output and its exit code.
pub(crate) fn said(sandbox: &Sandbox, args: &[&str]) -> String {
    let args = ["intent"].iter().chain(args);
    let answer = sandbox.call().args(args).env("COLUMNS", "100").run();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    format!("{}{}exit {}\n", text(&answer.stdout), text(&answer.stderr), answer.code.unwrap())
}

pub(crate) fn json_of(sandbox: &Sandbox, args: &[&str]) -> (Value, i32) {
    let args = ["intent"].iter().chain(args).chain(&["--json"]);
    let answer = sandbox.call().args(args).run();
    let value = serde_json::from_slice(&answer.stdout).unwrap_or_else(|error| {
        panic!(
            "{error}: {} {}",
            String::from_utf8_lossy(&answer.stdout),
            String::from_utf8_lossy(&answer.stderr)
        )
    });
    (value, answer.code.unwrap())
}

pub(crate) fn check(sandbox: &Sandbox, args: &[&str], expected: &Expect) {
    expected.assert_eq(&said(sandbox, args));
}

fn file(sandbox: &Sandbox) -> String {
    fs::read_to_string(sandbox.path(FILE)).unwrap()
}

#[test]
fn a_workspace_without_intents_says_how_to_begin() {
    let sandbox = sandbox();
    check(
        &sandbox,
        &["list"],
        &expect![[r#"
        no intents here, so only the agents' own rules limit what they write
        hint: create it with `steersman intent new "Login page" --scope 'src/login/**'`
        exit 0
    "#]],
    );
    check(
        &sandbox,
        &["select", "INT-001"],
        &expect![[r#"
        error: cannot read the intents: .orchestration/active_intents.yaml does not exist
        hint: create it with `steersman intent new "Login page" --scope 'src/login/**'`
        exit 1
    "#]],
    );
    check(
        &sandbox,
        &["check", "src/a.rs"],
        &expect![[r#"
        no intents here, so agents may write anywhere
        hint: create it with `steersman intent new "Login page" --scope 'src/login/**'`
        exit 0
    "#]],
    );
    assert_eq!(json_of(&sandbox, &["list"]), (json!({"intents": [], "selected": null, "since": null}), 0));
    assert!(!sandbox.path(".orchestration").exists(), "looking changes nothing");
}

#[test]
fn the_first_intent_begins_the_file_and_the_next_keeps_its_comments() {
    let sandbox = sandbox();
    check(
        &sandbox,
        &["new", "Login", "--scope", "src/login/**"],
        &expect![[r#"
        ✓ INT-001 added to .orchestration/active_intents.yaml; it is PENDING
          from now on agents here may write only files in the scope of their selected intent
        hint: run `steersman intent select INT-001` to make it the default of sessions that select none
        exit 0
    "#]],
    );
    let first = file(&sandbox);
    assert!(first.starts_with("# What agents are asked to do here"), "{first}");
    check(
        &sandbox,
        &["new", "Docs", "--scope", "docs/**", "--select"],
        &expect![[r#"
        ✓ INT-002 added to .orchestration/active_intents.yaml; it is IN_PROGRESS
        exit 0
    "#]],
    );
    let second = file(&sandbox);
    assert!(second.starts_with(first.trim_end()), "{second}");
    check(
        &sandbox,
        &["list"],
        &expect![[r#"
           ID       STATUS       NAME   SCOPE
           INT-001  PENDING      Login  src/login/**
        ●  INT-002  IN_PROGRESS  Docs   docs/**
        exit 0
    "#]],
    );
    let selection: Value =
        serde_json::from_slice(&fs::read(sandbox.path(".ai/tmp/intent.json")).unwrap()).unwrap();
    schema::check("intent-selection", &selection);
    assert_eq!(selection["intentId"], "INT-002");
}

#[test]
fn what_cannot_be_an_intent_is_refused_and_nothing_is_written() {
    let sandbox = with_two();
    check(
        &sandbox,
        &["new", "X", "--scope", "../x"],
        &expect![[r#"
        error: pattern `../x` contains `..`
        hint: write it relative to the workspace, without `..`
        exit 1
    "#]],
    );
    check(
        &sandbox,
        &["new", "X", "--scope", "x", "--id", "INT-001"],
        &expect![[r#"
            error: duplicate intent `INT-001` in .orchestration/active_intents.yaml
            hint: run `steersman intent list` for the intents of this workspace
            exit 1
        "#]],
    );
    assert!(said(&sandbox, &["new", "X"]).ends_with("exit 2\n"));
    assert!(said(&sandbox, &["new", "X", "--scope", "x", "--id", "7"]).ends_with("exit 2\n"));
    assert_eq!(file(&sandbox), TWO);
}

#[test]
fn selecting_takes_the_work_up_and_refuses_what_cannot_be_worked_on() {
    let sandbox = with_two();
    check(
        &sandbox,
        &["select", "INT-002"],
        &expect![[r#"
            error: cannot select `INT-002`: it is BLOCKED; hint: have a user run
                   `steersman intent status INT-002 IN_PROGRESS`
            hint: run `steersman intent list` for the intents of this workspace
            exit 1
        "#]],
    );
    check(
        &sandbox,
        &["select", "INT-003"],
        &expect![[r#"
        error: unknown intent `INT-003` (known: INT-001, INT-002)
        hint: did you mean INT-001?
        exit 1
    "#]],
    );
    assert!(!sandbox.path(".ai/tmp/intent.json").exists());
    check(
        &sandbox,
        &["select", "INT-001"],
        &expect![[r#"
        ✓ INT-001 (Login) is selected for this workspace
          it applies from the next tool call of every session that selected none itself
        exit 0
    "#]],
    );
    assert_eq!(file(&sandbox), TWO.replace("PENDING", "IN_PROGRESS"));
    check(
        &sandbox,
        &["clear"],
        &expect![[r#"
        ✓ deselected the intent of this workspace
        exit 0
    "#]],
    );
    check(
        &sandbox,
        &["clear"],
        &expect![[r#"
        this workspace had no selected intent
        exit 0
    "#]],
    );
    assert!(!sandbox.path(".ai/tmp/intent.json").exists());
}

#[test]
fn only_the_documents_steps_are_taken() {
    let sandbox = with_two();
    check(
        &sandbox,
        &["status", "INT-001", "COMPLETED"],
        &expect![[r#"
            error: INT-001: cannot change the status from PENDING to COMPLETED; from PENDING it can become
                   IN_PROGRESS
            hint: the next possible step is `steersman intent status INT-001 IN_PROGRESS`
            exit 1
        "#]],
    );
    assert_eq!(file(&sandbox), TWO);
    check(
        &sandbox,
        &["status", "INT-002", "in-progress"],
        &expect![[r#"
        ✓ INT-002 changed from BLOCKED to IN_PROGRESS
        exit 0
    "#]],
    );
    check(
        &sandbox,
        &["status", "INT-002", "COMPLETED"],
        &expect![[r#"
        ✓ INT-002 changed from IN_PROGRESS to COMPLETED
        exit 0
    "#]],
    );
    check(
        &sandbox,
        &["status", "INT-002", "IN_PROGRESS"],
        &expect![[r#"
            error: INT-002: cannot change the status from COMPLETED to IN_PROGRESS; from COMPLETED it can become
                   nothing else
            hint: add a new intent for more work
            exit 1
        "#]],
    );
    assert_eq!(file(&sandbox), TWO.replace("BLOCKED", "COMPLETED"));
}

#[test]
fn a_broken_file_is_reported_with_every_place() {
    let sandbox = sandbox();
    sandbox.write(FILE, "intents:\n  - id: X\n    name: A\n    status: pending\n    owned_scope: [/abs]\n");
    check(
        &sandbox,
        &["list"],
        &expect![[r#"
            error: Invalid active_intents.yaml: .orchestration/active_intents.yaml:2:9: X: `X` is not an intent
                   id (`INT-` and digits, such as INT-001)
              hint: use `INT-` and digits
            .orchestration/active_intents.yaml:4:13: X: `status` must be one of `PENDING`, `IN_PROGRESS`,
            `COMPLETED`, `BLOCKED`, not `pending`
              hint: did you mean `PENDING`?
            .orchestration/active_intents.yaml:5:19: X: pattern `/abs` is absolute
              hint: write it relative to the workspace, such as `src/**`
            hint: correct the file; until then agents can write nothing here
            exit 1
        "#]],
    );
    for args in [&["check", "x"][..], &["select", "INT-001"], &["new", "A", "--scope", "x"], &["expand"]] {
        assert!(said(&sandbox, args).ends_with("exit 1\n"), "{args:?}");
    }
}

#[test]
fn an_agents_request_is_answered_once() {
    let sandbox = with_two();
    let workspace = Workspace::at(event::AbsPath::new(sandbox.root()).unwrap());
    let requests = ExpansionRequests::of(&workspace);
    let id = IntentId::parse("INT-001").unwrap();
    let at = Timestamp::from_millis(1_740_700_000_123);
    requests.add(&id, "src/session/**", "the login sets a session", at).unwrap();
    requests.add(&id, "package.json", "a new dependency", at).unwrap();
    for line in fs::read_to_string(sandbox.path(".ai/tmp/scope-requests.jsonl")).unwrap().lines() {
        schema::check("scope-request", &serde_json::from_str(line).unwrap());
    }
    check(
        &sandbox,
        &["expand"],
        &expect![[r#"
        REQUEST  INTENT   WANTS TO WRITE  BECAUSE                   ASKED, UTC
        0f1af1   INT-001  src/session/**  the login sets a session  2025-02-27 23:46
        017fd4   INT-001  package.json    a new dependency          2025-02-27 23:46
        hint: answer with `steersman intent expand --accept REQUEST` or `--decline REQUEST`
        exit 0
    "#]],
    );
    let (value, _) = json_of(&sandbox, &["expand"]);
    let keys: Vec<String> = value["requests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["request"].as_str().unwrap().to_owned())
        .collect();
    check(
        &sandbox,
        &["expand", "--accept", &keys[0], "--decline", &keys[1]],
        &expect![[r#"
        ✓ INT-001 may now write src/session/**
        ✓ INT-001 may not write package.json; repeated requests are declined
        exit 0
    "#]],
    );
    assert_eq!(file(&sandbox), TWO.replace("[src/login/**]", "[src/login/**, \"src/session/**\"]"));
    check(
        &sandbox,
        &["expand"],
        &expect![[r#"
        no open requests
        exit 0
    "#]],
    );
    requests.add(&id, "package.json", "please", at).unwrap();
    assert_eq!(json_of(&sandbox, &["expand"]).0["requests"], json!([]), "a no stays");
    check(
        &sandbox,
        &["expand", "--accept", "nosuch"],
        &expect![[r#"
        error: no open request has the id `nosuch`
        hint: run `steersman intent expand` for the open requests
        exit 1
    "#]],
    );
    check(
        &sandbox,
        &["expand", "INT-002", "guide/**"],
        &expect![[r#"
        ✓ INT-002 may now write guide/**
        exit 0
    "#]],
    );
    assert!(file(&sandbox).ends_with("- docs/**\n          - \"guide/**\"\n"), "{}", file(&sandbox));
}

#[test]
fn show_has_everything() {
    let sandbox = sandbox();
    sandbox.write(
        FILE,
        "intents:\n  - id: INT-007\n    name: All\n    description: What is to be done.\n    status: IN_PROGRESS\n    owned_scope: ['src/**']\n    constraints: [keep it small]\n    acceptance_criteria: [it works]\n    metadata: {ticket: 12}\n",
    );
    check(
        &sandbox,
        &["show", "INT-007"],
        &expect![[r#"
        INT-007 All  IN_PROGRESS

        What is to be done.

        May write
          - src/**

        Constraints
          - keep it small

        Acceptance criteria
          - it works

        Metadata
          - ticket: 12
        exit 0
    "#]],
    );
    let (value, _) = json_of(&sandbox, &["show", "INT-007"]);
    let metadata = &value["metadata"];
    assert_eq!((metadata, &value["acceptanceCriteria"]), (&json!({"ticket": 12}), &json!(["it works"])));
    check(
        &sandbox,
        &["show"],
        &expect![[r#"
        error: no intent is selected for this workspace
        hint: pass an id; `steersman intent list` lists them
        exit 1
    "#]],
    );
}

#[test]
fn two_that_edit_at_once_both_get_their_way() {
    let sandbox = with_two();
    std::thread::scope(|threads| {
        for index in 0..8 {
            let sandbox = &sandbox;
            threads.spawn(move || said(sandbox, &["new", &format!("N{index}"), "--scope", "x/**"]));
        }
    });
    let (value, _) = json_of(&sandbox, &["list"]);
    assert_eq!(value["intents"].as_array().unwrap().len(), 10);
}

#[test]
fn a_completed_intent_stays_completed() {
    let sandbox = with_two();
    sandbox.write(FILE, TWO.replace("BLOCKED", "COMPLETED"));
    let answer = said(&sandbox, &["select", "INT-002"]);
    // Without the line breaks of a narrow terminal.
    let answer = answer.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        answer.contains("cannot select `INT-002`: it is COMPLETED; hint: have a user add another intent with `steersman intent new`; a completed one stays completed"),
        "{answer}"
    );
}
