//! Modules that keep an agent from stopping: the limit, the counts, and the prompts that follow.

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::js;

const KEEPER: (&str, &str) = (
    "keeper",
    "if (eventName.endsWith('Stop')) return { decision: 'deny', denyReason: `more ${ctx.event.timesKept} \
     ${ctx.event.stopHookActive}` }",
);

/// Sends an event of the session `s` in a host's spelling, the `n`-th of its kind.
fn send(sandbox: &Sandbox, host: &str, event: &str, n: u64, more: &Value) -> Value {
    let mut payload = json!({
        "session_id": "s", "cwd": sandbox.root(), "hook_event_name": event,
        "timestamp": format!("2026-01-01T00:00:{n:02}.000Z"),
    });
    payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    sandbox.ask(host, event, &payload)
}

/// Each host's names of prompt and stop.
const HOSTS: &[(&str, &str, &str)] = &[
    ("claude-code", "UserPromptSubmit", "Stop"),
    ("codex", "UserPromptSubmit", "Stop"),
    ("copilot-cli", "UserPromptSubmit", "Stop"),
    ("cursor", "beforeSubmitPrompt", "stop"),
    ("gemini", "BeforeAgent", "AfterAgent"),
    ("qwen", "UserPromptSubmit", "Stop"),
    ("vscode", "UserPromptSubmit", "Stop"),
];

fn stop_decisions(sandbox: &Sandbox) -> Vec<String> {
    let stops = sandbox.session().events_of("SESSION_STOP");
    stops.iter().map(|line| line["data"]["decision"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_agent_stops_after_five_kept_stops_on_every_host_and_one_run_warns() {
    for (host, prompt, stop) in HOSTS {
        let sandbox = js::sandbox(&[KEEPER], json!({}));
        send(&sandbox, host, prompt, 0, &json!({"prompt": "go"}));
        for n in 1..=7 {
            let answer = send(&sandbox, host, stop, n, &json!({}));
            let continues = answer.to_string().contains(&format!("more {}", n - 1));
            assert_eq!(continues, n <= 5, "{host} {n}: {answer}");
        }
        let kept = ["deny"; 5].into_iter().chain(["abstain"; 2]);
        assert_eq!(stop_decisions(&sandbox), kept.collect::<Vec<_>>(), "{host}");
        let runs = sandbox.session().events_of("HOOK_RUN");
        let warns = |run: &&Value| run["data"]["warnings"].to_string().contains("maxKeptStops");
        assert_eq!(runs.iter().filter(warns).count(), 1, "{host}");
        let ignores = |run: &&Value| run["data"]["ignored"].to_string().contains("`keeper`");
        assert_eq!(runs.iter().filter(ignores).count(), 2, "{host}");
        // The next turn has its own count.
        send(&sandbox, host, prompt, 8, &json!({"prompt": "go on"}));
        let answer = send(&sandbox, host, stop, 9, &json!({}));
        assert!(answer.to_string().contains("more 0 false"), "{host}: {answer}");
        sandbox.check_everything();
    }
}

#[test]
fn a_module_reads_how_often_the_agent_was_kept() {
    let sandbox = js::sandbox(&[KEEPER], json!({}));
    send(&sandbox, "codex", "UserPromptSubmit", 0, &json!({"prompt": "go"}));
    for (n, reason) in ["more 0 false", "more 1 true", "more 2 true"].into_iter().enumerate() {
        assert_eq!(send(&sandbox, "codex", "Stop", n as u64 + 1, &json!({}))["reason"], reason);
    }
    let agent = json!({"agent_id": "a", "agent_type": "default"});
    send(&sandbox, "codex", "SubagentStart", 4, &agent);
    let answer = send(&sandbox, "codex", "SubagentStop", 5, &agent);
    assert_eq!(answer["reason"], "more 0 false", "a subagent has its own count");
}

#[test]
fn the_manifest_sets_the_limit_and_zero_is_none() {
    for (limit, kept) in [(1, 1), (0, 8)] {
        let sandbox = js::sandbox(&[KEEPER], json!({"maxKeptStops": limit}));
        for n in 1..=8 {
            send(&sandbox, "gemini", "AfterAgent", n, &json!({}));
        }
        let denied = stop_decisions(&sandbox).iter().filter(|decision| *decision == "deny").count();
        assert_eq!(denied, kept, "maxKeptStops {limit}");
    }
}

#[test]
fn the_reason_of_a_kept_stop_is_no_prompt_of_the_user() {
    for (host, prompt, stop) in HOSTS {
        let sandbox = js::sandbox(&[KEEPER], json!({}));
        send(&sandbox, host, prompt, 0, &json!({"prompt": "go", "prompt_id": "p"}));
        send(&sandbox, host, stop, 1, &json!({}));
        send(&sandbox, host, prompt, 2, &json!({"prompt": "more 0 false", "prompt_id": "p"}));
        let turn = |sandbox: &Sandbox| sandbox.session().core("lastTurnId");
        assert_eq!((turn(&sandbox), sandbox.session().prompts().len()), (json!(1), 1), "{host}");
        send(&sandbox, host, prompt, 3, &json!({"prompt": "something else", "prompt_id": "q"}));
        assert_eq!((turn(&sandbox), sandbox.session().prompts().len()), (json!(2), 2), "{host}");
    }
}

#[test]
fn reasons_that_a_host_joins_do_not_start_a_turn_and_do_not_restart_the_count() {
    for (host, prompt, stop) in HOSTS {
        let sandbox = js::sandbox(&[KEEPER], json!({}));
        send(&sandbox, host, prompt, 0, &json!({"prompt": "go", "prompt_id": "p"}));
        for n in 0..7 {
            let active = json!({"stop_hook_active": n > 0});
            let answer = send(&sandbox, host, stop, 2 * n + 1, &active).to_string();
            assert_eq!(answer.contains(&format!("more {n}")), n < 5, "{host} {n}: {answer}");
            let reason = format!("more {n} {}", n > 0);
            // Our own answer twice, or with the answer of another program's hook.
            let joined = if n == 1 { format!("lint it\n{reason}") } else { format!("{reason}\n{reason}") };
            if n < 5 {
                send(&sandbox, host, prompt, 2 * n + 2, &json!({"prompt": joined, "prompt_id": "p"}));
            }
        }
        let turn = |sandbox: &Sandbox| sandbox.session().core("lastTurnId");
        assert_eq!((turn(&sandbox), sandbox.session().prompts().len()), (json!(1), 1), "{host}");
        // The agent has stopped: now a user quotes the reason.
        let quote = json!({"prompt": "You said:\nmore 4 true", "prompt_id": "q"});
        send(&sandbox, host, prompt, 30, &quote);
        assert_eq!((turn(&sandbox), sandbox.session().prompts().len()), (json!(2), 2), "{host}");
    }
}

#[test]
fn a_patch_outside_of_the_modules_own_state_is_an_error_that_its_author_sees() {
    let body = "if (eventName === 'Stop') return { decision: 'deny', denyReason: 'no', \
                statePatch: { stopped: true, features: { mine: { n: 1 }, other: { n: 1 } } } }";
    let sandbox = js::sandbox(&[("mine", body)], json!({}));
    let answer = send(&sandbox, "claude-code", "Stop", 1, &json!({}));
    assert_eq!(answer["reason"], "no", "the decision holds");
    assert!(answer["systemMessage"].as_str().unwrap().contains("`features.mine`"), "{answer}");
    let session = sandbox.session();
    assert_eq!(session.state()["features"], json!({"mine": {"n": 1}}));
    let errors = session.events_of("ERROR_MODULE");
    let errors: Vec<&str> = errors.iter().map(|line| line["data"]["error"].as_str().unwrap()).collect();
    assert_eq!(
        errors,
        [
            "statePatch sets `stopped`, but a module may only set `features.mine`",
            "statePatch sets `features.other`, but a module may only set `features.mine`",
        ]
    );
    assert!(session.debug_log("mine").contains("statePatch sets `stopped`"));
}
