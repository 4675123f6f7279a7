//! `trace verify` and `trace anchor`: removed and forged lines are proven.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};
use testkit::Sandbox;

const INTENTS: &str = "\
intents:
  - id: INT-001
    name: Cart
    status: IN_PROGRESS
    owned_scope: [\"src/**\"]
";

const TRACE: &str = ".orchestration/agent_trace.jsonl";

/// A repository in which an agent wrote two files.
fn traced() -> Sandbox {
    let sandbox = Sandbox::new(env!("CARGO_BIN_EXE_steersman"));
    sandbox.write(".orchestration/active_intents.yaml", INTENTS);
    sandbox.write(".gitignore", ".orchestration/\n");
    git(&sandbox, &["init", "-q"]);
    git(&sandbox, &["add", ".gitignore"]);
    git(&sandbox, &["commit", "-q", "-m", "a"]);
    assert_eq!(steersman(&sandbox, &["intent", "select", "INT-001"]).0, 0);
    write(&sandbox, "1", "src/a.js", "one\n");
    write(&sandbox, "2", "src/b.js", "two\n");
    sandbox
}

fn git(sandbox: &Sandbox, args: &[&str]) {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    let output = Command::new("git").args(identity).args(args).current_dir(sandbox.root()).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn write(sandbox: &Sandbox, id: &str, path: &str, content: &str) {
    let input = json!({"file_path": sandbox.path(path), "content": content});
    let payload = |event: &str| {
        json!({
            "session_id": "s", "cwd": sandbox.root(), "hook_event_name": event, "tool_use_id": id,
            "tool_name": "Write", "tool_input": input, "tool_response": {},
        })
    };
    sandbox.ask("claude-code", "PreToolUse", &payload("PreToolUse"));
    sandbox.write(path, content);
    sandbox.ask("claude-code", "PostToolUse", &payload("PostToolUse"));
}

fn steersman(sandbox: &Sandbox, args: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_steersman"))
        .args(args)
        .env("STEERSMAN_STATE_DIR", sandbox.user_state())
        .env("GIT_AUTHOR_NAME", "t")
        .env("GIT_AUTHOR_EMAIL", "t@example.com")
        .env("GIT_COMMITTER_NAME", "t")
        .env("GIT_COMMITTER_EMAIL", "t@example.com")
        .current_dir(sandbox.root())
        .output()
        .unwrap();
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code().unwrap(), said)
}

fn verify(sandbox: &Sandbox) -> (i32, Value) {
    let (code, said) = steersman(sandbox, &["trace", "verify", "--json"]);
    (code, serde_json::from_str(&said).unwrap_or_else(|_| panic!("{said}")))
}

fn kinds(report: &Value) -> Vec<String> {
    let kind = |it: &Value| format!("{} {}", it["kind"].as_str().unwrap(), it["place"].as_str().unwrap());
    report["problems"].as_array().unwrap().iter().map(kind).collect()
}

#[test]
fn a_genuine_trace_has_no_problem() {
    let (code, report) = verify(&traced());
    assert_eq!((code, kinds(&report)), (0, vec![]), "{report}");
}

#[test]
fn a_removed_a_forged_and_a_stray_line_are_reported_with_their_place() {
    let sandbox = traced();
    let text = fs::read_to_string(sandbox.path(TRACE)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let forged = lines[0].replace("src/a.js", "src/forged.js");
    let stray = lines[0].replace("src/a.js", "lib/x.js");
    let unknown = lines[0].replace("INT-001", "INT-009");
    let old = lines[0].replace("src/a.js", "src/old.js").replace("\"timestamp\":\"20", "\"timestamp\":\"19");
    fs::write(sandbox.path(TRACE), [lines[0], &forged, &stray, &unknown, &old].join("\n") + "\n").unwrap();
    let (code, report) = verify(&sandbox);
    let found = kinds(&report);
    assert_eq!(code, 1);
    for expected in [
        format!("forged {TRACE}:2"),
        format!("forged {TRACE}:3"),
        format!("out-of-scope {TRACE}:3"),
        format!("unknown-intent {TRACE}:4"),
    ] {
        assert!(found.contains(&expected), "{expected}: {found:?}");
    }
    assert!(found.iter().any(|it| it.starts_with("removed journal of session ")), "{found:?}");
    assert_eq!(report["unverifiable"], 1, "a line from before every journal");
}

#[test]
fn an_anchor_proves_that_the_last_lines_were_removed() {
    let sandbox = traced();
    let key = sandbox.elsewhere().join("key");
    fs::create_dir_all(sandbox.elsewhere()).unwrap();
    let made = Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(&key).status();
    assert!(made.unwrap().success());
    let (code, said) = steersman(&sandbox, &["trace", "anchor", "--key", key.to_str().unwrap()]);
    assert_eq!(code, 0, "{said}");
    write(&sandbox, "3", "src/c.js", "three\n");
    let (code, report) = verify(&sandbox);
    assert_eq!((code, &report["anchor"]["problems"]), (0, &json!([])), "{report}");
    assert!(report["anchor"]["time"].is_string());
    // Both the trace and the journals lose their last lines.
    let text = fs::read_to_string(sandbox.path(TRACE)).unwrap();
    fs::write(sandbox.path(TRACE), text.lines().next().unwrap().to_owned() + "\n").unwrap();
    for session in sandbox.sessions() {
        fs::remove_dir_all(&session.root).unwrap();
    }
    let (code, report) = verify(&sandbox);
    assert_eq!(code, 1, "{report}");
    assert!(
        report["anchor"]["problems"][0].as_str().unwrap().contains("lines were removed or changed"),
        "{report}"
    );
}

#[test]
fn what_is_exported_is_valid_under_the_published_schema_of_agent_trace() {
    let sandbox = traced();
    write(&sandbox, "3", "src/b.js", "two\nthree\n");
    // Its lines are unknown, and it has none.
    let input = json!({"command": "make"});
    let payload = |event: &str| {
        json!({
            "session_id": "s", "cwd": sandbox.root(), "hook_event_name": event, "tool_use_id": "m",
            "tool_name": "Bash", "tool_input": input, "tool_response": {},
        })
    };
    sandbox.ask("claude-code", "PreToolUse", &payload("PreToolUse"));
    std::thread::sleep(std::time::Duration::from_millis(20));
    sandbox.write("src/a.js", "made\n");
    sandbox.write("src/empty \"ü\"\n.js", "");
    sandbox.ask("claude-code", "PostToolUse", &payload("PostToolUse"));
    let (code, said) = steersman(&sandbox, &["trace", "export", "--format", "agent-trace"]);
    assert_eq!(code, 0, "{said}");
    let schema: Value = serde_json::from_str(include_str!("agent_trace_schema.json")).unwrap();
    let records: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 5, "{said}");
    for record in &records {
        assert_eq!(testkit::schema::complaints_under(&schema, record), [""; 0], "{record:#}");
        assert_eq!(record["vcs"]["type"], "git", "a commit is checked out");
    }
    let ids: std::collections::BTreeSet<String> = records.iter().map(|it| it["id"].to_string()).collect();
    assert_eq!(ids.len(), 5);
    let mut wrong = records[0].clone();
    wrong["session"] = json!("x");
    assert_eq!(testkit::schema::complaints_under(&schema, &wrong).len(), 1, "the schema is closed");
}

#[test]
fn an_anchor_by_another_key_does_not_hide_what_was_removed() {
    let sandbox = traced();
    fs::create_dir_all(sandbox.elsewhere()).unwrap();
    let key = |name: &str| {
        let key = sandbox.elsewhere().join(name);
        let made =
            Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(&key).status();
        assert!(made.unwrap().success());
        key.to_str().unwrap().to_owned()
    };
    let (own, other) = (key("own"), key("other"));
    git(&sandbox, &["config", "user.signingKey", &own]);
    assert_eq!(steersman(&sandbox, &["trace", "anchor"]).0, 0);
    let text = fs::read_to_string(sandbox.path(TRACE)).unwrap();
    fs::write(sandbox.path(TRACE), text.lines().next().unwrap().to_owned() + "\n").unwrap();
    assert_eq!(steersman(&sandbox, &["trace", "anchor", "--key", &other]).0, 0);
    let (code, report) = verify(&sandbox);
    assert_eq!(code, 1, "{report}");
    assert_eq!(report["anchor"]["problems"].as_array().unwrap().len(), 1, "{report}");
}
