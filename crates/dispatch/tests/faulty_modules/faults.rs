//! Every variant of [`Fault`], provoked in a real process: the answer reports it, and it is no permission.

use std::fs;
use std::path::Path;

use dispatch::Fault;
use serde_json::{Value, json};
use session::SessionFault;
use testkit::{Answer, Sandbox, payload};

use super::{example, roomy_sandbox};

/// A way to provoke a fault: prepares the workspace and answers a call of a host in it.
type Provoke = fn(&Sandbox, &str) -> Answer;

/// The contract's own format: an answer without a decision is `allow` there.
const RAW: &str = "raw";

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
    Input => "no hook payload arrived", |sandbox, host| sandbox.call().args(["none", host]).stdin("").run();
    UnknownHost => "cannot tell which agent program", |sandbox, _| {
        sandbox.call().args(["none", "unnamed host"]).payload(&json!({"strange": true})).run()
    };
    Payload => "missing field `tool_name`", |sandbox, host| {
        let payload = payload::raw("PreToolUse", &sandbox.root(), &json!({}));
        sandbox.call().args(["none", host]).payload(&payload).run()
    };
    Unbound => "sent no session id", |sandbox, _| codex_without_session(sandbox);
    Crash => "", |sandbox, host| call(sandbox, "aborts", host);
    Panic => "steersman failed: no profile", |sandbox, host| call(sandbox, "panics in its profile", host);
    Manifest => "cannot read the manifest, using defaults", |sandbox, host| {
        sandbox.write(".ai/hooks/dispatch.manifest.json", "{");
        call(sandbox, "none", host)
    };
    Config => "cannot read the settings, using defaults", |sandbox, host| {
        sandbox.write(".ai/hooks/config.json", "{");
        call(sandbox, "none", host)
    };
    Layout => "cannot read the layout, using the default names", |sandbox, host| {
        sandbox.write(".ai/hooks/workspace.json", "{");
        call(sandbox, "none", host)
    };
    Session => "cannot record anything", |sandbox, host| {
        sandbox.write(".ai/tmp", "a file");
        call(sandbox, "none", host)
    };
    Queue => "", |sandbox, host| {
        fs::create_dir_all(sandbox.path(".ai/tmp/automation/queue.jsonl")).expect("a folder");
        call(sandbox, "queues an automation", host)
    };
}

faults! { SESSION_FAULTS, SessionFault:
    State => "cannot parse state.json", |sandbox, host| with_session(sandbox, host, |folder| {
        fs::write(folder.join("state.json"), "{").expect("the state");
    });
    StateUnreadable => "cannot read state.json", |sandbox, host| with_session(sandbox, host, |folder| {
        fs::remove_file(folder.join("state.json")).expect("the state");
        fs::create_dir(folder.join("state.json")).expect("a folder");
    });
    StateUnwritable => "state.json", |sandbox, host| with_session(sandbox, host, |folder| {
        fs::remove_file(folder.join("state.json")).expect("the state");
        fs::create_dir_all(folder.join("state.json/full")).expect("a folder");
    });
    Unwritable => "cannot record anything", |sandbox, host| {
        sandbox.write(".ai/tmp", "a file");
        call(sandbox, "none", host)
    };
    Journal => "cannot record anything", |sandbox, host| with_session(sandbox, host, |folder| {
        fs::remove_file(folder.join("events.jsonl")).expect("the journal");
        fs::create_dir(folder.join("events.jsonl")).expect("a folder");
    });
}

fn call(sandbox: &Sandbox, fault: &str, host: &str) -> Answer {
    let call = json!({"tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": "ls"}});
    sandbox.call().args([fault, host]).payload(&payload::raw("PreToolUse", &sandbox.root(), &call)).run()
}

/// Answers a call whose session exists, after a change to the session's folder.
fn with_session(sandbox: &Sandbox, host: &str, change: fn(&Path)) -> Answer {
    call(sandbox, "none", host);
    change(&sandbox.session().root);
    call(sandbox, "none", host)
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
        let answer = provoke(&sandbox, RAW).object();
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
        let answer = provoke(&sandbox, RAW).object();
        assert_eq!(is_denied(&answer), !judges, "{variant}: {answer}");
    }
}

#[test]
fn no_fault_permits_a_call() {
    for (variant, _, provoke) in FAULTS.iter().chain(SESSION_FAULTS) {
        let sandbox = Sandbox::new(example());
        let answer = provoke(&sandbox, "claude-code").object();
        assert_ne!(answer["hookSpecificOutput"]["permissionDecision"], "allow", "{variant}: {answer}");
    }
}

#[test]
fn an_automation_that_cannot_be_queued_is_logged_after_the_answer() {
    let sandbox = Sandbox::new(example());
    let (_, _, provoke) = FAULTS.iter().find(|(variant, ..)| *variant == "Queue").expect("its row");
    provoke(&sandbox, RAW).object();
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
