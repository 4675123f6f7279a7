//! Plans that are invalid, hostile or in the wrong place.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::sandbox;

const PLAN: &str = "plan.json";

fn sandbox_named() -> Sandbox {
    let sandbox = sandbox();
    sandbox.config(&json!({"planGraph-exec": {"plan": PLAN}}));
    sandbox
}

fn write(path: &str) -> Value {
    json!({"tool_name": "Write", "tool_input": {"file_path": path, "content": "x"}})
}

/// Returns the one warning about an invalid plan.
fn warning(sandbox: &Sandbox) -> String {
    let answer = sandbox.raw("PreToolUse", &write("src/a.ts"));
    assert_eq!(answer["decision"], "allow", "{answer}");
    let warnings = answer["warnings"].as_array().cloned().unwrap_or_default();
    assert_eq!(warnings.len(), 1, "{answer}");
    warnings[0].as_str().unwrap().to_owned()
}

#[test]
fn a_plan_of_any_file_type_delays_no_call() {
    let sandbox = sandbox_named();
    let path = sandbox.path(PLAN);
    assert!(warning(&sandbox).contains("plan.json"), "a configured plan must exist");

    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    assert!(warning(&sandbox).contains("it is a pipe, a socket or a device"));
    let shown = sandbox.call().args(["plan", "show"]).run();
    assert_eq!(shown.code, Some(1), "{shown:?}");

    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(warning(&sandbox).contains("is a folder"));

    fs::remove_dir(&path).unwrap();
    let outside = sandbox.elsewhere().join("outside.json");
    fs::write(
        &outside,
        r#"{"nodes": [{"id": "a", "description": "x", "scope": "src/**", "status": "forbidden"}]}"#,
    )
    .unwrap();
    std::os::unix::fs::symlink(&outside, &path).unwrap();
    assert!(warning(&sandbox).contains("out of the workspace"));

    fs::remove_file(&path).unwrap();
    fs::write(&path, vec![b' '; 5 * 1024 * 1024]).unwrap();
    assert!(warning(&sandbox).contains("larger than 4 MB"));
    fs::write(&path, [0xFF, 0xFE, b'{']).unwrap();
    assert!(warning(&sandbox).contains("line 1, column"));
    fs::write(&path, r#"{"version": 2, "nodes": []}"#).unwrap();
    assert!(warning(&sandbox).contains("plan.json"));
    fs::write(&path, "[".repeat(200_000)).unwrap();
    assert!(warning(&sandbox).contains("line 1, column"));

    sandbox.config(&json!({"planGraph-exec": {"plan": "../plan.json"}}));
    assert!(warning(&sandbox).contains("must be inside the workspace"));
    sandbox.check_everything();
}

#[test]
fn globs_that_would_keep_the_matcher_busy_are_refused() {
    let sandbox = sandbox_named();
    let many = "{a,b}".repeat(40);
    let stars = "**/".repeat(60) + "*";
    for glob in [many.as_str(), &stars, &"x".repeat(10_000), "src/{a", "[", "../../etc/**", "/etc/**"] {
        let plan = json!({"nodes": [{"id": "a", "description": "x", "scope": glob, "status": "forbidden"}]});
        sandbox.write(PLAN, plan.to_string());
        assert!(warning(&sandbox).contains("scope `"), "{glob}");
    }
    // The longest permitted globs still match quickly: a late answer has no warnings.
    let hard = "**/*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b{a,b}{a,b}{a,b}{a,b}";
    sandbox.write(PLAN, json!({"nodes": [{"id": "a", "description": "x", "scope": hard}]}).to_string());
    let answer = sandbox.raw("PreToolUse", &write(&format!("src/{}", "a".repeat(200))));
    assert!(answer["warnings"].to_string().contains("belongs to no node"), "{answer}");
    sandbox.check_everything();
}

/// Returns a plan with a chain of this many nodes, each depending on the one before it.
fn chain(n_nodes: usize, first_waits_for: Option<usize>) -> String {
    let mut text = String::from("{\"version\": 1, \"nodes\": [");
    for index in 0..n_nodes {
        let comma = if index == 0 { "" } else { "," };
        let waits = if index == 0 { first_waits_for } else { Some(index - 1) };
        let waits = waits.map(|other| format!("\"n{other}\"")).unwrap_or_default();
        let _ = write!(
            text,
            "{comma}\n{{\"id\":\"n{index}\",\"description\":\"node {index}\",\"scope\":\"src/{index}/**\",\"dependencies\":[{waits}]}}"
        );
    }
    text + "]}"
}

#[test]
fn ten_thousand_nodes_are_enforced_shown_and_marked() {
    let sandbox = sandbox_named();
    sandbox.write(PLAN, chain(10_000, None));
    let answer = sandbox.raw("PreToolUse", &write("src/9999/a.ts"));
    assert_eq!(answer["decision"], "deny", "{answer}");
    assert!(answer["denyReason"].as_str().unwrap().contains("waits for `n9998`"), "{answer}");
    assert_eq!(sandbox.raw("PreToolUse", &write("src/0/a.ts"))["decision"], "allow");
    let shown = sandbox.call().args(["plan", "show"]).run();
    assert_eq!(shown.code, Some(0));
    let text = String::from_utf8(shown.stdout).unwrap();
    assert!(text.contains("▶ n0") && text.contains("… n9999"), "{}", &text[..400]);
    let marked = sandbox.call().args(["plan", "mark", "n0", "complete"]).run();
    assert_eq!(marked.code, Some(0), "{}", String::from_utf8_lossy(&marked.stderr));
    assert_eq!(sandbox.raw("PreToolUse", &write("src/1/a.ts"))["decision"], "allow");
    sandbox.check_everything();
}

#[test]
fn a_circle_through_ten_thousand_nodes_is_reported_briefly() {
    let sandbox = sandbox_named();
    sandbox.write(PLAN, chain(10_000, Some(9_999)));
    let said = warning(&sandbox);
    assert!(said.contains("dependency cycle: `n0`") && said.contains("more"), "{said}");
    assert!(said.len() < 1_000, "{} bytes", said.len());
    assert!(said.contains("line "), "{said}");
}

#[test]
fn ids_of_every_language_are_marked_and_those_that_hide_something_are_refused() {
    let sandbox = sandbox_named();
    let plan = json!({"nodes": [
        {"id": "größe", "description": "x", "scope": "src/größe/**"},
        {"id": "検索", "description": "y", "scope": "src/検索/**", "dependencies": ["größe"]},
    ]});
    sandbox.write(PLAN, plan.to_string());
    assert_eq!(sandbox.raw("PreToolUse", &write("src/検索/a.ts"))["decision"], "deny");
    assert_eq!(sandbox.raw("PreToolUse", &write("src/größe/a.ts"))["decision"], "allow");
    assert_eq!(sandbox.call().args(["plan", "mark", "größe", "complete"]).run().code, Some(0));
    assert_eq!(sandbox.raw("PreToolUse", &write("src/検索/a.ts"))["decision"], "allow");
    for id in ["a\u{202e}b", "--session", "a b", "$(touch x)", "", "a\u{0}"] {
        sandbox.write(PLAN, json!({"nodes": [{"id": id, "description": "x"}]}).to_string());
        assert!(warning(&sandbox).contains("id"), "{id:?}");
    }
    sandbox.check_everything();
}

#[test]
fn two_sessions_keep_two_plans_apart() {
    let sandbox = sandbox();
    let call = |session: &str, path: &str| {
        let mut payload = write(path);
        payload["session_id"] = json!(session);
        sandbox.raw("PreToolUse", &payload)
    };
    call("one", "README.md");
    let first = sandbox.session().id.clone();
    call("two", "README.md");
    let second = sandbox.sessions().into_iter().map(|session| session.id).find(|id| *id != first).unwrap();
    for (id, folder) in [(&first, "a"), (&second, "b")] {
        let plan = json!({"nodes": [
            {"id": "begin", "description": "x", "scope": format!("{folder}/**")},
            {"id": "end", "description": "y", "scope": "src/**", "dependencies": ["begin"]},
        ]});
        sandbox.write(format!(".ai/tmp/{id}/planGraph-exec/output/planGraph.json"), plan.to_string());
    }
    assert_eq!(call("one", "src/x")["decision"], "deny");
    assert_eq!(call("two", "src/x")["decision"], "deny");
    let marked =
        sandbox.call().args(["plan", "mark", "begin", "complete", "--session", first.as_str()]).run();
    assert_eq!(marked.code, Some(0), "{}", String::from_utf8_lossy(&marked.stderr));
    assert_eq!(call("one", "src/x")["decision"], "allow");
    assert_eq!(call("two", "src/x")["decision"], "deny", "the other session's node is not done");
    let shown = sandbox.call().args(["plan", "show", "--json", "--session", second.as_str()]).run();
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!(shown["nodes"][0]["scope"], json!(["b/**"]));
    assert_eq!(shown["nodes"][1]["waitsFor"], json!(["begin"]));
    sandbox.check_everything();
}

#[test]
fn no_call_changes_the_plan_it_is_checked_against() {
    let sandbox = sandbox_named();
    sandbox.write(PLAN, json!({"nodes": [{"id": "a", "description": "x", "scope": "**"}]}).to_string());
    for call in [
        write(PLAN),
        write("./src/../plan.json"),
        json!({"tool_name": "Bash", "tool_input": {"command": "echo '{}' > plan.json"}}),
        json!({"tool_name": "Bash", "tool_input": {"command": "cd src; rm ../plan.json"}}),
    ] {
        let answer = sandbox.raw("PreToolUse", &call);
        assert_eq!(answer["decision"], "deny", "{call}: {answer}");
        assert!(
            answer["denyReason"].as_str().unwrap().contains("changes the plan that is in force"),
            "{answer}"
        );
    }
    let read = json!({"tool_name": "Read", "tool_input": {"file_path": PLAN}});
    assert_eq!(sandbox.raw("PreToolUse", &read)["decision"], "allow");
}
