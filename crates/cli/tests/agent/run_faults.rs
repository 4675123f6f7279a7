//! Programs that hang, crash, flood or are missing, and runs that are interrupted.

use std::fs;

use crate::project::{sandbox, stderr, stdout};
use crate::stage::{assert_gone, call, journal, program, report, run, signal, stage, wait_for, way};

const DONE: &str = "transitions: {onSuccess: complete}";

#[test]
fn a_program_that_hangs_is_stopped_with_all_it_started() {
    let rest = "transitions: {onSuccess: complete, onFailure: complete}\nlimits: {timeout: 400}";
    let sandbox = stage(
        &[("a", rest)],
        "trap '' TERM; (trap '' TERM; echo $$ > inner; sleep 600) & echo $$ > outer; sleep 600",
    );
    let answer = run(&sandbox, &["x", "--json"]);
    let report = report(&answer);
    assert_eq!(report["steps"][0]["outcome"], "failure");
    assert!(report["steps"][0]["text"].as_str().unwrap().contains("no answer within 400 ms"), "{report}");
    for file in ["outer", "inner"] {
        assert_gone(&wait_for(&sandbox.path(file)));
    }
}

#[test]
fn a_program_that_dies_is_a_failure_with_its_own_words_and_is_tried_again() {
    let sandbox = stage(&[("a", DONE)], "echo half an answer; echo 'quota exceeded' >&2; exit 7");
    let answer = run(&sandbox, &["x", "--json"]);
    assert_eq!(answer.code, Some(1));
    let report = report(&answer);
    assert_eq!(way(&report), ["a", "a", "a"], "maxFailures");
    assert_eq!(report["steps"][0]["text"], "exit code 7: quota exceeded");
    assert!(report["reason"].as_str().unwrap().contains("3 failures in a row"), "{report}");
    let killed = stage(&[("a", "transitions: {onSuccess: complete, onFailure: complete}")], "kill -SEGV $$");
    let report = self::report(&run(&killed, &["x", "--json"]));
    assert!(report["steps"][0]["text"].as_str().unwrap().contains("signal 11"), "{report}");
}

#[test]
fn a_flood_of_output_is_kept_within_the_limit() {
    let sandbox = stage(
        &[("a", DONE)],
        "yes 'a flood of words' | head -c 20000000; echo the end; yes | head -c 3000000 >&2",
    );
    let answer = run(&sandbox, &["x", "--json"]);
    assert_eq!(answer.code, Some(0), "{}", stderr(&answer));
    assert!(stdout(&answer).len() < 300_000, "{}", stdout(&answer).len());
    let lines = journal(&sandbox);
    let ended = lines.iter().find(|it| it["type"] == "STEP_ENDED").unwrap();
    let text = ended["text"].as_str().unwrap();
    assert!(text.starts_with("a flood of words") && text.trim_end().ends_with("the end"));
    assert!(text.len() < 70_000 && ended["leftOut"].as_u64().unwrap() > 19_000_000, "{}", text.len());
}

#[test]
fn a_program_that_is_not_there_is_named_before_anything_begins() {
    let sandbox = stage(&[("a", "provider: {name: codex}\ntransitions: {onSuccess: complete}")], "exit 1");
    let answer = run(&sandbox, &["x"]);
    assert_eq!(answer.code, Some(3), "{}", stderr(&answer));
    let told = stderr(&answer);
    assert!(
        told.contains("cannot run the agent `a`: `codex` is not installed") && told.contains("hint:"),
        "{told}"
    );
    assert!(!sandbox.path(".ai/tmp/agent-runs").exists());
    sandbox.write(".rawko/config.yaml", "version: 1\n");
    fs::remove_file(sandbox.path(".rawko/agents/a.yaml")).unwrap();
    sandbox.write(".rawko/agents/b.yaml", "name: b\nsystemPrompt: x\ntransitions: {onSuccess: complete}\n");
    let none = run(&sandbox, &["x"]);
    assert_eq!(none.code, Some(3));
    assert!(stderr(&none).contains("none of claude, copilot, codex and gemini"), "{}", stderr(&none));
}

#[test]
fn a_command_of_a_workspace_runs_only_as_it_was_trusted() {
    let sandbox = sandbox();
    sandbox.write(".rawko/agents/a.yaml", "name: a\nsystemPrompt: x\ntransitions: {onSuccess: complete}\n");
    sandbox.write(".rawko/config.yaml", "provider: {default: command, command: {argv: [./agent.sh]}}\n");
    program(&sandbox.path("agent.sh"), "touch ran; echo ok");
    let refused = |why: &str| {
        let answer = run(&sandbox, &["x"]);
        assert_eq!(answer.code, Some(1), "{why}: {}", stderr(&answer));
        assert!(stderr(&answer).contains("steersman trust"), "{why}: {}", stderr(&answer));
        assert!(!sandbox.path("ran").exists(), "{why}");
    };
    refused("never trusted");
    sandbox.trust();
    program(&sandbox.path("agent.sh"), "touch ran; echo changed");
    refused("the script changed");
    sandbox.trust();
    assert_eq!(run(&sandbox, &["x"]).code, Some(0));
    fs::remove_file(sandbox.path("ran")).unwrap();
    sandbox.write(
        ".rawko/agents/a.yaml",
        "name: a\nsystemPrompt: another prompt\ntransitions: {onSuccess: complete}\n",
    );
    assert_eq!(run(&sandbox, &["x"]).code, Some(0), "a prompt may change");
    fs::remove_file(sandbox.path("ran")).unwrap();
    sandbox.write(
        ".rawko/agents/a.yaml",
        "name: a\nsystemPrompt: x\ntools: {allowed: [Bash]}\ntransitions: {onSuccess: complete}\n",
    );
    refused("the tools changed");
}

/// Hangs the first time `b` runs, so that a test can interrupt the run there.
const HANGS_ONCE: &str = "if [ \"$STEERSMAN_AGENT\" = b ] && [ ! -e once ]; then touch once; (sleep 600 & echo $! > child; wait) & echo $$ > pid; sleep 600; fi; cat >> prompts; echo \"$STEERSMAN_AGENT spoke\"";

#[test]
fn ctrl_c_ends_everything_and_the_run_can_be_resumed() {
    let sandbox = stage(&[("a", "transitions: {onSuccess: b}"), ("b", DONE)], HANGS_ONCE);
    let mut child = call(&sandbox, &["x", "--from", "a"]).start();
    drop(child.stdin.take());
    let pid = wait_for(&sandbox.path("pid"));
    let inner = wait_for(&sandbox.path("child"));
    signal(&child, "INT");
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(1));
    let told = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(told.contains("stopped: 1 step") && told.contains("--resume"), "{told}");
    assert_gone(&pid);
    assert_gone(&inner);
    assert_eq!(journal(&sandbox).last().unwrap()["result"], "interrupted");
    let answer = run(&sandbox, &["--resume", "--json"]);
    assert_eq!(answer.code, Some(0), "{}", stderr(&answer));
    let report = report(&answer);
    assert_eq!((way(&report), &report["result"]), (vec!["a", "b"], &"complete".into()), "{report}");
    let prompts = fs::read_to_string(sandbox.path("prompts")).unwrap();
    assert_eq!(prompts.matches("> a spoke").count(), 1, "the output of a is still known: {prompts}");
    let again = run(&sandbox, &["--resume"]);
    assert!(again.code == Some(3) || again.code == Some(1), "{:?}", again.code);
    assert!(stderr(&again).contains("cannot resume: all runs have finished"), "{}", stderr(&again));
}

#[test]
fn a_run_whose_process_was_killed_resumes_and_ends_leftover_processes() {
    let sandbox = stage(&[("a", "transitions: {onSuccess: b}"), ("b", DONE)], HANGS_ONCE);
    let mut child = call(&sandbox, &["x", "--from", "a"]).start();
    drop(child.stdin.take());
    let pid = wait_for(&sandbox.path("pid"));
    let busy = run(&sandbox, &["--resume"]);
    assert_eq!(busy.code, Some(1), "{}", stderr(&busy));
    assert!(stderr(&busy).contains("still running in another process"), "{}", stderr(&busy));
    signal(&child, "KILL");
    child.wait().unwrap();
    let answer = run(&sandbox, &["--resume", "--json"]);
    assert_eq!(answer.code, Some(0), "{}", stderr(&answer));
    assert_gone(&pid);
    let report = report(&answer);
    assert_eq!(way(&report), ["a", "b"], "a is not run again: {report}");
    let lines = journal(&sandbox);
    assert!(lines.iter().any(|it| it["type"] == "RUN_RESUMED" && it["step"] == 2), "{lines:?}");
}

#[test]
fn a_torn_journal_is_repaired_and_a_newer_one_is_reported() {
    let sandbox = stage(&[("a", DONE)], "echo ok");
    assert_eq!(run(&sandbox, &["x"]).code, Some(0));
    let file = fs::read_dir(sandbox.path(".ai/tmp/agent-runs")).unwrap().next().unwrap().unwrap().path();
    let id = file.file_stem().unwrap().to_string_lossy().into_owned();
    let whole = fs::read_to_string(&file).unwrap();
    let first = whole.lines().next().unwrap();
    fs::write(&file, format!("{first}\n{{\"v\":1,\"ts\":1,\"type\":\"STEP_ST")).unwrap();
    assert_eq!(run(&sandbox, &["--resume", &id]).code, Some(0), "a torn line is no line");
    fs::write(&file, whole.replace("\"v\":1", "\"v\":9")).unwrap();
    let newer = run(&sandbox, &["--resume", &id]);
    assert_eq!(newer.code, Some(1), "{}", stderr(&newer));
    for wrong in ["../../etc/passwd", "nothing"] {
        let answer = run(&sandbox, &["--resume", wrong]);
        assert!(stderr(&answer).contains("is not the name of a run"), "{}", stderr(&answer));
    }
}
