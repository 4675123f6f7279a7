//! Work for subagents: the policy, the packet, the results, the pointer.

use std::fs;

use serde_json::{Value, json};
use testkit::{Sandbox, schema};

use crate::{reading, sandbox_with, shell};

const POLICY: &str = ".ai/hooks/rlm-policy.json";

fn sandbox(policy: &Value) -> Sandbox {
    schema::check("rlm-policy", policy);
    // Another module checks whether a search is bounded at all.
    let modules = json!({"rlm-work": {}, "graph-pretooluse": {"enabled": false}});
    let sandbox = sandbox_with(json!({"modules": modules}));
    sandbox.write(POLICY, policy.to_string());
    sandbox
}

fn searching(id: &str, path: Option<&str>) -> Value {
    let mut input = json!({"pattern": "needle"});
    if let Some(path) = path {
        input["path"] = json!(path);
    }
    json!({"tool_name": "Grep", "tool_use_id": id, "tool_input": input})
}

fn in_subagent(mut call: Value) -> Value {
    call["agent_id"] = json!("host-agent-7");
    call["agent_type"] = json!("Explore");
    call
}

/// Returns the decision on a call, and the warning for the user.
fn decision(sandbox: &Sandbox, call: &Value) -> (String, String) {
    let answer = sandbox.raw("PreToolUse", call);
    (answer["decision"].as_str().unwrap().to_owned(), answer["warnings"].to_string())
}

#[test]
fn a_call_that_is_too_broad_for_the_main_agent_gets_the_rules_answer() {
    for (mode, expected) in [("deny", "deny"), ("ask", "ask"), ("warn", "allow")] {
        let rule = json!({"id": "wide", "tools": ["search"], "breadth": "workspace", "mode": mode,
            "agentType": "Explore", "reason": "The whole project does not fit here."});
        let sandbox = sandbox(&json!({"version": 1, "rules": [rule]}));
        let answer = sandbox.raw("PreToolUse", &searching("t1", None));
        assert_eq!(answer["decision"], expected, "{answer}");
        let said = answer.to_string();
        assert!(said.contains("rule `wide`") && said.contains("start a subagent (`Explore`)"), "{said}");
        assert!(said.contains("The whole project does not fit here."), "{said}");
        let events = sandbox.session().events_of("RLM_DELEGATION");
        assert_eq!((events.len(), &events[0]["data"]["mode"]), (1, &json!(mode)));
        if mode == "warn" {
            assert_eq!(answer["additionalContext"][0]["key"], "rlm-work");
        }
        sandbox.check_everything();
    }
}

#[test]
fn every_condition_of_a_rule_has_to_hold() {
    let wide = json!({"id": "wide", "tools": ["Gr*"], "breadth": "workspace", "mode": "deny"});
    let secretive = json!({"id": "words", "tools": ["shell"], "pattern": "\\bgit log\\b", "mode": "deny"});
    let later = json!({"id": "later", "tools": ["read"], "phases": ["COMPLETE"], "mode": "deny"});
    let sandbox = sandbox(&json!({
        "rules": [wide, secretive, later], "exempt": {"paths": ["docs/**"], "pattern": "needle-allowed"},
    }));
    fs::create_dir_all(sandbox.path("src")).unwrap();
    let root = sandbox.root();
    for (call, expected) in [
        (searching("a", None), "deny"),
        (searching("b", root.to_str()), "deny"),
        (searching("c", Some("src")), "allow"),
        (searching("d", Some("..")), "deny"),
        (shell("e", "git log -p"), "deny"),
        (shell("f", "git logs"), "allow"),
        (shell("g", "echo needle-allowed; git log"), "allow"),
        (reading("h", "docs/a.md"), "allow"),
        (reading("i", "src/a.rs"), "allow"),
        (in_subagent(searching("j", None)), "allow"),
    ] {
        assert_eq!(decision(&sandbox, &call).0, expected, "{call}");
    }
    sandbox.check_everything();
}

#[test]
fn the_breadth_of_a_command_is_what_it_goes_through() {
    let rule = |id: &str, breadth: &str, mode: &str| json!({"id": id, "tools": ["shell"], "breadth": breadth, "mode": mode});
    let sandbox =
        sandbox(&json!({"rules": [rule("wide", "workspace", "deny"), rule("folder", "folder", "ask")]}));
    fs::create_dir_all(sandbox.path("src")).unwrap();
    sandbox.write("src/a.rs", "x");
    for (id, (command, expected)) in [
        ("grep -r needle .", "deny"),
        ("rg needle", "deny"),
        ("cd src && find / -name '*.rs'", "deny"),
        ("bash -c 'ls -R'", "deny"),
        ("rg needle src", "ask"),
        ("cat src/a.rs", "allow"),
        ("echo 'grep -r needle .'", "allow"),
        ("touch src/b.rs", "allow"),
    ]
    .into_iter()
    .enumerate()
    {
        let answer = sandbox.raw("PreToolUse", &shell(&id.to_string(), command));
        assert_eq!(answer["decision"], expected, "{command}: {answer}");
    }
    sandbox.check_everything();
}

#[test]
fn of_several_rules_the_strictest_decides() {
    let rule = |id: &str, mode: &str| json!({"id": id, "tools": ["search"], "mode": mode});
    let sandbox = sandbox(
        &json!({"rules": [rule("a", "warn"), rule("b", "deny"), rule("c", "deny"), rule("d", "ask")]}),
    );
    let answer = sandbox.raw("PreToolUse", &searching("t1", None));
    assert!(answer["denyReason"].as_str().unwrap().contains("rule `b`"), "{answer}");
}

#[test]
fn a_discovery_that_has_grown_broad_is_delegated_from_then_on() {
    let rule = json!({"id": "enough", "tools": ["read", "search"], "afterReads": 3, "mode": "deny"});
    let sandbox = sandbox(&json!({"rules": [rule]}));
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "look around"}));
    for (id, path) in [("1", "a.rs"), ("2", "b.rs"), ("3", "a.rs"), ("4", "c.rs")] {
        assert_eq!(decision(&sandbox, &reading(id, path)).0, "allow", "{path}");
    }
    assert_eq!(decision(&sandbox, &reading("5", "d.rs")).0, "deny");
    let findings = format!(".ai/tmp/{}/rlm-work/output/sa/Explore/a01/findings.md", sandbox.session().id);
    assert_eq!(decision(&sandbox, &reading("7", &findings)).0, "allow", "the rule recommends to read it");
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "and now something else"}));
    assert_eq!(decision(&sandbox, &reading("6", "d.rs")).0, "allow", "a new turn resets the count");
}

#[test]
fn a_subagent_gets_a_packet_its_results_are_registered_and_the_parent_gets_a_pointer() {
    let sandbox = sandbox(&json!({"output": {"expects": ["findings.md"], "required": true}}));
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "explore"}));
    let who = json!({"agent_id": "host-agent-7", "agent_type": "Explore"});
    let answer = sandbox.raw("SubagentStart", &who);
    let session = sandbox.session();
    let folder = format!(".ai/tmp/{}/rlm-work/output/sa/Explore/a01", session.id);
    let letter = answer["additionalContext"][0]["value"].as_str().unwrap();
    assert!(
        letter.contains(&folder) && letter.contains("w001") && letter.contains("`findings.md`"),
        "{letter}"
    );
    let packet = session.output("rlm-work/sa/Explore/a01/packet.json").unwrap();
    schema::check("rlm-packet", &packet);
    assert_eq!(packet["outputDir"], folder);

    let kept = sandbox.raw("SubagentStop", &who);
    assert_eq!(kept["decision"], "deny", "{kept}");
    assert!(kept["denyReason"].as_str().unwrap().contains("`findings.md`"), "{kept}");

    let file = format!("{folder}/findings.md");
    let writes = in_subagent(json!({"tool_name": "Write", "tool_use_id": "w",
        "tool_input": {"file_path": file, "content": "it is in src"}}));
    assert_eq!(decision(&sandbox, &writes).0, "allow", "the guard lets it write there");
    sandbox.write(&file, "it is in src");
    sandbox.write(format!("{folder}/deep/more.json"), "{}");
    let stopped = sandbox.raw("SubagentStop", &who);
    assert_eq!(stopped["decision"], "allow", "{stopped}");
    assert!(!stopped.to_string().contains("it is in src"));
    let session = sandbox.session();
    let paths: Vec<_> = session.registry().iter().map(|line| line["path"].clone()).collect();
    assert_eq!(paths, [json!(format!("{folder}/deep/more.json")), json!(file)]);
    assert!(session.registry()[1]["hash"].is_string());

    let task = json!({"tool_name": "Task", "tool_use_id": "t9", "tool_input": {"prompt": "x"}});
    let answer = sandbox.raw("PostToolUse", &task);
    let pointer = answer["additionalContext"][0]["value"].as_str().unwrap();
    assert!(pointer.contains(&folder) && pointer.contains("`findings.md` (12 bytes)"), "{pointer}");
    assert!(!pointer.contains("it is in src"), "a pointer, not the content");
    let again =
        sandbox.raw("PostToolUse", &json!({"tool_name": "Task", "tool_use_id": "t10", "tool_input": {}}));
    assert!(again.get("additionalContext").is_none(), "told once: {again}");
    sandbox.check_everything();
}

#[test]
fn a_subagent_is_kept_from_stopping_once_only() {
    let sandbox = sandbox(&json!({"output": {"expects": ["x.md"], "required": true}}));
    let who = json!({"agent_id": "x", "agent_type": "Explore", "stop_hook_active": true});
    let answer = sandbox.raw("SubagentStop", &who);
    assert_eq!(answer["decision"], "allow");
    assert!(answer["warnings"].to_string().contains("has not written `x.md`"), "{answer}");
}

#[test]
fn a_role_that_is_no_name_cannot_lead_out_of_the_folder() {
    let sandbox = sandbox(&json!({}));
    let before = sandbox.tree();
    sandbox.raw("SubagentStart", &json!({"agent_id": "../../x", "agent_type": "../../../../../escape"}));
    assert_eq!(sandbox.strays_since(&before), Vec::<std::path::PathBuf>::new());
    assert!(sandbox.session().root.join("rlm-work/output/sa/agent/a01/packet.json").exists());
}

#[test]
fn a_planner_is_left_to_the_plan_contract() {
    let sandbox = sandbox(&json!({}));
    let answer = sandbox.raw("SubagentStart", &json!({"agent_id": "x", "agent_type": "Plan"}));
    assert!(answer.get("additionalContext").is_none(), "{answer}");
}

#[test]
fn a_broken_policy_disables_the_module_with_one_warning_and_nothing_else_stops() {
    for (policy, place) in [
        ("{\"rules\": [\n  {\"id\": \"a\", \"mode\": \"denny\"}\n]}", "line 2, column 29"),
        ("{\"rules\": [", "line 1, column 11"),
        ("{\"rules\": [{\"id\": \"a\", \"pattern\": \"(\"}]}", "line 1, column 35"),
    ] {
        let sandbox = sandbox_with(json!({"modules": {"rlm-work": {}}}));
        sandbox.write(POLICY, policy);
        let answer = sandbox.raw("PreToolUse", &searching("t1", None));
        let warnings = answer["warnings"].as_array().unwrap();
        let told = warnings[0].as_str().unwrap();
        assert_eq!(warnings.len(), 1, "{answer}");
        assert!(told.contains("rlm-policy.json`") && told.contains(place), "{told}");
        assert_eq!(sandbox.raw("PreToolUse", &shell("t2", "rm -rf /"))["decision"], "deny");
        assert!(sandbox.session().events_of("ERROR_MODULE").is_empty());
        sandbox.check_everything();
    }
}

#[test]
fn without_a_policy_the_module_is_silent() {
    let sandbox = sandbox_with(json!({"modules": {"rlm-work": {}}}));
    assert_eq!(decision(&sandbox, &searching("t1", None)), ("allow".to_owned(), "null".to_owned()));
}
