//! The records of runs: the configured log, and journals until they expire.

use std::fs;

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::project::stderr;
use crate::stage::{run, stage};

const TO_B: &str = "transitions: {onSuccess: b}";
const RETRIED: &str = "transitions: {onSuccess: complete, onFailure: b}";

/// Two agents: one prints a secret, the other fails once.
fn project(logging: &str) -> Sandbox {
    let script = "case $STEERSMAN_AGENT in a) echo token ghp_0123456789abcdefghijABCDEFGHIJ456789;; \
                  *) [ -e failed ] || { touch failed; echo broken >&2; exit 3; }; echo done;; esac";
    let sandbox = stage(&[("a", TO_B), ("b", RETRIED)], script);
    let provider = "provider: {default: command, command: {argv: [./agent.sh]}}\n";
    sandbox.write(".rawko/config.yaml", format!("{provider}logging: {logging}\n"));
    sandbox
}

fn log(sandbox: &Sandbox, file: &str) -> String {
    fs::read_to_string(sandbox.path(file)).unwrap_or_default()
}

#[test]
fn a_log_is_written_at_its_level_and_in_its_format_and_without_secrets() {
    let sandbox = project("{level: debug, format: text, file: logs/agents.log}");
    let answer = run(&sandbox, &["Do it", "--from", "a"]);
    assert_eq!(answer.code, Some(0), "{}", stderr(&answer));
    let text = log(&sandbox, "logs/agents.log");
    for part in [
        "INFO  ",
        "run started with a (--from): Do it",
        "WARN  ",
        "step 2 failed: b",
        "exit code 3",
        "DEBUG",
        "run complete",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!text.contains("ghp_0123"), "{text}");
}

#[test]
fn a_log_without_a_file_is_kept_with_our_own_and_tells_only_what_its_level_says() {
    let sandbox = project("{level: warn, format: json}");
    assert_eq!(run(&sandbox, &["Do it", "--from", "a"]).code, Some(0));
    let text = log(&sandbox, ".ai/tmp/agents.log");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 1, "{text}");
    assert_eq!(
        (&lines[0]["level"], &lines[0]["step"], &lines[0]["agent"]),
        (&json!("warn"), &json!(2), &json!("b"))
    );
}

#[test]
fn a_log_that_cannot_be_written_stops_no_run_and_one_elsewhere_is_refused() {
    let sandbox = project("{file: logs}");
    fs::create_dir(sandbox.path("logs")).unwrap();
    let answer = run(&sandbox, &["Do it", "--from", "a"]);
    assert_eq!(answer.code, Some(0), "{}", stderr(&answer));
    assert!(stderr(&answer).contains("warning: cannot write the log"), "{}", stderr(&answer));
    for file in ["../out.log", "/tmp/out.log", ".git/hooks/post-commit"] {
        let sandbox = project(&format!("{{file: {file}}}"));
        let answer = run(&sandbox, &["Do it", "--from", "a"]);
        assert_eq!(answer.code, Some(1), "{file}");
        assert!(
            stderr(&answer).contains("`logging.file` must be a file within the workspace"),
            "{}",
            stderr(&answer)
        );
    }
}

#[test]
fn journals_of_old_runs_go_with_old_sessions() {
    let sandbox = project("{}");
    assert_eq!(run(&sandbox, &["Do it", "--from", "a"]).code, Some(0));
    let folder = sandbox.path(".ai/tmp/agent-runs");
    let young = fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&young).unwrap();
    let old = "20200101-000000-0000";
    let aged = text.lines().map(|line| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line["ts"] = json!(1_577_836_800_000_u64);
        format!("{line}\n")
    });
    fs::write(folder.join(format!("{old}.jsonl")), aged.collect::<String>()).unwrap();
    let gc = |args: &[&str]| {
        let answer = sandbox.call().args(["session", "gc", "--json"]).args(args).run();
        assert_eq!(answer.code, Some(0), "{}", stderr(&answer));
        serde_json::from_slice::<Value>(&answer.stdout).unwrap()["agentRuns"].clone()
    };
    assert_eq!(gc(&[]), json!([]), "few runs are kept, however old");
    sandbox.config(&json!({"gc": {"maxSessions": 1}}));
    assert_eq!(gc(&["--dry-run"])[0]["run"], old);
    assert_eq!(gc(&[])[0]["run"], old);
    assert_eq!(gc(&[]), json!([]));
    let left: Vec<_> = fs::read_dir(&folder).unwrap().flatten().map(|it| it.path()).collect();
    assert_eq!(left, [young]);
}
