//! `steersman plan new|show|mark|check`, as users and agents run them.

use serde_json::{Value, json};
use testkit::{Answer, Sandbox};

use crate::sandbox;

fn planned(nodes: &Value) -> Sandbox {
    let sandbox = sandbox();
    sandbox.write("plan.json", json!({"version": 1, "nodes": nodes}).to_string());
    sandbox.config(&json!({"planGraph-exec": {"plan": "plan.json"}}));
    sandbox
}

fn plan(sandbox: &Sandbox, args: &[&str]) -> Answer {
    sandbox.call().args(["plan"]).args(args).run()
}

fn printed(answer: &Answer) -> String {
    format!("{}{}", String::from_utf8_lossy(&answer.stdout), String::from_utf8_lossy(&answer.stderr))
}

fn begin(sandbox: &Sandbox, path: &str) {
    sandbox
        .raw("PreToolUse", &json!({"tool_name": "Write", "tool_input": {"file_path": path, "content": "x"}}));
}

#[test]
fn a_new_plan_is_in_force_and_only_a_person_writes_one() {
    let sandbox = sandbox();
    sandbox.write(
        ".ai/hooks/config.json",
        "{\n  \"version\": 1,\n  \"planGraph-exec\": { \"strict\": false }\n}\n",
    );
    let nodes = ["new", "api=src/api/**", "ui=src/ui/**,assets/**"];
    let dry = plan(&sandbox, &[&nodes[..], &["--dry-run"]].concat());
    assert!(dry.code == Some(0) && !sandbox.path("docs/plan.json").exists(), "{}", printed(&dry));
    let written = plan(&sandbox, &nodes);
    assert_eq!(written.code, Some(0), "{}", printed(&written));
    let text = std::fs::read_to_string(sandbox.path("docs/plan.json")).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    testkit::schema::check("plan-graph", &file);
    assert_eq!(file["nodes"][1]["scope"], json!(["src/ui/**", "assets/**"]));
    let config = std::fs::read_to_string(sandbox.path(".ai/hooks/config.json")).unwrap();
    assert!(
        config.contains("\"strict\": false") && config.contains("\"plan\": \"docs/plan.json\""),
        "{config}"
    );
    let early = json!({"tool_name": "Write", "tool_input": {"file_path": "src/ui/a.ts", "content": "x"}});
    let answer = sandbox.raw("PreToolUse", &early);
    assert!(answer["denyReason"].as_str().unwrap().contains("which waits for `api`"), "{answer}");
    let again = plan(&sandbox, &nodes);
    assert!(again.code == Some(1) && printed(&again).contains("it exists already"), "{}", printed(&again));
    for (words, complaint) in [
        (&["new"][..], "required"),
        (&["new", "api"], "write `ID=SCOPE`"),
        (&["new", "a=src/**", "a=docs/**", "--file", "p.json"], "duplicate"),
        (&["new", "a=../x", "--file", "p.json"], "scope"),
    ] {
        let refused = plan(&sandbox, words);
        assert!(refused.code != Some(0) && printed(&refused).contains(complaint), "{}", printed(&refused));
    }
    assert!(!sandbox.path("p.json").exists());
    let by_agent =
        json!({"tool_name": "Bash", "tool_input": {"command": "steersman plan new all='**' --file q.json"}});
    let answer = sandbox.raw("PreToolUse", &by_agent);
    assert_ne!(answer["decision"], "allow", "{answer}");
}

#[test]
fn a_plan_is_drawn_with_what_is_done_active_and_waiting() {
    let sandbox = planned(&json!([
        {"id": "ship", "description": "the release", "dependencies": ["ui"], "tools": ["fetch"]},
        {"id": "api", "description": "the API", "scope": "src/api/**"},
        {"id": "ui", "description": "the form", "scope": "src/ui/**", "dependencies": ["api"]},
        {"id": "old", "description": "the old code", "scope": "old/**", "status": "forbidden", "reason": "frozen"},
        {"id": "docs", "description": "the page"},
    ]));
    let shown = plan(&sandbox, &["show"]);
    assert!(printed(&shown).contains("no session yet: 0 of 5 nodes complete"), "{}", printed(&shown));
    assert_eq!(plan(&sandbox, &["mark", "api", "active"]).code, Some(1), "there is no session to mark it in");

    begin(&sandbox, "src/api/a.rs");
    assert_eq!(plan(&sandbox, &["mark", "api", "complete"]).code, Some(0));
    begin(&sandbox, "src/ui/a.rs");
    let shown = plan(&sandbox, &["show"]);
    assert_eq!(shown.code, Some(0));
    let text = printed(&shown);
    let session = sandbox.session().id;
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    assert_eq!(lines[0], format!("plan.json, session {session}: 1 of 5 nodes complete"));
    let words: Vec<String> =
        lines[3..].iter().map(|line| line.split_whitespace().take(4).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        words,
        [
            "✓ api done the",
            "▶ ui active the",
            "… ship waits for",
            "✗ old forbidden: frozen",
            "○ docs ready the"
        ]
    );
    let json: Value = serde_json::from_slice(&plan(&sandbox, &["show", "--json"]).stdout).unwrap();
    assert_eq!((&json["session"], &json["complete"]), (&json!(session), &json!(false)), "{json}");
    let ship = &json["nodes"][0];
    assert_eq!((&ship["waitsFor"], &ship["ready"]), (&json!(["ui"]), &json!(false)), "{json}");
    sandbox.check_everything();
}

#[test]
fn a_node_is_marked_only_after_its_dependencies_and_mistakes_are_reported() {
    let sandbox = planned(&json!([
        {"id": "api", "description": "the API", "scope": "src/api/**"},
        {"id": "ui", "description": "the form", "scope": "src/ui/**", "dependencies": ["api"]},
    ]));
    begin(&sandbox, "README.md");
    for (args, code, told) in [
        (&["mark", "ui", "complete"][..], 1, "`ui` waits for `api`"),
        (&["mark", "apj", "complete"], 1, "did you mean `api`?"),
        (&["mark", "api", "finished"], 2, "expected one of pending, active, complete, forbidden, denied"),
        (&["mark", "api", "complete", "--session", "ffffffff"], 1, "ffffffff"),
        (&["mark", "api", "complete"], 0, "`api`: pending → complete"),
        (&["mark", "api", "complete"], 0, "`api` is already complete"),
        (&["mark", "ui", "denied"], 0, "`ui`: pending → denied"),
    ] {
        let answer = plan(&sandbox, args);
        assert_eq!(answer.code, Some(code), "{args:?}: {}", printed(&answer));
        assert!(printed(&answer).contains(told), "{args:?}: {}", printed(&answer));
    }
    let refused = sandbox.raw(
        "PreToolUse",
        &json!({"tool_name": "Write", "tool_input": {"file_path": "src/ui/a", "content": ""}}),
    );
    assert_eq!(refused["decision"], "deny", "what a person denies stays denied: {refused}");
    // Marks are in the journal, so a rebuilt snapshot contains them.
    let state = sandbox.path(format!(".ai/tmp/{}/state.json", sandbox.session().id));
    std::fs::remove_file(&state).unwrap();
    begin(&sandbox, "README.md");
    assert_eq!(sandbox.session().state()["plan"]["nodes"], json!({"api": "complete", "ui": "denied"}));
    sandbox.check_everything();
}

#[test]
fn validations_run_only_when_asked_in_a_trusted_workspace_and_under_guard() {
    let sandbox = planned(&json!([
        {"id": "api", "description": "the API", "scope": "src/api/**", "validations": [
            "test -f marker", "The endpoint answers with JSON.", "echo seen > ran.txt", "rm -rf ~",
            "echo token=ghp_0123456789abcdefghijklmnopqrstuvwxyz0; false", "no-such-program --at-all",
        ]},
        {"id": "ui", "description": "the form", "scope": "src/ui/**"},
    ]));
    begin(&sandbox, "src/api/a.rs");
    assert!(!sandbox.path("ran.txt").exists(), "a hook runs no validation");
    let answer = plan(&sandbox, &["check"]);
    assert_eq!(answer.code, Some(1));
    assert!(printed(&answer).contains("is not trusted"), "{}", printed(&answer));
    assert!(!sandbox.path("ran.txt").exists(), "nothing runs in an untrusted workspace");

    sandbox.trust();
    sandbox.write("marker", "");
    let answer = plan(&sandbox, &["check", "--json"]);
    assert_eq!(answer.code, Some(1), "{}", printed(&answer));
    let results: Vec<Value> = serde_json::from_slice(&answer.stdout).unwrap();
    let words: Vec<&str> = results.iter().map(|result| result["result"].as_str().unwrap()).collect();
    assert_eq!(words, ["passed", "read", "passed", "refused", "failed", "failed"], "{results:?}");
    assert!(sandbox.path("ran.txt").exists());
    assert!(
        !printed(&answer).contains("ghp_0123456789abcdef\"")
            && !results[4]["message"].to_string().contains("uvwxyz0"),
        "{results:?}"
    );
    let noted = sandbox.session().events_of("PLAN_CHECKED");
    assert_eq!(noted.len(), 1, "{noted:?}");
    let data = &noted[0]["data"];
    assert_eq!((&data["nodes"], &data["holds"]), (&json!(["api"]), &json!(false)));
    assert_eq!((&data["validations"], &data["failing"]), (&json!(6), &json!(3)));
    let failed: Vec<&str> =
        data["failed"].as_array().unwrap().iter().map(|it| it["result"].as_str().unwrap()).collect();
    assert_eq!(failed, ["refused", "failed", "failed"]);
    assert!(!data.to_string().contains("uvwxyz0"), "{data}");
    sandbox.check_everything();
    let answer = plan(&sandbox, &["check", "ui"]);
    assert_eq!(answer.code, Some(0), "{}", printed(&answer));
    assert!(printed(&answer).contains("`ui` has no validations"), "{}", printed(&answer));
    assert_eq!(plan(&sandbox, &["check", "nothing"]).code, Some(1));
}

#[test]
fn an_agent_uses_the_commands_about_the_plan_and_cannot_decide_for_the_user() {
    let sandbox = planned(&json!([{"id": "api", "description": "the API", "scope": "src/api/**"}]));
    sandbox.config(&json!({"planGraph-exec": {"plan": "plan.json", "strict": true}}));
    for (command, decision) in [
        ("steersman plan show", "allow"),
        ("steersman plan check api && steersman plan mark api complete", "allow"),
        ("steersman plan check api --yes", "deny"),
        ("steersman plan show > README.md", "deny"),
    ] {
        let call = json!({"tool_name": "Bash", "tool_input": {"command": command}});
        let answer = sandbox.raw("PreToolUse", &call);
        assert_eq!(answer["decision"], decision, "{command}: {answer}");
    }
}
