//! The audit of prompts: a hash by default, the text without its secrets on request.

use serde_json::json;

use crate::sandbox;

#[test]
fn by_default_only_hash_and_length_are_kept() {
    let sandbox = sandbox();
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "add a button"}));
    let session = sandbox.session();
    let [record] = &session.prompts()[..] else { panic!("one prompt, one line") };
    // The first sixteen digits of the text's SHA-256.
    assert_eq!(record["hash"], "25c0fe9de4f79974");
    assert_eq!(record["chars"], 12);
    assert_eq!(record["turnId"], 1);
    assert!(record.get("text").is_none());
    let journal = std::fs::read_to_string(session.root.join("events.jsonl")).unwrap();
    assert!(!journal.contains("add a button"), "{journal}");
}

#[test]
fn on_request_the_text_is_kept_without_its_secrets() {
    let sandbox = sandbox();
    sandbox.config(&json!({"session": {"promptAudit": "raw"}}));
    let secret = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    sandbox.raw("UserPromptSubmit", &json!({"prompt": format!("push with {secret} please")}));
    let text = sandbox.session().prompts()[0]["text"].as_str().unwrap().to_owned();
    assert!(text.starts_with("push with ") && text.ends_with(" please"), "{text}");
    for path in sandbox.tree().paths().filter(|path| path.starts_with("repo/.ai/tmp")) {
        let content = std::fs::read(sandbox.root().join("..").join(path)).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&content).contains(&secret), "{}", path.display());
    }
}

#[test]
fn the_first_line_is_kept_without_its_secrets_and_shown_by_the_summary() {
    let sandbox = crate::sandbox_with(json!({"modules": {"stop-synth": {}}}));
    sandbox.config(&json!({"session": {"promptAudit": "firstLine"}}));
    let secret = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    sandbox
        .raw("UserPromptSubmit", &json!({"prompt": format!("Push with {secret} please\nand do the rest")}));
    sandbox.raw("Stop", &json!({}));
    let record = sandbox.session().prompts()[0].clone();
    let line = record["firstLine"].as_str().unwrap();
    assert!(
        line.starts_with("Push with ") && line.ends_with(" please") && record.get("text").is_none(),
        "{record}"
    );
    let page = std::fs::read_to_string(sandbox.session().root.join("stop-synth/output/summary.md")).unwrap();
    assert!(page.contains("Push with ") && !page.contains("and do the rest"), "{page}");
    assert!(!page.contains(&secret), "{page}");
    sandbox.check_everything();
}

#[test]
fn a_prompt_that_is_missing_is_an_empty_one() {
    let sandbox = sandbox();
    sandbox.raw("UserPromptSubmit", &json!({}));
    assert_eq!(sandbox.session().prompts()[0]["chars"], 0);
}
