//! `session replay`

use expect_test::expect;
use serde_json::json;

use super::scene::{CLAUDE, CODEX, Scene};

fn recorded() -> Scene {
    let scene = Scene::with_careful_module();
    scene.send("claude-code", "SessionStart", &json!({"source": "startup"}));
    scene.send("claude-code", "UserPromptSubmit", &json!({"prompt": "go"}));
    scene.shell("claude-code", "1", "touch made");
    scene.shell("claude-code", "2", "rm -rf build");
    scene.shell("claude-code", "3", "git push");
    scene.shell("claude-code", "4", &format!("echo {}", "x".repeat(20_000)));
    scene.shell(
        "claude-code",
        "5",
        "curl -H 'Authorization: Bearer ghp_abcdefghijklmnopqrstuvwxyz0123456789' x.org",
    );
    scene.send("claude-code", "PostToolUse", &json!({"tool_name": "Bash", "tool_use_id": "1", "tool_input": {"command": "touch made"}, "tool_response": {}}));
    scene.send("claude-code", "Stop", &json!({}));
    scene
}

#[test]
fn under_the_same_manifest_everything_is_decided_the_same() {
    let scene = recorded();
    let said = scene.session(&["replay", CLAUDE]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
    expect![[r#"
        4 judged: 4 the same, 0 different
        5 events cannot be replayed:
             1  PostToolUse: the tool's result is not recorded
             1  PreToolUse: the tool's input was too long to be recorded completely
             1  PreToolUse: the recorded input of the tool is redacted
             1  Stop: the agent's last message is not recorded
             1  UserPromptSubmit: the prompt's text is not recorded (`session.promptAudit` is not `raw`)
    "#]]
    .assert_eq(&said.stdout);
}

#[test]
fn under_another_manifest_the_differences_are_reported() {
    let scene = recorded();
    scene.write("other.json", r#"{"enforcePhases": true}"#);
    let said = scene.session(&["replay", CLAUDE, "--manifest", "other.json"]);
    expect![[r#"
        <time>  pass → deny by session  Bash  touch made
                    now: The work is in phase PLANNING, which permits `read`, `search`, `semantic_search`,
                    `read_file`, `grep_search`, `list_dir`, `file_search`, `subagent`, `runSubagent`,
                    `harmless` but not `Bash`. Finish the plan first: once a plan graph is accepted, the
                    work is EXECUTING.
                    PreToolUse-1-<ms>
        <time>  deny by careful → pass  Bash  rm -rf build
                    then: No tree is removed here.
                    PreToolUse-1-<ms>
        <time>  ask by careful → pass  Bash  git push
                    then: A push leaves this machine.
                    PreToolUse-1-<ms>
        4 judged: 1 the same, 3 different
        5 events cannot be replayed:
             1  PostToolUse: the tool's result is not recorded
             1  PreToolUse: the tool's input was too long to be recorded completely
             1  PreToolUse: the recorded input of the tool is redacted
             1  Stop: the agent's last message is not recorded
             1  UserPromptSubmit: the prompt's text is not recorded (`session.promptAudit` is not `raw`)
    "#]]
    .assert_eq(&said.stdout);
    let replayed = scene.json(&["replay", CLAUDE, "--manifest", "other.json"]);
    assert_eq!((&replayed["judged"], &replayed["different"]), (&json!(4), &json!(3)));
    assert_eq!(replayed["changes"][0]["after"]["module"], "session");
}

#[test]
fn nothing_is_written() {
    let scene = recorded();
    scene.write("other.json", r#"{"enforcePhases": true, "blockAfterDenies": 1}"#);
    let before = scene.files();
    scene.session(&["replay", CLAUDE, "--manifest", "other.json"]);
    assert_eq!(scene.files(), before);
}

#[test]
fn scripts_that_are_not_trusted_do_not_run() {
    let scene = recorded();
    // The program that sent the events may not withdraw the trust.
    assert_eq!(scene.run(&["untrust"]).code, 1);
    scene.forget_trust();
    let replayed = scene.json(&["replay", CLAUDE]);
    assert_eq!(replayed["different"], 2);
}

#[test]
fn a_call_a_person_had_permitted_is_decided_the_same() {
    let scene = Scene::with_careful_module();
    scene.shell("codex", "1", "git push");
    let run = scene.run_of(CODEX, "git push");
    assert_eq!(scene.session(&["allow", &run]).code, 0);
    scene.shell("codex", "2", "git push");
    let replayed = scene.json(&["replay", CODEX]);
    assert_eq!((&replayed["judged"], &replayed["same"]), (&json!(2), &json!(2)), "{replayed:#}");
}

#[test]
fn a_manifest_that_cannot_be_used_is_a_no_and_one_that_is_not_there_a_failure() {
    let scene = recorded();
    scene.write("broken.json", r#"{"enforcePhases": "yes"}"#);
    let said = scene.session(&["replay", CLAUDE, "--manifest", "broken.json"]);
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("broken.json"), "{}", said.stderr);
    assert_eq!(scene.session(&["replay", CLAUDE, "--manifest", "absent.json"]).code, 3);
}
