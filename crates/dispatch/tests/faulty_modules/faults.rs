//! Every variant of [`Fault`], provoked in a real process: the answer reports it, and it is no permission.

use std::fs;
use std::path::Path;

use dispatch::Fault;
use serde_json::{Value, json};
use session::SessionFault;
use testkit::{Answer, Sandbox, payload};

use super::{example, roomy_sandbox};

/// A way to provoke a fault: prepares the workspace and answers a call in it.
type Provoke = fn(&Sandbox) -> Answer;

/// Declares the table of faults, and a function that does not compile if a variant has no row.
macro_rules! faults {
    ($name:ident, $fault:ident: $($variant:ident => $text:literal, $provoke:expr;)*) => {
        const $name: &[(&str, &str, Provoke)] = &[$((stringify!($variant), $text, $provoke),)*];

        impl HasRow for $fault {
            fn has_row(&self) -> bool {
                match self {
                    $(Self::$variant { .. } => true,)*
                }
            }
        }
    };
}

/// A fault whose variants all have a row in a table of this file.
trait HasRow {
    fn has_row(&self) -> bool;
}

faults! { FAULTS, Fault:
    Input => "no hook payload arrived", |sandbox| sandbox.call().args(["none"]).stdin("").run();
    UnknownHost => "cannot tell which agent program", |sandbox| {
        sandbox.call().args(["none", "unnamed host"]).payload(&json!({"strange": true})).run()
    };
    Payload => "missing field `tool_name`", |sandbox| {
        let payload = payload::raw("PreToolUse", &sandbox.root(), &json!({}));
        sandbox.call().args(["none"]).payload(&payload).run()
    };
    Unbound => "sent no session id", codex_without_session;
    Crash => "", |sandbox| call(sandbox, "aborts");
    Panic => "steersman failed: no profile", |sandbox| call(sandbox, "panics in its profile");
    Manifest => "cannot read the manifest, using defaults", |sandbox| {
        sandbox.write(".ai/hooks/dispatch.manifest.json", "{");
        call(sandbox, "none")
    };
    Config => "cannot read the settings, using defaults", |sandbox| {
        sandbox.write(".ai/hooks/config.json", "{");
        call(sandbox, "none")
    };
    Layout => "cannot read the layout, using the default names", |sandbox| {
        sandbox.write(".ai/hooks/workspace.json", "{");
        call(sandbox, "none")
    };
    Session => "cannot record anything", |sandbox| {
        sandbox.write(".ai/tmp", "a file");
        call(sandbox, "none")
    };
    Queue => "", |sandbox| {
        fs::create_dir_all(sandbox.path(".ai/tmp/automation/queue.jsonl")).expect("a folder");
        call(sandbox, "queues an automation")
    };
}

faults! { SESSION_FAULTS, SessionFault:
    State => "state.json is broken", |sandbox| with_session(sandbox, |folder| {
        fs::write(folder.join("state.json"), "{").expect("the state");
    });
    StateUnreadable => "cannot read state.json", |sandbox| with_session(sandbox, |folder| {
        fs::remove_file(folder.join("state.json")).expect("the state");
        fs::create_dir(folder.join("state.json")).expect("a folder");
    });
    StateUnwritable => "state.json", |sandbox| with_session(sandbox, |folder| {
        fs::remove_file(folder.join("state.json")).expect("the state");
        fs::create_dir_all(folder.join("state.json/full")).expect("a folder");
    });
    Unwritable => "cannot record anything", |sandbox| {
        sandbox.write(".ai/tmp", "a file");
        call(sandbox, "none")
    };
    Journal => "cannot record anything", |sandbox| with_session(sandbox, |folder| {
        fs::remove_file(folder.join("events.jsonl")).expect("the journal");
        fs::create_dir(folder.join("events.jsonl")).expect("a folder");
    });
}

fn call(sandbox: &Sandbox, fault: &str) -> Answer {
    let call = json!({"tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": "ls"}});
    sandbox.call().args([fault]).payload(&payload::raw("PreToolUse", &sandbox.root(), &call)).run()
}

/// Answers a call whose session exists, after a change to the session's folder.
fn with_session(sandbox: &Sandbox, change: fn(&Path)) -> Answer {
    call(sandbox, "none");
    change(&sandbox.session().root);
    call(sandbox, "none")
}

/// Answers a call of Codex in a folder that the agent chose, from a payload without a session id.
fn codex_without_session(sandbox: &Sandbox) -> Answer {
    let payload = json!({
        "hook_event_name": "PreToolUse", "session_id": "", "cwd": sandbox.elsewhere(),
        "tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": "ls"},
    });
    sandbox.call().args(["none", "codex"]).folder(&sandbox.elsewhere()).payload(&payload).run()
}

fn is_denied(answer: &Value) -> bool {
    answer["decision"] == "deny" || answer["hookSpecificOutput"]["permissionDecision"] == "deny"
}

#[test]
fn every_fault_is_answered_and_reported() {
    for (variant, text, provoke) in FAULTS.iter().chain(SESSION_FAULTS) {
        let sandbox = Sandbox::new(example());
        let answer = provoke(&sandbox).object();
        assert!(answer.to_string().contains(text), "{variant}: {answer}");
        assert_eq!(is_denied(&answer), *variant == "Unbound", "{variant}: {answer}");
    }
}

#[test]
fn a_fault_that_leaves_nothing_to_judge_denies_if_the_manifest_says_so() {
    for (variant, _, provoke) in FAULTS {
        let judges = matches!(*variant, "Manifest" | "Config" | "Layout" | "Session" | "Queue");
        let sandbox = roomy_sandbox();
        sandbox.manifest(&json!({"onFault": "deny", "budgets": {"PreToolUse": 8000}}));
        let answer = provoke(&sandbox).object();
        assert_eq!(is_denied(&answer), !judges, "{variant}: {answer}");
    }
}

#[test]
fn an_automation_that_cannot_be_queued_is_logged_after_the_answer() {
    let sandbox = Sandbox::new(example());
    let (_, _, provoke) = FAULTS.iter().find(|(variant, ..)| *variant == "Queue").expect("its row");
    provoke(&sandbox).object();
    assert!(sandbox.dispatch_log().contains("cannot queue an automation"), "{}", sandbox.dispatch_log());
}

#[test]
fn a_call_that_cannot_be_bound_to_a_workspace_writes_nothing_in_the_agents_folder() {
    let sandbox = Sandbox::new(example());
    codex_without_session(&sandbox).object();
    let entries = fs::read_dir(sandbox.elsewhere()).expect("the folder").count();
    assert_eq!(entries, 0);
}

#[test]
fn every_variant_has_a_row() {
    // The match behind it does not compile otherwise.
    assert!(Fault::UnknownHost.has_row() && SessionFault::Unwritable(String::new()).has_row());
}
