//! Faulty built-in modules, each in its own process: §10 of the contract holds, and the answer comes within the budget.
#![expect(clippy::expect_used, reason = "a helper that fails must fail its test")]

mod faults;

use std::path::PathBuf;
use std::time::Duration;

use event::{AbsPath, SessionId};
use serde_json::{Value, json};
use store::Workspace;
use testkit::{Sandbox, payload, schema};

/// The budget of a call is 300 ms by default; a busy machine may take longer.
const PROMPTLY: Duration = Duration::from_secs(10);

/// Returns the path of the example beside this test: `target/<profile>/examples`.
fn example() -> PathBuf {
    let mut folder = std::env::current_exe().expect("the path of the test");
    folder.pop();
    if folder.ends_with("deps") {
        folder.pop();
    }
    let example = folder.join("examples").join(format!("faulty_modules{}", std::env::consts::EXE_SUFFIX));
    // `cargo test` builds examples, but `cargo test --test NAME` does not.
    assert!(example.is_file(), "not built; hint: `cargo build -p dispatch --examples` with the same flags");
    example
}

/// Runs one call with a module that has this fault and returns the answer.
fn answer(sandbox: &Sandbox, words: &[&str]) -> Value {
    let call = json!({"tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": "ls"}});
    let payload = payload::raw("PreToolUse", &sandbox.root(), &call);
    let answer = sandbox.call().args(words).payload(&payload).run().object_within(PROMPTLY);
    schema::check("hook-output", &answer);
    sandbox.check_everything();
    answer
}

/// Returns a workspace with a large budget, which only a module that never returns exceeds.
fn roomy_sandbox() -> Sandbox {
    let sandbox = Sandbox::new(example());
    sandbox.manifest(&json!({"budgets": {"PreToolUse": 8000}}));
    sandbox
}

fn was_after_there(answer: &Value) -> bool {
    answer["warnings"].to_string().contains("after was here")
}

const FAILURES: [(&str, &str); 3] =
    [("fails", "it could not"), ("panics", "it fell"), ("panics without words", "panicked")];

#[test]
fn a_module_that_fails_or_panics_is_skipped_and_the_others_go_on() {
    for (fault, complaint) in FAILURES {
        let sandbox = roomy_sandbox();
        let answer = answer(&sandbox, &[fault]);
        assert_eq!(answer["decision"], "allow", "{fault}");
        assert!(was_after_there(&answer), "{fault}: {answer}");
        let error = &sandbox.session().events_of("ERROR_MODULE")[0]["data"];
        assert_eq!(error["module"], "faulty");
        assert!(error["error"].to_string().contains(complaint), "{error}");
        assert!(error["hash"].is_string(), "{error}");
    }
}

#[test]
fn a_critical_module_that_fails_or_panics_denies_and_ends_the_matter() {
    for (fault, complaint) in FAILURES {
        let sandbox = roomy_sandbox();
        let answer = answer(&sandbox, &[fault, "critical"]);
        assert_eq!(answer["decision"], "deny", "{fault}");
        assert!(!was_after_there(&answer), "{fault}: {answer}");
        let error = &sandbox.session().events_of("ERROR_MODULE_CRITICAL")[0]["data"];
        assert!(error["error"].to_string().contains(complaint), "{error}");
        assert_eq!(sandbox.session().events_of("TOOL_DECISION")[0]["data"]["decision"], "deny");
    }
}

#[test]
fn a_module_that_never_returns_is_answered_for_at_the_deadline() {
    for fault in ["loops", "sleeps", "allocates without end"] {
        let sandbox = Sandbox::new(example());
        let answer = answer(&sandbox, &[fault, "critical"]);
        assert_eq!(answer["decision"], "allow", "{fault}: out of time is no decision");
        let exceeded = sandbox.session().events_of("BUDGET_EXCEEDED");
        assert_eq!(exceeded.len(), 1, "{fault}");
        assert_eq!(exceeded[0]["data"], json!({"event": "PreToolUse", "budgetMs": 300, "by": "watchdog"}));
    }
}

#[test]
fn a_deny_stands_although_what_comes_after_it_hangs() {
    let sandbox = Sandbox::new(example());
    sandbox.manifest(&json!({"budgets": {"PreToolUse": 1000}}));
    let answer = answer(&sandbox, &["denies, then hangs"]);
    assert_eq!(answer["decision"], "deny");
    assert_eq!(answer["denyReason"], "Use another tool instead.");
    let exceeded = sandbox.session().events_of("BUDGET_EXCEEDED");
    assert_eq!(exceeded.len(), 1);
    assert_eq!(exceeded[0]["data"]["decision"], "deny");
    assert_eq!(exceeded[0]["data"]["reason"], "Use another tool instead.");
    assert_eq!(exceeded[0]["data"]["module"], "faulty");
}

#[test]
fn a_held_session_is_denied_although_no_module_judges_in_time() {
    for fault in ["loops", "aborts"] {
        let sandbox = Sandbox::new(example());
        answer(&sandbox, &["none"]);
        let workspace = Workspace::at(AbsPath::new(sandbox.root()).expect("an absolute path"));
        let folder = sandbox.session().root;
        let id = folder.file_name().and_then(|name| SessionId::parse(name.to_str()?)).expect("a session id");
        session::hold::hold((&workspace, None), id, 0, Some("wait for the review")).expect("an order");
        let answer = answer(&sandbox, &[fault]);
        assert_eq!(answer["decision"], "deny", "{fault}: {answer}");
        assert!(answer["denyReason"].to_string().contains("wait for the review"), "{fault}: {answer}");
    }
}

/// Faults that end the process: no memory, no stack, an abort of the engine.
const CRASHES: [&str; 3] = ["allocates too much at once", "recurses", "aborts"];

#[test]
fn a_crash_is_answered_without_a_decision_and_recorded() {
    for fault in CRASHES {
        let sandbox = roomy_sandbox();
        assert_eq!(answer(&sandbox, &[fault])["decision"], "allow", "{fault}");
        assert_eq!(sandbox.session().events_of("ERROR_CRASH").len(), 1, "{fault}");
    }
}

#[test]
fn a_crash_is_a_refusal_when_the_manifest_says_so() {
    for fault in CRASHES {
        let sandbox = roomy_sandbox();
        sandbox.manifest(&json!({"onFault": "deny", "budgets": {"PreToolUse": 8000}}));
        let answer = answer(&sandbox, &[fault]);
        assert_eq!(answer["decision"], "deny", "{fault}");
        assert!(answer["denyReason"].to_string().contains("steersman doctor"), "{answer}");
    }
}

#[test]
fn nonsense_is_set_aside_piece_by_piece() {
    let sandbox = roomy_sandbox();
    let answer = answer(&sandbox, &["returns nonsense"]);
    assert_eq!(answer["decision"], "allow");
    assert!(was_after_there(&answer));
    assert!(answer.get("updatedInput").is_none(), "it is not the owner");
    let run = sandbox.session().last_run();
    let ignored = run["data"]["ignored"].to_string();
    for complaint in ["updatedInput", "inputMetadata", "nowhere", "lastTurnId", "`plan`"] {
        assert!(ignored.contains(complaint), "{complaint} is not in {ignored}");
    }
    assert_eq!(sandbox.session().core("lastTurnId"), 0);
}

#[test]
fn what_a_module_does_after_the_verdict_does_not_change_it() {
    for fault in ["panics in the end", "overrules in the end"] {
        let sandbox = roomy_sandbox();
        assert_eq!(answer(&sandbox, &[fault, "critical"])["decision"], "allow", "{fault}");
        assert_eq!(sandbox.session().events_of("TOOL_DECISION")[0]["data"]["decision"], "abstain");
    }
}

#[test]
fn what_a_module_says_to_the_screen_or_to_its_log_stays_there() {
    let sandbox = roomy_sandbox();
    answer(&sandbox, &["writes to stderr"]);
    let sandbox = roomy_sandbox();
    answer(&sandbox, &["logs"]);
    assert!(sandbox.session().debug_log("faulty").ends_with("one\\ntwo\n"));
}
