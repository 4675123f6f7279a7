//! `steersman doctor` on files that have no effect, permit nothing, or name things that do not exist.

use serde_json::Value;

use crate::project::Project;

const CONFIG: &str = ".ai/hooks/config.json";
const MANIFEST: &str = ".ai/hooks/dispatch.manifest.json";

/// Returns the findings that concern a text, each with its level.
fn findings(files: &[(&str, &str)], about: &str) -> Vec<(String, String)> {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--host", "claude-code"]).exit, 0);
    for (file, text) in files {
        project.write(file, text);
    }
    let output = project.run(&["doctor", "--json"]);
    let report: Value = serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{}", output.all()));
    let findings = report["findings"].as_array().unwrap().iter();
    let text = |found: &Value, key: &str| found[key].as_str().unwrap_or_default().to_owned();
    let pairs = findings.map(|found| (text(found, "level"), text(found, "message")));
    pairs.filter(|(_, message)| message.contains(about)).collect()
}

fn check(files: &[(&str, &str)], about: &str, level: &str, message: &str) {
    assert_eq!(findings(files, about), [(level.to_owned(), message.to_owned())]);
}

#[test]
fn an_active_agent_that_no_valid_file_defines_denies_every_call() {
    let active = (CONFIG, r#"{"agents": {"active": "planner"}}"#);
    check(
        &[active],
        "agents.active",
        "wrong",
        "every tool call is denied: `agents.active` in .ai/hooks/config.json names `planner`, which no file defines",
    );
    let planner =
        "name: planner\nwhenToUse: first\nsystemPrompt: plan\ntransitions: { onSuccess: complete }\n";
    let broken = planner.replace("name: planner", "name: planner\ntools: 3");
    check(
        &[active, (".rawko/agents/planner.yaml", &broken)],
        "agents.active",
        "wrong",
        "every tool call is denied: `agents.active` in .ai/hooks/config.json names `planner`, whose file has errors",
    );
    check(
        &[active, (".rawko/agents/planner.yaml", planner)],
        "agents.active",
        "aside",
        "`planner` (.rawko/agents/planner.yaml) governs the tools of every session (`agents.active` in .ai/hooks/config.json)",
    );
}

#[test]
fn errors_of_agents_are_errors_of_the_project() {
    let agent = "name: a\nwhenToUse: x\nsystemPrompt: x\ntransitions: { onSuccess: nobody }\n";
    let found = findings(&[(".rawko/agents/a.yaml", agent)], "nobody");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "wrong");
}

#[test]
fn intents_without_any_intent_are_wrong() {
    check(
        &[(".orchestration/active_intents.yaml", "intents: []\n")],
        "lists no intents",
        "wrong",
        ".orchestration/active_intents.yaml lists no intents, so agents can write nothing here",
    );
}

#[test]
fn rules_of_a_module_that_is_off_have_no_effect() {
    let rules = (".ai/hooks/followup-rules.json", r#"{"rules": []}"#);
    let policy = (".ai/hooks/rlm-policy.json", r#"{"rules": []}"#);
    let message = |file: &str, module: &str| format!("{file} has no effect: the module `{module}` is off");
    check(&[rules], "has no effect", "warning", &message(rules.0, "rules"));
    check(&[policy], "has no effect", "warning", &message(policy.0, "delegation"));
    let on = (MANIFEST, r#"{"modules": {"memory-activation": {}, "rlm-work": {}}}"#);
    assert_eq!(findings(&[rules, policy, on], "has no effect"), []);
    let off = (MANIFEST, r#"{"modules": {"memory-activation": {"enabled": false}}}"#);
    assert_eq!(findings(&[rules, off], "has no effect").len(), 1);
}

#[test]
fn a_rule_that_queues_a_missing_automation_is_reported() {
    let rules = r#"{"rules": [{"id": "a", "when": [], "action": {"type": "enqueue_automation", "automation": "gone"}}]}"#;
    let on = (MANIFEST, r#"{"modules": {"memory-activation": {}}}"#);
    check(
        &[(".ai/hooks/followup-rules.json", rules), on],
        "gone",
        "warning",
        "the follow-up rule `a` queues the automation `gone`, which does not exist",
    );
}

#[test]
fn automations_of_missing_agents_and_programs_are_reported() {
    let hook = |id: &str, runner: &str| {
        format!(r#"{{"hooks": [{{"id": "{id}", "trigger": "x", "prompt": "p", "runner": {runner}}}]}}"#)
    };
    let program = hook("p", r#"{"type": "command", "command": ["no-such-program"]}"#);
    let found = findings(&[(".akira/hooks.json", &program)], "no-such-program");
    assert_eq!(found.len(), 1, "{found:?}");
    let custom = r#"[{"id": "c", "name": "c", "trigger": {"agent": "speckit", "operation": "clarify", "timing": "after"},
        "action": {"type": "custom", "parameters": {"agentId": "local:nobody", "prompt": "x"}}, "createdAt": 1}]"#;
    let found = findings(&[(".vscode/gatomia/hooks.json", custom)], "nobody");
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn a_script_that_does_not_compile_is_wrong_before_the_user_trusts_it() {
    let on = (MANIFEST, r#"{"modules": {"mine": {}}}"#);
    let script = (".ai/hooks/features/mine/hook.mjs", "export default {\n  handle( {\n};\n");
    let found = findings(&[on, script], "`mine`");
    let levels: Vec<&str> = found.iter().map(|(level, _)| level.as_str()).collect();
    assert_eq!(levels, ["wrong", "warning"], "{found:?}");
    assert!(found[0].1.starts_with("cannot load `mine`: "), "{found:?}");
}
