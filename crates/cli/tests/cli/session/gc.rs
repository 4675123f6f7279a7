//! `session gc`

use std::fs;

use expect_test::expect;
use serde_json::json;

use super::scene::Scene;

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// Adds a session whose last event was this many days ago.
fn add(scene: &Scene, sid: &str, days_ago: u64) {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    let ts = u64::try_from(now).unwrap() - days_ago * DAY_MS - 1000;
    let line = json!({
        "v": 1, "ts": ts, "type": "HOOK_RUN", "hookRunId": format!("Stop-1-{ts}"), "sessionId": sid,
        "workId": "w001", "agentId": "u00", "turnId": 1, "data": {},
    });
    scene.write(&format!(".ai/tmp/{sid}/events.jsonl"), &format!("{line}\n"));
    scene.write(&format!(".ai/tmp/{sid}/session/logs/debug.log"), "a line\n");
}

fn scene() -> Scene {
    let scene = Scene::new();
    scene.config(&json!({"gc": {"maxSessions": 2}}));
    for (sid, days_ago) in [("aaaaaaaa", 0), ("bbbbbbbb", 8), ("cccccccc", 9), ("dddddddd", 30)] {
        add(&scene, sid, days_ago);
    }
    scene
}

fn left(scene: &Scene) -> Vec<String> {
    let entries = fs::read_dir(scene.path(".ai/tmp")).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn what_is_old_and_beyond_the_number_goes() {
    let scene = scene();
    scene.write(".ai/tmp/eeeeeeee/thesis.tex", "not ours");
    scene.write(".ai/tmp/dispatch.log", "stays");
    let said = scene.session(&["gc"]);
    expect![[r#"
        cccccccc  last event 9 days ago, 163 B
        dddddddd  last event 30 days ago, 163 B
    "#]]
    .assert_eq(&said.stdout);
    expect![[r#"
        2 sessions removed, 326 B freed, 2 kept
    "#]]
    .assert_eq(&said.stderr);
    assert_eq!(said.code, 0);
    assert_eq!(left(&scene), ["aaaaaaaa", "bbbbbbbb", "dispatch.log", "eeeeeeee"]);
    assert_eq!(scene.session(&["gc"]).stdout, "");
}

#[test]
fn a_dry_run_only_says_what_would_go() {
    let scene = scene();
    let before = scene.files();
    let said = scene.json(&["gc", "--dry-run"]);
    let removed: Vec<_> = said["removed"].as_array().unwrap().iter().map(|session| &session["sid"]).collect();
    assert_eq!(removed, ["cccccccc", "dddddddd"]);
    assert_eq!((&said["kept"], &said["dryRun"]), (&json!(2), &json!(true)));
    assert_eq!(scene.files(), before);
}

#[test]
fn doctor_says_what_will_be_removed_and_when() {
    let scene = scene();
    for (gc, expected) in [
        (json!({"maxSessions": 2}), "the next `session gc` may remove 2 sessions, with the data"),
        (json!({"maxSessions": 2, "keep": 365}), "`session gc` may remove the oldest session from 20"),
        (json!({"maxSessions": 2, "keep": "forever"}), "no session is ever removed"),
    ] {
        scene.config(&json!({"gc": gc}));
        let said = scene.run(&["doctor"]);
        assert!(said.stdout.contains(expected), "{gc}: {}", said.stdout);
        assert_eq!(left(&scene).len(), 4);
    }
    assert_eq!(scene.session(&["gc"]).stdout, "");
}

#[test]
fn settings_that_cannot_be_read_remove_nothing() {
    let scene = scene();
    for config in [r#"{"gc": {"maxSessions": "two"}}"#, "{ half"] {
        scene.write(".ai/hooks/config.json", config);
        assert_eq!(scene.session(&["gc"]).code, 3);
    }
    assert_eq!(left(&scene).len(), 4);
}

#[cfg(unix)]
#[test]
fn a_link_among_the_sessions_is_left_alone() {
    let scene = scene();
    scene.write(
        "elsewhere/events.jsonl",
        &fs::read_to_string(scene.path(".ai/tmp/dddddddd/events.jsonl")).unwrap(),
    );
    std::os::unix::fs::symlink(scene.path("elsewhere"), scene.path(".ai/tmp/ffffffff")).unwrap();
    let said = scene.session(&["gc"]);
    assert_eq!(said.code, 3);
    assert!(said.stderr.contains("not the folder of a session"), "{}", said.stderr);
    assert!(scene.path("elsewhere/events.jsonl").exists());
    assert_eq!(left(&scene), ["aaaaaaaa", "bbbbbbbb", "ffffffff"]);
}
