//! Workflows that run, with real programs.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::project::{sandbox, stderr, stdout};
use crate::stage::{call, journal, program, report, run, stage, way};

const TO_B: &str = "transitions: {onSuccess: b}";
const DONE: &str = "transitions: {onSuccess: complete}";

#[test]
fn the_example_project_runs_as_its_page_says() {
    let sandbox = sandbox();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/agents");
    for file in [
        ".rawko/config.yaml",
        ".rawko/agents/planner.yaml",
        ".rawko/agents/developer.md",
        ".rawko/agents/reviewer.yaml",
    ] {
        sandbox.write(file, fs::read(example.join(file)).unwrap());
    }
    let script = fs::read_to_string(example.join("agent.sh")).unwrap();
    program(&sandbox.path("agent.sh"), script.strip_prefix("#!/bin/sh\n").unwrap());
    let valid = sandbox.call().args(["agent", "validate"]).run();
    assert_eq!(valid.code, Some(0), "{}{}", stdout(&valid), stderr(&valid));
    assert!(stderr(&valid).contains("3 files checked: 0 errors"), "{}", stderr(&valid));
    sandbox.trust();
    let answer = run(&sandbox, &["Write a greeting", "--json"]);
    assert_eq!(answer.code, Some(0), "{}", stderr(&answer));
    let report = report(&answer);
    assert_eq!(report["result"], "complete");
    assert_eq!(way(&report), ["planner", "developer", "reviewer", "developer", "reviewer"]);
    assert_eq!(report["steps"][3]["because"], "output contains 'needs work'");
    assert_eq!(fs::read_to_string(sandbox.path("greeting.txt")).unwrap(), "hello, world\n");
}

#[test]
fn output_is_passed_to_the_next_agent_and_every_step_is_recorded() {
    let sandbox = stage(
        &[("a", TO_B), ("b", DONE)],
        "cat > \"prompt-of-$STEERSMAN_AGENT\"; echo \"said by $STEERSMAN_AGENT\"; echo noise >&2",
    );
    let answer = run(&sandbox, &["Do the thing", "--from", "a"]);
    assert_eq!(answer.code, Some(0), "{}", stderr(&answer));
    assert_eq!(stdout(&answer), "said by a\nsaid by b\n", "output is streamed");
    let told = stderr(&answer);
    assert!(told.contains("step 1 of at most 50: a") && told.contains("complete: 2 steps"), "{told}");
    let first = fs::read_to_string(sandbox.path("prompt-of-a")).unwrap();
    assert!(first.starts_with("You are a.\n\n## Task\n\nDo the thing\n"), "{first}");
    assert!(!first.contains("said by"), "{first}");
    let second = fs::read_to_string(sandbox.path("prompt-of-b")).unwrap();
    assert!(second.contains("### a (iteration 1, succeeded)\n\n> said by a\n"), "{second}");
    let lines = journal(&sandbox);
    let kinds: Vec<&str> = lines.iter().map(|it| it["type"].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        ["RUN_STARTED", "STEP_STARTED", "STEP_ENDED", "STEP_STARTED", "STEP_ENDED", "RUN_ENDED"]
    );
    assert_eq!(lines[0]["chosenBy"], "--from");
    assert_eq!(lines[2]["next"], json!({"do": "run", "agent": "b", "because": "onSuccess"}));
    assert_eq!(lines[5]["result"], "complete");
}

#[test]
fn secrets_reach_neither_a_prompt_nor_the_journal() {
    let secret = concat!("ghp_", "abcdefghijklmnopqrstuvwxyz0123456789");
    let sandbox = stage(&[("a", TO_B), ("b", DONE)], &format!("cat >> prompts; echo 'token {secret}'"));
    let answer = run(&sandbox, &[&format!("Use {secret}"), "--from", "a", "--json"]);
    assert_eq!(answer.code, Some(0), "{}", stderr(&answer));
    let prompts = fs::read_to_string(sandbox.path("prompts")).unwrap();
    for text in [prompts, format!("{:?}", journal(&sandbox)), stdout(&answer)] {
        assert!(!text.contains(secret) && text.contains("[REDACTED]"), "{text}");
    }
}

#[test]
fn circles_end_by_the_limits() {
    for (rest, args, reason) in [
        (
            "transitions: {onSuccess: a}",
            &["--max-iterations", "3"][..],
            "3 iterations (constraints.maxIterations)",
        ),
        (
            "transitions: {onSuccess: a}\nlimits: {maxIterations: 2}",
            &[],
            "2 iterations (limits.maxIterations)",
        ),
        (
            "transitions: {onSuccess: a, onMaxIterations: a}\nlimits: {maxIterations: 1}",
            &[],
            "1 iterations (limits.maxIterations)",
        ),
    ] {
        let sandbox = stage(&[("a", rest)], "echo x");
        let answer = run(&sandbox, &[&["x", "--json"], args].concat());
        assert_eq!(answer.code, Some(1), "{}", stderr(&answer));
        let report = report(&answer);
        assert!(report["reason"].as_str().unwrap().contains(reason), "{report}");
    }
}

#[test]
fn the_first_agent_is_named_else_configured_else_chosen_by_a_model() {
    let script = "cat > \"asked-$STEERSMAN_AGENT\"; if [ -z \"$STEERSMAN_AGENT\" ]; then echo 'The **b** one.'; else echo ok; fi";
    let sandbox = stage(&[("a", DONE), ("b", DONE)], script);
    let begins = |args: &[&str]| {
        let answer = run(&sandbox, &[&["Review it", "--json"], args].concat());
        assert_eq!(answer.code, Some(0), "{}", stderr(&answer));
        report(&answer)["steps"][0]["agent"].as_str().unwrap().to_owned()
    };
    assert_eq!(begins(&["--from", "a"]), "a");
    assert_eq!(begins(&[]), "b");
    let asked = fs::read_to_string(sandbox.path("asked-")).unwrap();
    assert!(asked.contains("Review it") && asked.contains("- a: For a.\n- b: For b.\n"), "{asked}");
    let config = fs::read_to_string(sandbox.path(".rawko/config.yaml")).unwrap();
    sandbox.write(".rawko/config.yaml", format!("{config}agents: {{default: a}}\n"));
    assert_eq!(begins(&[]), "a");
    let wrong = run(&sandbox, &["x", "--from", "nobody"]);
    assert_eq!(wrong.code, Some(1));
    assert!(stderr(&wrong).contains("cannot find the agent `nobody`"), "{}", stderr(&wrong));
}

#[test]
fn an_arbiter_that_cannot_decide_is_an_error_with_a_way_out() {
    let sandbox = stage(&[("a", DONE), ("b", DONE)], "echo 'a or b, who knows'");
    let answer = run(&sandbox, &["x"]);
    assert_eq!(answer.code, Some(1));
    assert!(
        stderr(&answer).contains("a or b, who knows") && stderr(&answer).contains("--from"),
        "{}",
        stderr(&answer)
    );
    assert!(!sandbox.path(".ai/tmp/agent-runs").exists(), "nothing has begun");
}

#[test]
fn a_dry_run_shows_the_first_question_and_does_nothing() {
    let sandbox = stage(&[("a", TO_B), ("b", DONE)], "touch started");
    let before = sandbox.tree();
    let answer = run(&sandbox, &["Do it", "--from", "a", "--dry-run"]);
    assert_eq!(answer.code, Some(0), "{}", stderr(&answer));
    let shown = stdout(&answer);
    assert!(shown.contains("begins    a (--from)") && shown.contains("onSuccess → b"), "{shown}");
    assert!(shown.contains("You are a.") && shown.contains("Do it"), "{shown}");
    assert_eq!(before.changes(&sandbox.tree()), Vec::<std::path::PathBuf>::new());
}

#[test]
fn every_provider_gets_its_own_flags_and_reports_its_tokens() {
    let stream = r#"printf '%s\n' "$@" > flags; cat > prompt; echo '{"type":"result","is_error":false,"result":"planned","usage":{"input_tokens":10,"output_tokens":5}}'"#;
    let sandbox = stage(
        &[(
            "a",
            "provider: {name: claude, model: opus}\ntools: {blocked: [Bash]}\ntransitions: {onSuccess: complete}\nlimits: {maxTokens: 99}",
        )],
        "exit 1",
    );
    let bin = sandbox.elsewhere().join("bin");
    program(&bin.join("claude"), &format!("{stream}; echo \"$CLAUDE_CODE_MAX_OUTPUT_TOKENS\" > limit"));
    let path = format!("{}:/usr/bin:/bin", bin.display());
    let answer = call(&sandbox, &["x", "--json"]).env("PATH", path).run();
    assert_eq!(answer.code, Some(0), "{}", stderr(&answer));
    let report = report(&answer);
    assert_eq!(report["steps"][0]["text"], "planned");
    assert_eq!(report["tokens"], json!({"input": 10, "output": 5}));
    let flags = fs::read_to_string(sandbox.path("flags")).unwrap();
    for flag in
        ["--append-system-prompt\nYou are a.", "--model\nopus", "--disallowedTools\nBash", "--allowedTools\n"]
    {
        assert!(flags.contains(flag), "{flags}");
    }
    assert_eq!(fs::read_to_string(sandbox.path("limit")).unwrap(), "99\n");
    assert!(fs::read_to_string(sandbox.path("prompt")).unwrap().starts_with("## Task"));
}

#[test]
fn hooks_of_a_running_agent_are_checked_against_its_definition() {
    let payload = r#"{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Write","tool_use_id":"'$STEERSMAN_AGENT'","tool_input":{"file_path":"x","content":"y"}}"#;
    let script = format!(
        "printf '%s' '{payload}' | {} dispatch PreToolUse --host raw",
        env!("CARGO_BIN_EXE_steersman")
    );
    let sandbox =
        stage(&[("a", "tools: {allowed: [Read]}\ntransitions: {onSuccess: b}"), ("b", DONE)], &script);
    let answer = run(&sandbox, &["x", "--from", "a", "--json"]);
    assert_eq!(answer.code, Some(0), "{}", stderr(&answer));
    let report = report(&answer);
    let text = |index: usize| report["steps"][index]["text"].as_str().unwrap().to_owned();
    assert!(text(0).contains("may not use the tool `Write`"), "{report}");
    assert!(!text(1).contains("may not use"), "{report}");
}

#[test]
fn output_is_printed_while_the_agent_still_runs() {
    let sandbox = stage(&[("a", DONE)], "echo early; until [ -e go ]; do sleep 0.05; done; echo late");
    let mut child = Command::new(env!("CARGO_BIN_EXE_steersman"))
        .args(["agent", "run", "x", "--from", "a"])
        .current_dir(sandbox.root())
        .env("STEERSMAN_STATE_DIR", sandbox.user_state())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "early");
    sandbox.write("go", "");
    assert_eq!(lines.next().unwrap().unwrap(), "late");
    assert!(child.wait().unwrap().success());
}
