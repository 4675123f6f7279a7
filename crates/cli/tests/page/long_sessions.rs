//! A session that is longer than a page: paged, searched as a whole, counted exactly, rebuilt from the journal.

use std::fs;

use serde_json::{Value, json};

use crate::scene::{Scene, until};

/// How often the recorded events are repeated: the journal becomes several times as long as one page shows.
const REPEATS: usize = 400;

/// Makes the recorded session long. Returns the id of its first denied run.
fn lengthen(scene: &Scene, sid: &str) -> String {
    let path = scene.sandbox.path(format!(".ai/tmp/{sid}/events.jsonl"));
    let recorded = fs::read_to_string(&path).unwrap();
    let mut text = String::new();
    let mut first_denied = None;
    for n in 0..REPEATS {
        for line in recorded.lines() {
            let mut line: Value = serde_json::from_str(line).unwrap();
            let run = format!("{}-r{n}", line["hookRunId"].as_str().unwrap());
            if line["data"]["decision"] == "deny" {
                first_denied.get_or_insert_with(|| run.clone());
            }
            line["hookRunId"] = run.into();
            if let Some(call) = line["data"]["toolUseId"].as_str().map(str::to_owned) {
                line["data"]["toolUseId"] = format!("{call}-r{n}").into();
            }
            if n == 0 && line["data"]["input"]["command"] == "cargo test --workspace" {
                line["data"]["input"]["command"] = "cargo test --workspace needle-in-the-first-part".into();
            }
            text += &(line.to_string() + "\n");
        }
    }
    fs::write(&path, &text).unwrap();
    first_denied.unwrap()
}

fn entries(session: &Value) -> Vec<Value> {
    let turns = session["turns"].as_array().unwrap();
    turns.iter().flat_map(|turn| turn["entries"].as_array().unwrap().clone()).collect()
}

#[test]
fn a_long_session_is_paged_searched_as_a_whole_and_counted_exactly() {
    let mut scene = Scene::serving();
    let sid = scene.sid();
    let get = |scene: &Scene, query: &str| -> Value {
        let (status, body) = scene.get(&format!("/api/v1/sessions/{sid}{query}"));
        assert_eq!(status, 200);
        let session = serde_json::from_str(&body).unwrap();
        testkit::schema::check("api-session", &session);
        session
    };
    let short = get(&scene, "");
    let calls = short["session"]["toolCalls"].as_u64().unwrap();
    let denied = lengthen(&scene, &sid);
    let is_indexed = |scene: &Scene| {
        let card = get(scene, "")["session"].clone();
        card["countsComplete"] == true && card["toolCalls"] == calls * REPEATS as u64
    };
    until("the index has the whole session", || is_indexed(&scene));
    // A page shows a part and leads to the part before it.
    let latest = get(&scene, "");
    let before = latest["older"].as_u64().unwrap();
    assert!(latest.to_string().len() < 3_000_000 && !latest.to_string().contains("needle"));
    let weighed = Scene::browse(
        &json!({"steps": [{"goto": format!("{}sessions/{sid}", scene.address()), "weigh": true}]}),
    );
    let bytes = weighed.found[0]["bytes"].as_u64().unwrap();
    assert!((20_000..60_000).contains(&bytes), "a first load of a long session has {bytes} bytes");
    assert!(get(&scene, &format!("?before={before}"))["older"].as_u64().unwrap() < before);
    // A search and the filter look at all of it.
    let found = entries(&get(&scene, "?q=needle-in-the"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["outcome"]["ok"], true, "with the result of the call: {}", found[0]);
    let (mut n_stopped, mut query) = (0, "?show=stopped".to_owned());
    loop {
        let part = get(&scene, &query);
        n_stopped += entries(&part).len();
        let Some(before) = part["older"].as_u64() else { break };
        query = format!("?show=stopped&before={before}");
    }
    assert_eq!(n_stopped, 2 * REPEATS, "one denied and one asked call each");
    let (status, explained) = scene.get(&format!("/api/v1/sessions/{sid}/runs/{denied}"));
    assert!(status == 200 && explained.contains("rm -rf ~/projects"), "{explained}");
    // The index has nothing that the journals lack.
    scene.stop();
    for ending in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(scene.sandbox.path(format!(".ai/tmp/automation/history.sqlite{ending}")));
    }
    scene.serve();
    until("the index was rebuilt", || is_indexed(&scene));
    assert_eq!(entries(&get(&scene, "?q=needle-in-the")).len(), 1);
}
