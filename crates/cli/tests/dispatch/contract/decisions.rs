//! §8: which decision wins when modules disagree, and which modules run.

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::{js, sandbox, shell};

const ALLOW: &str = "return { decision: 'allow' }";
const ASK: &str = "return { decision: 'ask', reason: 'sure?' }";
const DENY: &str = "return { decision: 'deny', denyReason: 'no' }";
const NOTHING: &str = "return {}";

fn ran(sandbox: &Sandbox) -> Vec<Value> {
    let run = sandbox.session().last_run();
    run["data"]["modules"].as_array().unwrap().iter().map(|module| module["name"].clone()).collect()
}

#[test]
fn deny_beats_ask_beats_allow_and_the_first_of_them_ends_the_matter() {
    for (first, second, decision, by, n_ran) in [
        (NOTHING, NOTHING, "abstain", None, 8),
        (ALLOW, NOTHING, "abstain", Some("first"), 8),
        (ALLOW, ASK, "ask", Some("second"), 8),
        (ALLOW, DENY, "deny", Some("second"), 8),
        (ASK, DENY, "ask", Some("first"), 7),
        (DENY, ALLOW, "deny", Some("first"), 7),
        (DENY, ASK, "deny", Some("first"), 7),
    ] {
        let sandbox = js::sandbox(&[("first", first), ("second", second)], json!({}));
        sandbox.raw("PreToolUse", &shell("t1", "ls"));
        let run = sandbox.session().last_run();
        assert_eq!(run["data"]["decision"], decision, "{first} then {second}");
        assert_eq!(run["data"]["module"].as_str(), by, "{first} then {second}");
        assert_eq!(ran(&sandbox).len(), n_ran, "{first} then {second}");
        let decided = &sandbox.session().events_of("TOOL_DECISION")[0]["data"];
        assert_eq!(decided["decision"], decision);
        assert_eq!(decided["by"].as_str(), by);
        sandbox.check_everything();
    }
}

#[test]
fn modules_run_by_priority_and_the_manifest_has_the_last_word_on_it() {
    let manifest = json!({"modules": {"late": {"priority": 30}, "early": {"priority": -5}}});
    let sandbox = js::sandbox(&[("late", NOTHING), ("early", NOTHING)], manifest);
    sandbox.raw("PreToolUse", &shell("t1", "ls"));
    assert_eq!(
        ran(&sandbox),
        [
            "early",
            "session",
            "intent",
            "agent-tools",
            "shell-guard",
            "graph-pretooluse",
            "planGraph-exec",
            "late"
        ]
    );
}

#[test]
fn no_objection_is_no_approval() {
    for (body, explicit, printed) in
        [(NOTHING, true, None), (NOTHING, false, None), (ALLOW, false, None), (ALLOW, true, Some("allow"))]
    {
        let sandbox = js::sandbox(&[("mine", body)], json!({"explicitAllow": explicit}));
        let payload = testkit::payload::recorded("claude", "PreToolUse_Bash", &sandbox.root()).payload;
        let answer = sandbox.ask("claude-code", "PreToolUse", &payload);
        assert_eq!(answer["hookSpecificOutput"]["permissionDecision"].as_str(), printed, "{body} {explicit}");
        assert_eq!(sandbox.raw("PreToolUse", &shell("t1", "ls"))["decision"], "allow");
    }
}

#[test]
fn a_module_that_is_not_safe_on_the_hot_path_waits_for_other_events() {
    let source = "export default { name: 'slow', supports: ['PreToolUse', 'PostToolUse'], handle() {} };";
    for (entry, before_a_call) in [(json!({}), false), (json!({"hotPathSafe": true}), true)] {
        let sandbox = js::sandbox(&[("slow", source)], json!({"modules": {"slow": entry}}));
        sandbox.raw("PreToolUse", &shell("t1", "ls"));
        assert_eq!(ran(&sandbox).contains(&json!("slow")), before_a_call);
        sandbox.raw("PostToolUse", &shell("t1", "ls"));
        assert!(ran(&sandbox).contains(&json!("slow")));
    }
}

#[test]
fn a_module_runs_only_for_the_events_it_supports() {
    let source =
        "export default { name: 'end', supports: new Set(['Stop']), hotPathSafe: true, handle() {} };";
    let sandbox = js::sandbox(&[("end", source)], json!({}));
    sandbox.raw("PreToolUse", &shell("t1", "ls"));
    assert_eq!(
        ran(&sandbox),
        ["session", "intent", "agent-tools", "shell-guard", "graph-pretooluse", "planGraph-exec"]
    );
    sandbox.raw("Stop", &json!({}));
    assert_eq!(ran(&sandbox), ["session", "intent", "end"]);
}

#[test]
fn a_module_that_is_switched_off_does_not_run() {
    let off = json!({"enabled": false});
    let manifest = json!({"modules": {"mine": off, "session": off, "intent": off, "agent-tools": off, "shell-guard": off, "graph-pretooluse": off, "planGraph-exec": off}});
    let sandbox = js::sandbox(&[("mine", DENY)], manifest);
    assert_eq!(sandbox.raw("PreToolUse", &shell("t1", "ls"))["decision"], "allow");
    assert_eq!(ran(&sandbox), [Value::Null; 0]);
}

#[test]
fn a_budget_of_the_manifest_ends_the_run_without_a_decision() {
    let manifest = json!({"budgets": {"PreToolUse": 150}});
    let sandbox = js::sandbox(&[("endless", "for (;;) {}"), ("no", DENY)], manifest);
    let answer = sandbox.raw("PreToolUse", &shell("t1", "ls"));
    assert_eq!(answer["decision"], "allow");
    let session = sandbox.session();
    let exceeded = session.events_of("BUDGET_EXCEEDED");
    assert!(!exceeded.is_empty());
    assert_eq!(exceeded[0]["data"]["budgetMs"], 150);
    sandbox.check_everything();
}

#[test]
fn on_a_prompt_and_at_the_end_a_deny_is_a_no_as_well() {
    let sandbox = js::sandbox(&[("no", DENY)], json!({}));
    for (event, more) in [("UserPromptSubmit", json!({"prompt": "x"})), ("Stop", json!({}))] {
        assert_eq!(sandbox.raw(event, &more)["decision"], "deny", "{event}");
    }
    assert_eq!(sandbox.session().events_of("SESSION_STOP")[0]["data"]["decision"], "deny");
}

#[test]
fn without_any_file_of_ours_dispatch_works() {
    let sandbox = sandbox();
    std::fs::remove_dir_all(sandbox.path(".ai")).unwrap();
    assert_eq!(sandbox.raw("PreToolUse", &shell("t1", "ls"))["decision"], "allow");
    sandbox.check_everything();
}

#[test]
fn the_files_that_govern_an_agent_are_not_its_own_to_write() {
    for (path, decision) in [
        (".ai/hooks/dispatch.manifest.json", "deny"),
        (".ai/hooks/config.json", "deny"),
        (".claude/settings.json", "deny"),
        ("src/../.ai/hooks/config.json", "deny"),
        (".ai/hooks/features/mine/hook.mjs", "allow"),
        ("src/settings.json", "allow"),
    ] {
        let sandbox = sandbox();
        let call = json!({"tool_name": "Write", "tool_use_id": "t1", "tool_input": {"file_path": path, "content": "{}"}});
        assert_eq!(sandbox.raw("PreToolUse", &call)["decision"], decision, "{path}");
    }
}
