//! The text for the model at the start of a session or turn.

use serde_json::json;

use crate::world::{World, told};

#[test]
fn the_intent_in_force_is_told_with_every_value_escaped() {
    let world = World::new();
    world.select("INT-001");
    for (event, more) in
        [("SessionStart", json!({"source": "startup"})), ("UserPromptSubmit", json!({"prompt": "go"}))]
    {
        let block = told(&world.claude("s").event(event, &more));
        assert!(block.contains("<intent_id>INT-001</intent_id>"), "{block}");
        assert!(
            block.contains("<description>Make the cart &lt;fast&gt; &amp; small</description>"),
            "{block}"
        );
        assert!(block.contains("<pattern>src/**</pattern>"), "{block}");
        assert!(block.contains("<constraint>no new dependencies</constraint>"), "{block}");
        assert!(block.contains("<criterion>tests pass</criterion>"), "{block}");
    }
}

#[test]
fn with_none_selected_the_choice_is_told() {
    let world = World::new();
    let block = told(&world.claude("s").event("SessionStart", &json!({"source": "startup"})));
    assert!(block.contains("select_active_intent"), "{block}");
    assert!(block.contains("INT-001") && block.contains("INT-002"), "{block}");
    assert!(!block.contains("INT-003"), "what is done cannot be selected: {block}");
}

#[test]
fn a_broken_file_is_told_to_the_model() {
    let world = World::new();
    world.write(".orchestration/active_intents.yaml", "intents: 7");
    let block = told(&world.claude("s").event("UserPromptSubmit", &json!({"prompt": "go"})));
    assert!(block.starts_with("Invalid active_intents.yaml: ") && block.contains("denied"), "{block}");
}

#[test]
fn without_intents_nothing_is_told() {
    let world = World::without_intents();
    assert_eq!(told(&world.claude("s").event("SessionStart", &json!({"source": "startup"}))), "");
}
