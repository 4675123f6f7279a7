//! A project's own modules: their abilities and their limits.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::{Sandbox, schema};

use crate::{js, shell};

/// Long for a hook, short for a hang.
const PROMPTLY: Duration = Duration::from_secs(5);

fn module_report(sandbox: &Sandbox, name: &str) -> Value {
    let run = sandbox.session().last_run();
    let modules = run["data"]["modules"].as_array().unwrap().clone();
    modules
        .into_iter()
        .find(|module| module["name"] == name)
        .unwrap_or_else(|| panic!("{name} is not in {run}"))
}

#[test]
fn a_module_can_use_every_part_of_an_action() {
    let action = json!({
        "decision": "ask",
        "reason": "A person must review migrations. Write the plan first.",
        "updatedInput": {"command": "ls -1"},
        "additionalContext": [{"key": "style", "value": "Use tabs."}],
        "statePatch": {"features": {"mine": {"seen": "yes"}}},
        "emitEvents": [{"type": "MINE_SEEN", "n": 3}],
        "registerArtifacts": [{"kind": "note", "path": "notes/a.md", "description": "a note"}],
        "warnings": ["careful"],
        "metrics": {"ms": 1},
    });
    schema::check("hook-action", &action);
    let body = format!("ctx.log('info', 'seen', {{ tool: ctx.event.toolName }}); return {action}");
    let sandbox = js::sandbox(&[("mine", &body)], json!({"rewriteOwner": "mine"}));
    let answer = sandbox.raw("PreToolUse", &shell("t1", "ls"));
    assert_eq!(answer["decision"], "ask");
    assert_eq!(answer["reason"], action["reason"]);
    assert_eq!(answer["updatedInput"], json!({"command": "ls -1"}));
    assert_eq!(answer["additionalContext"], action["additionalContext"]);
    assert_eq!(answer["warnings"], json!(["careful"]));
    let session = sandbox.session();
    assert_eq!(session.state()["features"]["mine"]["seen"], "yes");
    let emitted = &session.events_of("MINE_SEEN")[0];
    assert_eq!((&emitted["module"], &emitted["data"]), (&json!("mine"), &json!({"n": 3})));
    let artifact = &session.registry()[0];
    assert_eq!((&artifact["module"], &artifact["path"]), (&json!("mine"), &json!("notes/a.md")));
    assert!(session.debug_log("mine").contains("seen {\"tool\":\"Bash\"}"), "{}", session.debug_log("mine"));
    assert_eq!(module_report(&sandbox, "mine")["metrics"], json!({"ms": 1}));
    sandbox.check_everything();
}

#[test]
fn the_context_a_module_gets_is_what_the_schema_says() {
    let sandbox = js::sandbox(&[("mine", "return { emitEvents: [{ type: 'SEEN', ctx }] }")], json!({}));
    sandbox.config(&json!({"mine": {"knob": 7}}));
    for (event, more) in [
        ("SessionStart", json!({"source": "startup"})),
        ("UserPromptSubmit", json!({"prompt": "go"})),
        ("PreToolUse", shell("t1", "ls")),
        ("PostToolUse", shell("t1", "ls")),
        ("PreCompact", json!({"trigger": "auto"})),
        ("Stop", json!({})),
        ("SubagentStart", json!({"agent_id": "x", "agent_type": "Explore"})),
        ("SubagentStop", json!({"agent_id": "x"})),
    ] {
        sandbox.raw(event, &more);
        let seen = sandbox.session().events_of("SEEN");
        let ctx = &seen.last().unwrap_or_else(|| panic!("{event} reached no module"))["data"]["ctx"];
        schema::check("ctx", ctx);
        assert_eq!(ctx["event"]["name"], event);
        assert_eq!(ctx["config"]["knob"], 7);
    }
    sandbox.check_everything();
}

#[test]
fn scripts_of_an_untrusted_workspace_are_skipped_with_a_warning() {
    let (sandbox, _) = js::untrusted(&[("no", "return { decision: 'deny', denyReason: 'no' }")], json!({}));
    let answer = sandbox.raw("PreToolUse", &shell("t1", "ls"));
    assert_eq!(answer["decision"], "allow");
    assert!(answer["warnings"].to_string().contains("steersman trust"), "{answer}");
    sandbox.check_everything();
}

#[test]
fn a_script_that_changed_after_it_was_trusted_is_skipped_with_a_warning() {
    for (what, path) in [
        ("itself", ".ai/hooks/features/mine/hook.mjs"),
        ("what it imports", ".ai/hooks/features/mine/lib/words.mjs"),
        ("a file without an extension", ".ai/hooks/features/mine/words"),
        ("a file beside the manifest", ".ai/hooks/words.mjs"),
        ("a file far below", ".ai/hooks/a/b/c/d/e/f/g/words.mjs"),
    ] {
        let sandbox = js::sandbox(&[("mine", "return { decision: 'deny', denyReason: 'no' }")], json!({}));
        if !path.ends_with("hook.mjs") {
            sandbox.write(path, "export const word = 'no';");
            sandbox.trust();
        }
        assert_eq!(sandbox.raw("PreToolUse", &shell("t1", "ls"))["decision"], "deny", "{what}");
        sandbox.write(path, js::module("mine", "return {}"));
        let answer = sandbox.raw("PreToolUse", &shell("t2", "ls"));
        assert!(answer["warnings"].to_string().contains("changed since"), "{what}: {answer}");
        sandbox.trust();
        assert!(sandbox.raw("PreToolUse", &shell("t3", "ls")).get("warnings").is_none(), "{what}");
    }
}

/// The places where a script fails, and the journal's name for each.
const FAILURES: [(&str, &str); 5] = [
    ("throw new Error('broken bone')", "broken bone"),
    ("return await Promise.reject(new TypeError('late'))", "late"),
    ("return 'allow'", "no usable action"),
    ("return { decision: 'perhaps' }", "unknown variant `perhaps`"),
    ("const a = []; for (;;) a.push(new Array(1000).fill(0))", "memory"),
];

#[test]
fn a_deny_stands_even_if_its_reason_is_malformed() {
    for body in ["return { decision: 'deny' }", "return { decision: 'deny', because: 'no' }"] {
        let sandbox = js::sandbox(&[("mine", body)], json!({}));
        let answer = sandbox.raw("PreToolUse", &shell("t1", "ls"));
        assert_eq!(answer["decision"], "deny", "{body}: {answer}");
        assert!(answer["denyReason"].as_str().unwrap().contains("tell the user"), "{answer}");
        sandbox.check_everything();
    }
}

/// A module may read a secret from a file and put it into a string for the model.
#[test]
fn secrets_in_a_modules_words_do_not_reach_the_model() {
    let key = ["AKIA", "Q3EGRTYUIOPLKJHG"].concat();
    let body = format!(
        "return {{ decision: 'deny', denyReason: 'not {key}', warnings: ['w {key}'], additionalContext: 'c {key}' }}"
    );
    let sandbox = js::sandbox(&[("mine", body.as_str())], json!({}));
    let answer = sandbox.raw("PreToolUse", &shell("t1", "ls"));
    assert_eq!(answer["denyReason"], "not [REDACTED]");
    assert!(!answer.to_string().contains(&key), "{answer}");
}

#[test]
fn a_module_that_fails_is_skipped_and_the_others_run() {
    for (body, problem) in FAILURES {
        let next = ("next", "return { warnings: ['next was here'] }");
        let sandbox = js::sandbox(&[("mine", body), next], json!({}));
        let answer = sandbox.raw("PreToolUse", &shell("t1", "ls"));
        assert_eq!(answer["decision"], "allow", "{body}");
        assert!(answer["warnings"].to_string().contains("next was here"), "{body}: {answer}");
        let errors = sandbox.session().events_of("ERROR_MODULE");
        assert_eq!(errors.len(), 1, "{body}");
        assert_eq!(errors[0]["data"]["module"], "mine");
        assert!(errors[0]["data"]["error"].to_string().contains(problem), "{}", errors[0]);
        sandbox.check_everything();
    }
}

#[test]
fn a_critical_module_that_fails_denies_and_ends_the_matter() {
    for (body, problem) in FAILURES {
        let manifest = json!({"modules": {"mine": {"critical": true}}});
        let sandbox = js::sandbox(&[("mine", body), ("next", "return { warnings: ['next'] }")], manifest);
        let answer = sandbox.raw("PreToolUse", &shell("t1", "ls"));
        assert_eq!(answer["decision"], "deny", "{body}");
        assert!(answer["denyReason"].as_str().unwrap().contains("steersman doctor"), "{answer}");
        assert!(answer.get("warnings").is_none(), "{body}: {answer}");
        let errors = sandbox.session().events_of("ERROR_MODULE_CRITICAL");
        assert!(errors[0]["data"]["error"].to_string().contains(problem), "{}", errors[0]);
        sandbox.check_everything();
    }
}

#[test]
fn a_module_that_cannot_be_loaded_fails_when_its_turn_comes() {
    for source in [
        "export default {",
        "export default 7",
        "throw new Error('at once'); export default {}",
        "import './not-there.mjs'; export default {}",
        "import '../../../../outside.mjs'; export default {}",
        "export default { name: 'mine', supports: 'PreToolUse', handle() {} }",
        "\u{0}",
    ] {
        let sandbox = js::sandbox(&[("mine", source)], json!({"modules": {"mine": {"path": "m.mjs"}}}));
        sandbox.write(".ai/hooks/m.mjs", source);
        sandbox.trust();
        assert_eq!(sandbox.raw("PreToolUse", &shell("t1", "ls"))["decision"], "allow", "{source}");
        assert_eq!(sandbox.session().events_of("ERROR_MODULE").len(), 1, "{source}");
        sandbox.check_everything();
    }
}

/// Code that never returns.
const ENDLESS: [&str; 8] = [
    "for (;;) {}",
    "await new Promise(() => setTimeout(() => {}, 1e9))",
    "const again = () => Promise.resolve().then(again); await again()",
    "/(a+)+$/.test('a'.repeat(60) + 'b')",
    "const s = 'x'.repeat(8e6); for (;;) s.indexOf('xy')",
    "return { get decision() { for (;;) {} } }",
    "return new Array(1e9).join('x')",
    "const big = new Uint8Array(2e7); for (;;) big.sort()",
];

#[test]
fn a_module_that_never_returns_is_answered_for_within_the_budget() {
    for body in ENDLESS {
        let sandbox = js::sandbox(&[("mine", body)], json!({"budgets": {"PreToolUse": 200}}));
        let payload = testkit::payload::raw("PreToolUse", &sandbox.root(), &shell("t1", "ls"));
        let answer = sandbox.dispatch("raw", "PreToolUse").payload(&payload).run().object_within(PROMPTLY);
        schema::check("hook-output", &answer);
        assert_eq!(answer["decision"], "allow", "{body}");
        let session = sandbox.session();
        let told =
            ["BUDGET_EXCEEDED", "ERROR_MODULE"].iter().flat_map(|kind| session.events_of(kind)).count();
        // On a busy machine the watchdog may have to answer.
        assert!(told >= 1, "{body}");
        sandbox.check_everything();
    }
}

#[test]
fn a_module_that_hangs_while_it_is_loaded_is_answered_for_within_the_budget() {
    let source = "while (true) {}\nexport default { name: 'mine', supports: ['PreToolUse'], handle() {} };";
    let sandbox = js::sandbox(
        &[("mine", "return {}")],
        json!({"modules": {"mine": {"path": "m.mjs"}}, "budgets": {"PreToolUse": 200}}),
    );
    sandbox.write(".ai/hooks/m.mjs", source);
    sandbox.trust();
    let payload = testkit::payload::raw("PreToolUse", &sandbox.root(), &shell("t1", "ls"));
    let answer = sandbox.dispatch("raw", "PreToolUse").payload(&payload).run().object_within(PROMPTLY);
    assert_eq!(answer["decision"], "allow");
    sandbox.check_everything();
}

#[test]
fn a_deny_that_was_given_stands_when_the_time_runs_out_afterwards() {
    let manifest = json!({"budgets": {"PreToolUse": 200}});
    let no = ("no", "return { decision: 'deny', denyReason: 'no' }");
    let sandbox = js::sandbox(&[no, ("endless", "for (;;) {}")], manifest);
    assert_eq!(sandbox.raw("PreToolUse", &shell("t1", "ls"))["decision"], "deny");
}

#[test]
fn a_module_replaces_a_built_in_one_only_when_the_manifest_names_its_file() {
    let body = "return { warnings: ['not the real one'] }";
    let named = json!({"modules": {"session": {"path": "features/session/hook.mjs"}}});
    for (manifest, replaced) in [(json!({"modules": {"session": {}}}), false), (named, true)] {
        let sandbox = js::sandbox(&[("session", body)], manifest);
        let answer = sandbox.raw("PreToolUse", &shell("t1", "ls"));
        assert_eq!(answer.get("warnings").is_some(), replaced, "{answer}");
        assert_eq!(sandbox.session().events_of("TOOL_DECISION").is_empty(), replaced);
        sandbox.check_everything();
    }
}

#[test]
fn a_patch_changes_only_what_is_the_modules_to_change() {
    for (patch, problem) in [
        (json!({"core": {"lastTurnId": u64::MAX}}), "lastTurnId"),
        (json!({"core": {"sessionId": "00000000"}}), "sessionId"),
        (json!({"core": {"lastEventOffset": 1_u64 << 50}}), "lastEventOffset"),
        (json!({"core": {"agents": {"x": "a99"}}}), "agents"),
        (json!({"mine": {}}), "sets `mine`"),
        (json!({"memory": {"list": [1]}}), "sets `memory.list`"),
    ] {
        let body = format!("if (eventName === 'PreToolUse') return {{ statePatch: {patch} }}");
        let sandbox = js::sandbox(&[("mine", body.as_str())], json!({}));
        sandbox.raw("PreToolUse", &shell("t1", "ls"));
        assert!(sandbox.session().last_run()["data"]["ignored"].to_string().contains(problem), "{patch}");
        sandbox.raw("UserPromptSubmit", &json!({"prompt": "go"}));
        assert_eq!(sandbox.session().core("lastTurnId"), 1, "{patch}");
        sandbox.check_everything();
    }
}

#[test]
fn an_event_of_a_module_is_never_taken_for_a_record_of_the_dispatcher() {
    let patch = json!({"core": {"lastTurnId": 77, "workId": "w099", "phase": "COMPLETE"}});
    let body = format!("return {{ emitEvents: [{{ type: 'HOOK_RUN', patch: {patch} }}] }}");
    let sandbox = js::sandbox(&[("forger", &body)], json!({}));
    sandbox.raw("PreToolUse", &shell("t1", "ls"));
    std::fs::remove_file(sandbox.session().root.join("state.json")).unwrap();
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "go"}));
    assert_eq!(sandbox.session().core("lastTurnId"), 1);
    assert_eq!(sandbox.session().core("workId"), "w001");
    sandbox.check_everything();
}
