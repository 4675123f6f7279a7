//! §5: the ids under which a run is recorded.

use serde_json::json;

use crate::{sandbox, shell};

#[test]
fn a_session_is_named_by_a_hash_of_host_and_session_id() {
    let sandbox = sandbox();
    sandbox.raw("PreToolUse", &shell("t1", "ls"));
    let session = sandbox.session();
    // The first eight digits of SHA-256("raw", NUL, "session-1").
    assert_eq!(session.id, "de44ca18");
    assert_eq!(session.core("sessionId"), "de44ca18");
    assert_eq!(session.core("hostSessionId"), "session-1");
    assert_eq!(session.core("host"), "raw");
    sandbox.check_everything();
}

#[test]
fn events_of_one_session_agree_even_if_its_start_never_came() {
    let sandbox = sandbox();
    sandbox.raw("PostToolUse", &shell("t1", "ls"));
    sandbox.raw("SessionStart", &json!({"source": "resume"}));
    sandbox.raw("Stop", &json!({}));
    assert_eq!(sandbox.session().events_of("HOOK_RUN").len(), 3);
    sandbox.check_everything();
}

#[test]
fn another_host_with_the_same_session_id_is_another_session() {
    let sandbox = sandbox();
    let payload = testkit::payload::raw("PreToolUse", &sandbox.root(), &shell("t1", "ls"));
    for host in ["raw", "claude-code", "codex"] {
        sandbox.ask(host, "PreToolUse", &payload);
    }
    assert_eq!(sandbox.sessions().len(), 3);
    sandbox.check_everything();
}

#[test]
fn without_a_session_id_the_workspace_is_the_session() {
    let sandbox = sandbox();
    let mut payload = testkit::payload::raw("PreToolUse", &sandbox.root(), &shell("t1", "ls"));
    payload.as_object_mut().unwrap().remove("session_id");
    sandbox.ask("raw", "PreToolUse", &payload);
    sandbox.ask("raw", "PreToolUse", &payload);
    let session = sandbox.session();
    assert_eq!(session.core("hostSessionId"), sandbox.root().to_str().unwrap());
}

#[test]
fn if_eight_digits_collide_the_next_eight_are_used() {
    let sandbox = sandbox();
    // Both hash to c11aa234…; found by search.
    for id in ["clash-67781", "clash-84275", "clash-67781", "clash-84275"] {
        let mut prompt = testkit::payload::raw("UserPromptSubmit", &sandbox.root(), &json!({"prompt": "x"}));
        prompt["session_id"] = json!(id);
        sandbox.ask("raw", "UserPromptSubmit", &prompt);
    }
    let sessions = sandbox.sessions();
    let kept: Vec<_> = sessions.iter().map(|it| (it.id.as_str(), it.core("hostSessionId"))).collect();
    assert_eq!(kept, [("5d709cc5", json!("clash-84275")), ("c11aa234", json!("clash-67781"))]);
    assert!(sessions.iter().all(|session| session.core("lastTurnId") == 2));
    sandbox.check_everything();
}

#[test]
fn a_run_is_named_by_its_event_its_turn_and_its_moment() {
    let sandbox = sandbox();
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "one"}));
    sandbox.raw("PreToolUse", &shell("t1", "ls"));
    let run = sandbox.session().last_run();
    let id = run["hookRunId"].as_str().unwrap();
    assert!(id.starts_with("PreToolUse-1-1"), "{id}");
    assert_eq!(run["agentId"], "u00");
    assert_eq!(run["workId"], "w001");
}

#[test]
fn subagents_are_numbered_in_the_order_they_appear() {
    let sandbox = sandbox();
    let agent = |id: &str| json!({"agent_id": id, "agent_type": "Explore"});
    sandbox.raw("SubagentStart", &agent("first"));
    sandbox.raw("SubagentStart", &agent("second"));
    let mut call = shell("t1", "ls");
    call["agent_id"] = json!("first");
    sandbox.raw("PreToolUse", &call);
    sandbox.raw("PreToolUse", &shell("t2", "ls"));
    sandbox.raw("SubagentStop", &agent("second"));
    let agents: Vec<_> =
        sandbox.session().events_of("HOOK_RUN").iter().map(|run| run["agentId"].clone()).collect();
    assert_eq!(agents, ["a01", "a02", "a01", "u00", "a02"]);
    sandbox.check_everything();
}
