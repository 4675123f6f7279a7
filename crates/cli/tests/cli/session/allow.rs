//! `session allow`

use serde_json::{Value, json};

use super::scene::{CLAUDE, CODEX, Scene};

fn decision(answer: &Value) -> Option<&str> {
    answer["hookSpecificOutput"]["permissionDecision"].as_str()
}

#[test]
fn exactly_that_call_passes_exactly_once() {
    let scene = Scene::with_careful_module();
    assert_eq!(decision(&scene.shell("codex", "1", "git push")), Some("deny"));
    let said = scene.session(&["allow", &scene.run_of(CODEX, "git push")]);
    assert_eq!(said.code, 0);
    assert!(said.stderr.starts_with("permitted once, for ten minutes: Bash  git push\n"), "{}", said.stderr);
    assert_eq!(decision(&scene.shell("codex", "2", "git push --force")), Some("deny"), "another call");
    assert_eq!(decision(&scene.shell("codex", "3", "git push")), None);
    assert_eq!(decision(&scene.shell("codex", "4", "git push")), Some("deny"), "a second time");
}

#[test]
fn a_host_that_can_ask_does_not_ask_about_what_is_permitted() {
    let scene = Scene::with_careful_module();
    assert_eq!(decision(&scene.shell("claude-code", "1", "git push")), Some("ask"));
    assert_eq!(scene.session(&["allow", &scene.run_of(CLAUDE, "git push")]).code, 0);
    assert_eq!(decision(&scene.shell("claude-code", "2", "git push")), None);
}

#[test]
fn a_refusal_or_what_passed_anyway_cannot_be_permitted() {
    let scene = Scene::with_careful_module();
    scene.shell("codex", "1", "rm -rf build");
    scene.shell("codex", "2", "ls");
    for (command, why) in
        [("rm -rf build", "Only a call that needs a confirmation"), ("ls", "was not denied")]
    {
        let said = scene.session(&["allow", &scene.run_of(CODEX, command)]);
        assert_eq!(said.code, 1);
        assert!(said.stderr.contains(why), "{}", said.stderr);
    }
    assert!(!scene.path(&format!(".ai/tmp/{CODEX}/session/allowed")).exists());
}

#[test]
fn calls_that_share_an_id_need_a_hash() {
    let scene = Scene::new();
    let line = |hash: &str| {
        json!({
            "v": 1, "ts": 1_740_700_000_123_u64, "type": "HOOK_RUN", "hookRunId": "PreToolUse-1-1740700000123",
            "sessionId": "a3f0c812", "workId": "w001", "agentId": "u00", "turnId": 1,
            "data": {"host": "codex", "event": "PreToolUse", "decision": "deny", "inputHash": hash, "tool": "Bash",
                     "modules": [{"name": "m", "decision": "ask"}]},
        })
    };
    scene.write(".ai/tmp/a3f0c812/events.jsonl", &format!("{}\n{}\n", line("aaaa"), line("bbbb")));
    let run = "PreToolUse-1-1740700000123";
    let said = scene.session(&["allow", run]);
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("--call aaaa") && said.stderr.contains("--call bbbb"), "{}", said.stderr);
    assert_eq!(scene.session(&["allow", run, "--call", "bbbb"]).code, 0);
    assert!(scene.path(".ai/tmp/a3f0c812/session/allowed/bbbb").exists());
    assert!(!scene.path(".ai/tmp/a3f0c812/session/allowed/aaaa").exists());
    assert_eq!(scene.session(&["allow", run, "--call", "../../x"]).code, 1);
}

#[test]
fn an_unknown_run_cannot_be_permitted() {
    let scene = Scene::new();
    assert_eq!(scene.session(&["allow", "PreToolUse-1-1740700000123"]).code, 1);
    assert_eq!(scene.session(&["allow", "everything"]).code, 2);
}

#[test]
fn a_permission_that_no_person_gave_is_not_believed() {
    let scene = Scene::with_careful_module();
    assert_eq!(decision(&scene.shell("codex", "1", "git push")), Some("deny"));
    scene.session(&["allow", &scene.run_of(CODEX, "git push")]);
    let folder = scene.path(&format!(".ai/tmp/{CODEX}/session/allowed"));
    let file = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let journal = scene.path(&format!(".ai/tmp/{CODEX}/events.jsonl"));
    let lines = std::fs::read_to_string(&journal).unwrap();
    let kept: String = lines.split_inclusive('\n').filter(|line| !line.contains("CALL_ALLOWED")).collect();
    std::fs::write(&journal, kept).unwrap();
    assert!(file.exists());
    assert_eq!(decision(&scene.shell("codex", "2", "git push")), Some("deny"));
    assert!(std::fs::read_to_string(&journal).unwrap().contains("\"FORGED\""));
    assert!(!file.exists());
}
