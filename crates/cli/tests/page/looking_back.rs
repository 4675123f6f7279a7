//! A person looks back: who wrote a line, why a call was stopped, and what other rules would have done.

use std::fs::OpenOptions;
use std::io::Write;

use serde_json::{Value, json};

use crate::scene::Scene;

fn api(scene: &Scene, path: &str) -> Value {
    let (status, body) = scene.get(&format!("/api/v1/{path}"));
    assert_eq!(status, 200, "{path}: {body}");
    serde_json::from_str(&body).unwrap()
}

#[test]
fn a_line_leads_to_its_intent_its_session_and_the_turn_that_wrote_it() {
    let scene = Scene::serving();
    let mut file = OpenOptions::new().append(true).open(scene.sandbox.path("src/cart.rs")).unwrap();
    file.write_all(b"// by <b>hand</b>\n").unwrap();
    let found = api(&scene, "files/src/cart.rs?line=2");
    let authors: Vec<&str> =
        found["lines"].as_array().unwrap().iter().map(|line| line["author"].as_str().unwrap()).collect();
    assert_eq!(authors, ["agent", "agent", "agent", "person"]);
    let line = &found["lines"][1];
    assert_eq!(
        (&line["intent"], &line["session"], &line["turn"], &line["tool"], &line["certain"]),
        (&json!("INT-001"), &json!(scene.sid()), &json!(1), &json!("Write"), &json!(true))
    );
    let sid = scene.sid();
    let browsed = Scene::browse(&json!({"steps": [
        {"goto": format!("{}intents", scene.address())},
        {"click": "summary"},
        {"click": "details a[href='/files/src/cart.rs']"},
        {"click": "#L2 td.num a"},
        {"until": format!("Turn 1 of session {sid}")},
        {"click": "li.marked a"},
        {"until": "Answers of the modules"},
        {"goto": format!("{}files/src/cart.rs?line=4", scene.address())},
    ]}));
    assert_eq!(browsed.messages, json!([]));
    let text = browsed.found[7]["text"].as_str().unwrap();
    assert!(text.contains("// by <b>hand</b>") && text.contains("a person wrote it"), "{text}");
}

#[test]
fn an_explanation_shows_the_command_as_a_tree() {
    let scene = Scene::serving();
    let session = api(&scene, &format!("sessions/{}", scene.sid()));
    let turns = session["turns"].as_array().unwrap();
    let mut entries = turns.iter().flat_map(|turn| turn["entries"].as_array().unwrap());
    let denied = entries.find(|it| it["target"].as_str().is_some_and(|it| it.contains("rm -rf"))).unwrap();
    let address = format!("sessions/{}/runs/{}", scene.sid(), denied["run"].as_str().unwrap());
    let reading = &api(&scene, &address)["reading"];
    assert_eq!((&reading["verdict"], &reading["class"]), (&json!("deny"), &json!("destructive")));
    let deleted = &reading["commands"][0]["files"][0];
    assert_eq!(deleted["verb"], "deletes");
    assert!(deleted["paths"][0].as_str().unwrap().ends_with("/projects and everything below"), "{deleted}");
    let browsed = Scene::browse(&json!({"steps": [{"goto": scene.address() + &address}]}));
    let text = browsed.found[0]["text"].as_str().unwrap();
    assert!(text.contains("The command as steersman reads it") && text.contains("deletes"), "{text}");
}

#[test]
fn a_session_is_judged_again_under_a_changed_manifest() {
    let scene = Scene::serving();
    let journal = scene.journal();
    let browse = |manifest: &str| {
        Scene::browse(&json!({"steps": [
            {"goto": format!("{}sessions/{}", scene.address(), scene.sid())},
            {"click": "a[href$='/what-if']"},
            {"fill": "#manifest", "with": manifest},
            {"click": "#judge"},
            {"axe": true},
        ]}))
    };
    let browsed = browse(r#"{"version": 1, "modules": {"shell-guard": {"enabled": false}}}"#);
    let text = browsed.found[3]["text"].as_str().unwrap();
    assert!(text.contains("git push --force") && text.contains("git-force-push-protected"), "{text}");
    assert!(!text.contains("No decision would differ"), "{text}");
    assert_eq!((&browsed.found[4]["violations"], &browsed.messages), (&json!([]), &json!([])));
    let text = browse("{\"modules\": 7}").found[3]["text"].to_string();
    assert!(text.contains("line 1, column 13") && text.contains("expected a map"), "{text}");
    assert_eq!(scene.journal(), journal, "nothing was written");
}
