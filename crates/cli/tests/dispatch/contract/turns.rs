//! Turns count prompts; work advances when a prompt arrives after the last was complete.

use serde_json::json;

use crate::{sandbox, shell};

#[test]
fn every_prompt_begins_a_turn_and_nothing_else_does() {
    let sandbox = sandbox();
    sandbox.raw("SessionStart", &json!({"source": "startup"}));
    for turn in 1..=3 {
        sandbox.raw("UserPromptSubmit", &json!({"prompt": format!("prompt {turn}")}));
        sandbox.raw("PreToolUse", &shell(&format!("t{turn}"), "ls"));
        sandbox.raw("PostToolUse", &shell(&format!("t{turn}"), "ls"));
        assert_eq!(sandbox.session().core("lastTurnId"), turn);
        assert_eq!(sandbox.session().last_run()["turnId"], turn);
    }
    sandbox.check_everything();
}

#[test]
fn a_prompt_after_completed_work_begins_new_work_at_planning() {
    let sandbox = sandbox();
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "one"}));
    sandbox.raw("PreToolUse", &shell("t1", "touch x"));
    sandbox.raw("Stop", &json!({}));
    assert_eq!(sandbox.session().core("phase"), "COMPLETE");
    assert_eq!(sandbox.session().core("workId"), "w001");
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "two"}));
    let session = sandbox.session();
    assert_eq!(session.core("phase"), "PLANNING");
    assert_eq!(session.core("workId"), "w002");
    assert_eq!(session.core("workTurn"), 2);
    assert_eq!(session.prompts()[1]["workId"], "w002");
    sandbox.check_everything();
}

#[test]
fn a_prompt_while_work_goes_on_belongs_to_that_work() {
    let sandbox = sandbox();
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "one"}));
    sandbox.raw("PreToolUse", &shell("t1", "touch x"));
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "wait"}));
    let session = sandbox.session();
    assert_eq!(session.core("workId"), "w001");
    assert_eq!(session.core("phase"), "EXECUTING");
}
