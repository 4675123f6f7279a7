//! A broken disk costs the affected records, never the answer.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::{js, patient, sandbox, sandbox_with, shell};

const NO_RM: (&str, &str) = (
    "no-rm",
    "if (ctx.event.command?.startsWith('rm')) return { decision: 'deny', denyReason: 'Use trash.' }",
);

/// Breaks something, then checks that a good call passes, a bad one does not, and the user is warned.
fn still_judges(what: &str, problem: &str, break_it: impl FnOnce(&Sandbox)) -> Sandbox {
    let sandbox = js::sandbox(&[NO_RM], json!({}));
    break_it(&sandbox);
    let pass = sandbox.raw("PreToolUse", &shell("t1", "ls"));
    assert_eq!(pass["decision"], "allow", "{what}");
    assert!(pass["warnings"].to_string().contains(problem), "{what}: {pass}");
    assert_eq!(sandbox.raw("PreToolUse", &shell("t2", "rm x"))["decision"], "deny", "{what}");
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "x"}));
    sandbox.raw("Stop", &json!({}));
    sandbox
}

/// Creates one session and returns its folder.
fn with_a_session(sandbox: &Sandbox) -> PathBuf {
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "one"}));
    sandbox.raw("PreToolUse", &shell("t0", "touch x"));
    sandbox.session().root
}

fn replace_by_file(path: &Path) {
    let _ = fs::remove_dir_all(path);
    let _ = fs::remove_file(path);
    fs::write(path, "a file").unwrap();
}

fn replace_by_folder(path: &Path) {
    let _ = fs::remove_file(path);
    fs::create_dir_all(path.join("not empty")).unwrap();
}

fn replace_by_pipe(path: &Path) {
    let _ = fs::remove_file(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let made = std::process::Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success(), "{}", path.display());
}

#[test]
fn a_pipe_in_place_of_a_file_holds_nothing_up() {
    let files = [
        ".ai/hooks/workspace.json",
        ".ai/hooks/dispatch.manifest.json",
        ".ai/hooks/config.json",
        "state.json",
        "events.jsonl",
    ];
    for file in files {
        let sandbox = sandbox();
        let session = with_a_session(&sandbox);
        let place = if file.starts_with(".ai") { sandbox.path(file) } else { session.join(file) };
        replace_by_pipe(&place);
        let pass = sandbox.raw("PreToolUse", &shell("t1", "ls"));
        assert_eq!(pass["decision"], "allow", "{file}");
        assert!(pass["warnings"].to_string().contains("a pipe, a socket or a device"), "{file}: {pass}");
        assert_eq!(sandbox.raw("PreToolUse", &shell("t2", "rm -rf /"))["decision"], "deny", "{file}");
        sandbox.raw("UserPromptSubmit", &json!({"prompt": "x"}));
        sandbox.raw("Stop", &json!({}));
    }
}

#[test]
fn a_file_in_place_of_the_state_folder() {
    let sandbox =
        still_judges("tmp is a file", "cannot record anything", |it| replace_by_file(&it.path(".ai/tmp")));
    assert_eq!(fs::read(sandbox.path(".ai/tmp")).unwrap(), b"a file");
}

#[test]
fn a_file_in_place_of_the_folder_of_everything() {
    let sandbox = sandbox();
    replace_by_file(&sandbox.path(".ai"));
    let answer = sandbox.raw("PreToolUse", &shell("t1", "ls"));
    assert_eq!(answer["decision"], "allow");
    assert!(answer["warnings"].to_string().contains("cannot record anything"), "{answer}");
    assert_eq!(fs::read(sandbox.path(".ai")).unwrap(), b"a file");
}

#[test]
fn a_file_in_place_of_the_session() {
    still_judges("session is a file", "cannot record anything", |it| replace_by_file(&with_a_session(it)));
}

#[test]
fn a_folder_in_place_of_the_journal() {
    still_judges("events.jsonl is a folder", "cannot record anything", |it| {
        replace_by_folder(&with_a_session(it).join("events.jsonl"));
    });
}

#[test]
fn a_folder_in_place_of_a_journal_beside() {
    let sandbox = sandbox();
    replace_by_folder(&with_a_session(&sandbox).join("p.jsonl"));
    let answer = sandbox.raw("UserPromptSubmit", &json!({"prompt": "two"}));
    assert!(answer["warnings"].to_string().contains("cannot record anything"), "{answer}");
    assert_eq!(sandbox.session().core("lastTurnId"), 2);
    assert_eq!(sandbox.session().events_of("PROMPT").len(), 2);
}

#[test]
fn a_folder_in_place_of_the_snapshot_costs_the_snapshot_alone() {
    let sandbox = still_judges("state.json is a folder", "cannot read state.json", |it| {
        replace_by_folder(&with_a_session(it).join("state.json"));
    });
    let session = sandbox.session();
    assert_eq!(session.prompts().len(), 2, "the prompt is recorded all the same");
    assert_eq!(session.events_of("PROMPT").len(), 2);
}

/// The journal is the truth: the next run rebuilds a damaged snapshot.
#[test]
fn a_snapshot_that_is_lost_or_broken_is_brought_back_from_the_journal() {
    for broken in
        ["", "{", "\0\0\0\0", "[]", "7", "{\"version\":\"x\"}", "{\"core\":{\"lastTurnId\":-1}}", "gone"]
    {
        let sandbox = sandbox_with(json!({"blockAfterDenies": 1}));
        let root = with_a_session(&sandbox);
        let before = sandbox.session().state();
        if broken == "gone" {
            fs::remove_file(root.join("state.json")).unwrap();
        } else {
            fs::write(root.join("state.json"), broken).unwrap();
        }
        let answer = sandbox.raw("PostToolUse", &shell("t0", "touch x"));
        assert_eq!(answer.get("warnings").is_some(), broken != "gone", "{broken:?}: {answer}");
        let session = sandbox.session();
        assert_eq!(session.last_run()["turnId"], 1, "{broken:?}: the run knows where the session stands");
        for field in ["lastTurnId", "phase", "workId", "sessionId", "hostSessionId", "host"] {
            assert_eq!(session.core(field), before["core"][field], "{broken:?}: {field}");
        }
        sandbox.check_everything();
    }
}

#[test]
fn a_snapshot_that_is_late_is_brought_up_to_date_before_it_is_believed() {
    let manifest = json!({"enforcePhases": true, "phasePolicy": {"BLOCKED": {"allowTools": []}}});
    let sandbox = sandbox_with(manifest.clone());
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "one"}));
    let root = sandbox.session().root;
    let late = fs::read(root.join("state.json")).unwrap();
    sandbox.manifest(&patient(json!({
        "enforcePhases": true, "blockAfterDenies": 1, "phasePolicy": {"PLANNING": {"allowTools": []}},
    })));
    assert_eq!(sandbox.raw("PreToolUse", &shell("t1", "ls"))["decision"], "deny");
    assert_eq!(sandbox.session().core("phase"), "BLOCKED");
    // As if the process had died between journal and snapshot.
    fs::write(root.join("state.json"), late).unwrap();
    sandbox.manifest(&patient(manifest));
    assert_eq!(sandbox.raw("PreToolUse", &shell("t2", "ls"))["decision"], "deny");
    sandbox.check_everything();
}

#[test]
fn a_snapshot_of_a_newer_build_is_left_alone() {
    let newer = r#"{"version":99,"core":{"tomorrow":true}}"#;
    let sandbox = still_judges("a newer state", "newer than", |it| {
        fs::write(with_a_session(it).join("state.json"), newer).unwrap();
    });
    let path = sandbox.session().root.join("state.json");
    assert_eq!(fs::read_to_string(path).unwrap(), newer);
}

#[test]
fn a_manifest_that_cannot_be_used_leaves_the_defaults() {
    for (text, problem) in [
        ("", "EOF"),
        ("{", "EOF"),
        ("[]", "not an array"),
        ("{\"budgets\":7}", "invalid type"),
        ("{\"version\":99}", "newer than"),
        ("\u{1F600}", "expected value"),
    ] {
        let sandbox = sandbox();
        sandbox.write(".ai/hooks/dispatch.manifest.json", text);
        let answer = sandbox.raw("PreToolUse", &shell("t1", "ls"));
        assert_eq!(answer["decision"], "allow", "{text}");
        let warnings = answer["warnings"].to_string();
        assert!(warnings.contains("cannot read the manifest") && warnings.contains(problem), "{warnings}");
        assert!(sandbox.dispatch_log().contains("cannot read the manifest"));
        sandbox.check_everything();
    }
}

#[test]
fn settings_that_cannot_be_used_leave_the_defaults() {
    for text in ["", "[]", "{\"session\":", "{\"version\":99}"] {
        let sandbox = sandbox();
        sandbox.write(".ai/hooks/config.json", text);
        let answer = sandbox.raw("UserPromptSubmit", &json!({"prompt": "x"}));
        assert!(answer["warnings"].to_string().contains("cannot read the settings"), "{text}: {answer}");
        assert_eq!(sandbox.session().prompts().len(), 1);
    }
    let sandbox = sandbox();
    sandbox.write(".ai/hooks/config.json", r#"{"session": {"promptAudit": 7}}"#);
    let answer = sandbox.raw("UserPromptSubmit", &json!({"prompt": "x"}));
    assert!(answer["warnings"].to_string().contains("only the hash of the prompt is recorded"), "{answer}");
    assert_eq!(sandbox.session().prompts().len(), 1);
}

#[test]
fn folders_in_place_of_our_settings() {
    for name in ["dispatch.manifest.json", "config.json", "workspace.json"] {
        let sandbox = sandbox();
        replace_by_folder(&sandbox.path(".ai/hooks").join(name));
        let answer = sandbox.raw("PreToolUse", &shell("t1", "ls"));
        assert!(answer["warnings"].to_string().contains("cannot read"), "{name}: {answer}");
        sandbox.check_everything();
    }
}

#[test]
fn a_layout_that_points_outside_is_refused() {
    for outside in ["../elsewhere", "/tmp/evil", ".ai/../src", ".ai/hooks/x"] {
        let sandbox = sandbox();
        sandbox.write(".ai/hooks/workspace.json", json!({"workRoot": outside}).to_string());
        let before = sandbox.tree();
        let answer = sandbox.raw("PreToolUse", &shell("t1", "ls"));
        assert!(answer["warnings"].to_string().contains("workRoot"), "{outside}: {answer}");
        assert_eq!(sandbox.strays_since(&before), [""; 0].map(PathBuf::from), "{outside}");
        sandbox.check_everything();
    }
}

/// Replaces a file of steersman by a link; nothing may be written through it.
#[test]
fn links_do_not_lead_our_writing_out_of_the_workspace() {
    for name in [
        ".ai",
        ".ai/tmp",
        "SID",
        "SID/events.jsonl",
        "SID/state.json",
        "SID/state.json.tmp",
        "SID/p.jsonl",
        "SID/registry.jsonl",
        "SID/mine",
        "SID/mine/logs",
        "SID/mine/logs/debug.log",
        ".ai/tmp/dispatch.log",
        ".ai/tmp/.gitignore",
    ] {
        let body = "ctx.log('info', 'hello'); return { registerArtifacts: [{ kind: 'k', path: 'p' }] }";
        let sandbox = js::sandbox(&[("mine", body)], json!({}));
        let link = sandbox.path(name.replace("SID", ".ai/tmp/de44ca18"));
        let target = sandbox.elsewhere().join("target");
        let is_folder = !link.file_name().unwrap().to_string_lossy().contains('.')
            || name.ends_with("tmp")
            || name == ".ai";
        let is_folder = is_folder && !name.ends_with("json.tmp");
        if name == ".ai" {
            fs::rename(&link, &target).unwrap();
        } else if is_folder {
            fs::create_dir_all(&target).unwrap();
        } else {
            fs::write(&target, "").unwrap();
        }
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        symlink(&target, &link).unwrap();
        let before = sandbox.tree();
        sandbox.raw("UserPromptSubmit", &json!({"prompt": "x"}));
        sandbox.raw("PreToolUse", &shell("t1", "touch x"));
        sandbox.dispatch("raw", "PreToolUse").stdin("{\"half").run().object();
        let strays: Vec<_> =
            sandbox.strays_since(&before).into_iter().filter(|path| path.starts_with("elsewhere")).collect();
        assert_eq!(strays, [""; 0].map(PathBuf::from), "{name}");
    }
}

#[test]
fn a_link_that_stays_in_the_workspace_is_the_projects_own_business() {
    let sandbox = sandbox();
    fs::create_dir_all(sandbox.path("var/hooks")).unwrap();
    symlink(sandbox.path("var/hooks"), sandbox.path(".ai/tmp")).unwrap();
    sandbox.raw("PreToolUse", &shell("t1", "ls"));
    assert_eq!(sandbox.session().events_of("HOOK_RUN").len(), 1);
}

/// Runs one event in a process that cannot write files larger than this many blocks of 512 bytes.
fn with_little_room(sandbox: &Sandbox, blocks: usize, event: &str, more: &Value) -> Value {
    let binary = env!("CARGO_BIN_EXE_steersman");
    let script = format!("ulimit -f {blocks}; exec '{binary}' dispatch {event} --host raw");
    let payload = testkit::payload::raw(event, &sandbox.root(), more);
    testkit::Call::of("/bin/sh", &sandbox.root()).args(["-c", &script]).payload(&payload).run().object()
}

#[test]
fn a_disk_without_room_costs_the_record_and_not_the_answer() {
    for blocks in 0..6 {
        let sandbox = sandbox();
        sandbox.raw("UserPromptSubmit", &json!({"prompt": "one"}));
        let turn = sandbox.session().core("lastTurnId");
        for round in 0..6 {
            let answer =
                with_little_room(&sandbox, blocks, "PreToolUse", &shell(&format!("{round}"), "touch x"));
            testkit::schema::check("hook-output", &answer);
            assert_eq!(answer["decision"], "allow");
            with_little_room(&sandbox, blocks, "UserPromptSubmit", &json!({"prompt": "two"}));
            sandbox.check_everything();
        }
        if blocks == 0 {
            let answer = with_little_room(&sandbox, blocks, "PreToolUse", &shell("last", "touch x"));
            assert!(answer["warnings"].to_string().contains("cannot record anything"), "{answer}");
        }
        assert!(sandbox.session().core("lastTurnId").as_u64() >= turn.as_u64());
        sandbox.raw("PreToolUse", &shell("after", "ls"));
        sandbox.check_everything();
    }
}

#[test]
fn a_disk_without_room_tears_no_line_of_the_log() {
    let sandbox = sandbox();
    // Every event logs a fault, and the log grows beyond the available space.
    sandbox.write(".ai/hooks/config.json", "{broken");
    let room_for = |blocks: usize, n: usize| {
        with_little_room(&sandbox, blocks, "PreToolUse", &shell(&format!("{blocks}.{n}"), "ls"));
    };
    for blocks in 1..4 {
        for n in 0..6 {
            room_for(blocks, n);
            let log = sandbox.dispatch_log();
            assert!(log.is_empty() || log.ends_with('\n'), "{log}");
            let whole = |line: &str| line.starts_with("20") && line.contains(" PreToolUse ");
            assert!(log.lines().all(whole), "{log}");
        }
        assert!(sandbox.dispatch_log().len() <= blocks * 512, "there was no room for more");
    }
    sandbox.raw("PreToolUse", &shell("after", "ls"));
    assert!(sandbox.dispatch_log().len() > 512, "there is something to tear");
}

#[test]
fn a_pipe_in_place_of_a_file_is_answered_for_in_time() {
    for name in [".ai/hooks/config.json", ".ai/tmp/de44ca18/state.json", ".ai/tmp/de44ca18/events.jsonl"] {
        let sandbox = sandbox();
        fs::create_dir_all(sandbox.path(name).parent().unwrap()).unwrap();
        let made = std::process::Command::new("mkfifo").arg(sandbox.path(name)).status();
        assert!(made.unwrap().success());
        let payload = testkit::payload::raw("PreToolUse", &sandbox.root(), &shell("t1", "ls"));
        let answer = sandbox.dispatch("raw", "PreToolUse").payload(&payload).run();
        let object = answer.object_within(std::time::Duration::from_secs(8));
        testkit::schema::check("hook-output", &object);
    }
}

#[test]
fn a_manifest_that_is_broken_elsewhere_still_says_what_becomes_of_faults() {
    for (text, decision) in [
        (r#"{"onFault": "deny", "modules": [,]}"#, "deny"),
        (r#"{"onFault": "abstain", "modules": [,]}"#, "allow"),
        (r#"{"modules": [,]}"#, "allow"),
    ] {
        let sandbox = sandbox();
        sandbox.write(".ai/hooks/dispatch.manifest.json", text);
        let answer = sandbox.raw("PreToolUse", &shell("t1", "ls"));
        assert_eq!(answer["decision"], decision, "{text}: {answer}");
        let after = sandbox.raw("PostToolUse", &shell("t1", "ls"));
        assert_eq!(after["decision"], "allow", "only a call that waits can be refused: {after}");
        sandbox.check_everything();
    }
}
