//! `workspace.json` names the files; dispatch finds the workspace from the payload's folder.

use serde_json::json;

use crate::{sandbox, shell};

#[test]
fn files_and_folders_are_named_as_the_layout_says() {
    let sandbox = sandbox();
    sandbox.layout(&json!({
        "version": 1, "workRoot": ".ai/work/deep", "dirs": {"logs": "protocols"},
        "files": {"state": "s.json", "events": "e.jsonl", "registry": "r.jsonl", "prompts": "prompts.jsonl"},
    }));
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "x"}));
    let session = &sandbox.sessions_in(".ai/work/deep")[0];
    for name in ["s.json", "e.jsonl", "prompts.jsonl"] {
        assert!(session.root.join(name).is_file(), "{name}");
    }
    assert!(sandbox.path(".ai/work/deep/.gitignore").is_file());
    assert!(!sandbox.path(".ai/tmp").exists());
}

#[test]
fn the_workspace_is_the_nearest_marked_folder_above_the_payloads() {
    let sandbox = sandbox();
    std::fs::create_dir_all(sandbox.path("src/deep")).unwrap();
    let payload = testkit::payload::raw("PreToolUse", &sandbox.path("src/deep"), &shell("t1", "ls"));
    sandbox.dispatch("raw", "PreToolUse").payload(&payload).folder(&sandbox.elsewhere()).run().object();
    assert_eq!(sandbox.session().last_run()["data"]["cwd"], *sandbox.path("src/deep").to_str().unwrap());
}

#[test]
fn a_workspace_that_is_named_wins() {
    let sandbox = sandbox();
    let payload = testkit::payload::raw("PreToolUse", &sandbox.elsewhere(), &shell("t1", "ls"));
    let root = sandbox.root();
    for named in [format!("--workspace={}", root.display()), "--workspace=../repo".to_owned()] {
        let call = sandbox.dispatch("raw", "PreToolUse").args([named]).folder(&sandbox.elsewhere());
        call.payload(&payload).run().object();
    }
    assert_eq!(sandbox.session().events_of("HOOK_RUN").len(), 1, "the second is a repetition");
}

#[test]
fn a_workspace_that_is_not_there_is_not_made() {
    let sandbox = sandbox();
    let before = sandbox.tree();
    let payload = testkit::payload::raw("PreToolUse", &sandbox.path("no/such/folder"), &shell("t1", "ls"));
    let call = sandbox.dispatch("raw", "PreToolUse").args(["--workspace", "no/such/folder"]);
    assert_eq!(call.payload(&payload).run().object()["decision"], "allow");
    assert_eq!(sandbox.strays_since(&before), [""; 0].map(std::path::PathBuf::from));
    assert!(!sandbox.path("no").exists());
}
