//! `session list`

use expect_test::expect;
use serde_json::json;

use super::scene::{CLAUDE, Scene};

#[test]
fn a_workspace_without_sessions_says_what_to_do() {
    let said = Scene::new().session(&["list"]);
    expect![[r""]].assert_eq(&said.stdout);
    expect![[r#"
        no sessions yet
        hint: run `steersman init` to register agent programs; a session starts with the first event of one
    "#]]
    .assert_eq(&said.stderr);
    assert_eq!(said.code, 0);
    assert_eq!(Scene::new().json(&["list"]), json!({"sessions": []}));
}

#[test]
fn the_latest_session_comes_first() {
    let scene = Scene::with_careful_module();
    scene.send("codex", "UserPromptSubmit", &json!({"prompt": "first"}));
    scene.shell("codex", "1", "touch made");
    std::thread::sleep(std::time::Duration::from_millis(5));
    scene.send("claude-code", "UserPromptSubmit", &json!({"prompt": "second"}));
    scene.shell("claude-code", "1", "git push");
    scene.shell("claude-code", "2", "rm -rf build");
    let said = scene.session(&["list"]);
    expect![[r#"
        SID       HOST         STARTED, UTC  LAST EVENT  WORK  TURN  PHASE      CALLS  DENY  ASK
        2353fb64  claude-code  <day> <t>   <ago>       w001     1  PLANNING       2     1    1
        35cf2f14  codex        <day> <t>   <ago>       w001     1  EXECUTING      1     0    0
    "#]]
    .assert_eq(&said.stdout);
    let listed = scene.json(&["list"]);
    let latest = &listed["sessions"][0];
    assert_eq!(latest["sid"], CLAUDE);
    assert_eq!((&latest["toolCalls"], &latest["denies"], &latest["asks"]), (&json!(2), &json!(1), &json!(1)));
    assert_eq!(latest["countsComplete"], true);
}

#[test]
fn a_session_that_begins_with_a_prompt_is_one_session() {
    let scene = Scene::new();
    scene.send("claude-code", "UserPromptSubmit", &json!({"prompt": "go"}));
    scene.shell("claude-code", "1", "ls");
    let listed = scene.json(&["list"]);
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 1);
    assert_eq!((&listed["sessions"][0]["sid"], &listed["sessions"][0]["turn"]), (&json!(CLAUDE), &json!(1)));
}

#[test]
fn what_is_not_a_session_is_not_listed() {
    let scene = Scene::new();
    scene.write(".ai/tmp/deadbeef/thesis.tex", "x");
    scene.write(".ai/tmp/cafebabe", "a file");
    assert_eq!(scene.json(&["list"]), json!({"sessions": []}));
}

#[test]
fn a_lost_state_is_rebuilt_from_the_journal() {
    let scene = Scene::new();
    scene.send("claude-code", "UserPromptSubmit", &json!({"prompt": "hello"}));
    let before = scene.json(&["list"]);
    scene.write(&format!(".ai/tmp/{CLAUDE}/state.json"), "{ half");
    assert_eq!(scene.json(&["list"]), before);
}
