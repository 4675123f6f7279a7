//! `session unblock`

use serde_json::{Value, json};

use super::scene::{CLAUDE, Scene};

fn phase(scene: &Scene) -> Value {
    scene.json(&["list"])["sessions"][0]["phase"].clone()
}

fn blocked() -> Scene {
    let scene = Scene::with_careful_module();
    let manifest = r#"{"modules": {"careful": {"enabled": true}}, "blockAfterDenies": 2}"#;
    scene.write(".ai/hooks/dispatch.manifest.json", manifest);
    assert_eq!(scene.run(&["trust"]).code, 0);
    scene.send("claude-code", "UserPromptSubmit", &json!({"prompt": "go"}));
    scene.shell("claude-code", "1", "touch made");
    scene.shell("claude-code", "2", "rm -rf a");
    scene.shell("claude-code", "3", "rm -rf b");
    assert_eq!(phase(&scene), "BLOCKED");
    scene
}

#[test]
fn the_work_resumes_in_the_interrupted_phase() {
    let scene = blocked();
    let said = scene.session(&["unblock", CLAUDE]);
    assert_eq!(said.stderr, format!("{CLAUDE} is no longer blocked; the work is EXECUTING again\n"));
    assert_eq!(said.code, 0);
    assert_eq!(phase(&scene), "EXECUTING");
    let journal = scene.journal(CLAUDE);
    let line = journal.last().unwrap();
    assert_eq!(line["type"], "UNBLOCKED");
    assert_eq!(line["data"]["patch"]["core"]["phaseRevision"], 1);
}

#[test]
fn the_journal_alone_says_that_the_block_is_lifted() {
    let scene = blocked();
    scene.session(&["unblock", CLAUDE]);
    std::fs::remove_file(scene.path(&format!(".ai/tmp/{CLAUDE}/state.json"))).unwrap();
    assert_eq!(phase(&scene), "EXECUTING");
    scene.shell("claude-code", "4", "touch made");
    assert_eq!(phase(&scene), "EXECUTING");
}

#[test]
fn denials_are_counted_from_zero_after_a_block() {
    let scene = blocked();
    scene.session(&["unblock", CLAUDE]);
    scene.shell("claude-code", "4", "rm -rf c");
    assert_eq!(phase(&scene), "EXECUTING");
    scene.shell("claude-code", "5", "rm -rf d");
    assert_eq!(phase(&scene), "BLOCKED");
}

#[test]
fn what_is_not_blocked_is_a_no() {
    let scene = Scene::new();
    scene.send("claude-code", "UserPromptSubmit", &json!({"prompt": "go"}));
    let before = scene.files();
    let said = scene.session(&["unblock", CLAUDE]);
    assert_eq!(said.stderr, format!("error: {CLAUDE} is not blocked; the work is PLANNING\n"));
    assert_eq!(said.code, 1);
    assert_eq!(scene.files(), before);
    assert_eq!(scene.session(&["unblock", "ffff"]).code, 1);
}
