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
    // Nothing here is about time, and the machine may have other things to do.
    sandbox.manifest(&json!({"budgets": {"PreToolUse": 20_000, "PostToolUse": 20_000}}));
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

#[test]
fn a_line_that_was_repeated_or_changed_in_any_field_is_forged() {
    let sandbox = traced();
    let text = fs::read_to_string(sandbox.path(TRACE)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let changed = |from: &str, to: &str| {
        assert!(lines[0].contains(from), "{}", lines[0]);
        lines[0].replacen(from, to, 1)
    };
    for (first, more) in [
        (lines[0].to_owned(), lines[0]),
        (changed("\"tool_name\":\"Write\"", "\"tool_name\":\"Edit\""), ""),
        (changed("\"CREATE\"", "\"MODIFY\""), ""),
        (changed("\"end\":1", "\"end\":2"), ""),
        (changed("\"timestamp\":\"20", "\"timestamp\":\"19"), ""),
    ] {
        fs::write(sandbox.path(TRACE), format!("{first}\n{}\n{more}\n", lines[1])).unwrap();
        let (code, report) = verify(&sandbox);
        let place = if more.is_empty() { 1 } else { 3 };
        assert_eq!((code, kinds(&report)), (1, vec![format!("forged {TRACE}:{place}")]), "{first}");
    }
}

/// Signs the trace with a new key, and returns the key.
fn anchor(sandbox: &Sandbox) -> String {
    let key = sandbox.elsewhere().join("key");
    fs::create_dir_all(sandbox.elsewhere()).unwrap();
    let made = Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(&key).status();
    assert!(made.unwrap().success());
    let key = key.to_str().unwrap().to_owned();
    assert_eq!(steersman(sandbox, &["trace", "anchor", "--key", &key]).0, 0);
    key
}

#[test]
fn an_anchor_whose_note_was_removed_still_proves_what_it_proved() {
    let sandbox = traced();
    anchor(&sandbox);
    git(&sandbox, &["notes", "--ref=steersman", "remove", "HEAD"]);
    let (code, report) = verify(&sandbox);
    assert_eq!(code, 0, "{report}");
    assert!(report["anchor"]["time"].is_string(), "{report}");
    fs::write(sandbox.path(TRACE), "").unwrap();
    let (code, report) = verify(&sandbox);
    assert_eq!((code, report["anchor"]["problems"].as_array().unwrap().len()), (1, 1), "{report}");
}

#[test]
fn gc_keeps_what_the_trace_or_the_newest_anchor_needs_and_doctor_says_so() {
    let sandbox = traced();
    sandbox.config(&json!({"gc": {"maxAgeDays": 0, "maxSessions": 0}}));
    // The session is two hours old.
    let journal = sandbox.session().root.join("events.jsonl");
    let age = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line["ts"] = (line["ts"].as_u64().unwrap() - 2 * 60 * 60 * 1000).into();
        format!("{line}\n")
    };
    let aged: String = fs::read_to_string(&journal).unwrap().lines().map(age).collect();
    fs::write(&journal, aged).unwrap();
    fs::remove_file(sandbox.session().root.join("state.json")).unwrap();
    let gc = |args: &[&str]| steersman(&sandbox, &[&["session", "gc"], args].concat()).1;
    let kept = "1 session is kept: the trace or an anchor needs its journal";
    assert!(gc(&[]).contains(kept), "{}", gc(&[]));
    let doctor = steersman(&sandbox, &["doctor"]).1;
    assert!(
        doctor.contains("`session gc` keeps 1 old session: the trace or an anchor needs the journal"),
        "{doctor}"
    );
    // Anchored and committed, the anchor needs it; the next anchor lets it go.
    let key = anchor(&sandbox);
    git(&sandbox, &["add", "-f", TRACE]);
    git(&sandbox, &["commit", "-q", "-m", "trace"]);
    assert!(gc(&[]).contains(kept), "{}", gc(&[]));
    assert_eq!(steersman(&sandbox, &["trace", "anchor", "--key", &key]).0, 0);
    assert!(gc(&["--dry-run"]).contains("1 session would be removed"), "{}", gc(&["--dry-run"]));
    gc(&[]);
    assert_eq!(sandbox.sessions().len(), 0);
    let (code, report) = verify(&sandbox);
    assert_eq!((code, &report["anchor"]["absentJournals"]), (0, &json!(0)), "{report}");
}

#[test]
fn an_anchored_journal_of_another_machine_is_counted() {
    let sandbox = traced();
    anchor(&sandbox);
    fs::remove_dir_all(&sandbox.session().root).unwrap();
    let (code, report) = verify(&sandbox);
    assert_eq!((code, &report["anchor"]["absentJournals"]), (0, &json!(1)), "{report}");
}

/// Runs a command that moves files, with the events around it.
fn command(sandbox: &Sandbox, id: &str, command: &str) {
    let payload = |event: &str| {
        json!({
            "session_id": "s", "cwd": sandbox.root(), "hook_event_name": event, "tool_use_id": id,
            "tool_name": "Bash", "tool_input": {"command": command}, "tool_response": {},
        })
    };
    sandbox.ask("claude-code", "PreToolUse", &payload("PreToolUse"));
    std::thread::sleep(std::time::Duration::from_millis(20));
    let done = Command::new("sh").args(["-c", command]).current_dir(sandbox.root()).status().unwrap();
    assert!(done.success());
    sandbox.ask("claude-code", "PostToolUse", &payload("PostToolUse"));
}

/// Returns the author of each line: the tool of the write, or `person`.
fn authors(sandbox: &Sandbox, file: &str) -> String {
    let (code, said) = steersman(sandbox, &["trace", "blame", file, "--json"]);
    assert_eq!(code, 0, "{said}");
    let report: Value = serde_json::from_str(&said).unwrap();
    let author = |line: &Value| line["tool"].as_str().unwrap_or("person").to_owned();
    report["lines"].as_array().unwrap().iter().map(author).collect::<Vec<_>>().join(" ")
}

#[test]
fn after_an_agents_move_every_line_keeps_its_author() {
    let mine = "mine\nmy own\n";
    for (move_it, file, expected) in [
        ("mv src/a.js src/c.js", "src/c.js", "Write"),
        ("mv src/mine.js src/c.js", "src/c.js", "person person"),
        ("git mv src/mine.js src/c.js", "src/c.js", "person person"),
        // Over another file, and two files that change places.
        ("mv src/a.js src/mine.js", "src/mine.js", "Write"),
        ("mv src/mine.js src/a.js", "src/a.js", "person person"),
        ("mv src/a.js src/t && mv src/mine.js src/a.js && mv src/t src/mine.js", "src/mine.js", "Write"),
        ("mv src/a.js src/t && mv src/mine.js src/a.js && mv src/t src/mine.js", "src/a.js", "person person"),
        ("mkdir src/d && mv src/mine.js src/d/x.js && mv src/d src/e", "src/e/x.js", "person person"),
        // Its writes are not known before it runs.
        ("make -s -f src/mk", "src/c.js", "person person"),
    ] {
        let sandbox = traced();
        sandbox.write("src/mine.js", mine);
        git(&sandbox, &["add", "src/mine.js"]);
        git(&sandbox, &["commit", "-q", "-m", "mine"]);
        write(&sandbox, "3", "src/mk", "all:\n\tmv src/mine.js src/c.js\n");
        command(&sandbox, "4", move_it);
        assert_eq!(authors(&sandbox, file), expected, "{move_it}");
    }
}

#[test]
fn an_agents_lines_stay_its_own_after_a_person_renames_the_file_and_it_is_edited() {
    let sandbox = traced();
    write(&sandbox, "3", "src/a.js", "one\ntwo\nthree\n");
    fs::rename(sandbox.path("src/a.js"), sandbox.path("src/c.js")).unwrap();
    write(&sandbox, "4", "src/c.js", "one\nTWO\nthree\n");
    assert_eq!(authors(&sandbox, "src/c.js"), "Write Write Write");
}
