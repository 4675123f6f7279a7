//! The summary at the end of a turn: its figures are checked against the journal, counted here in another
//! way.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::{Value, json};
use testkit::{Sandbox, SessionFiles, schema};

use crate::{reading, sandbox_with, shell};

const SUMMARY: &str = "stop-synth/summary.json";
const PAGE: &str = "stop-synth/summary.md";

fn sandbox() -> Sandbox {
    sandbox_with(json!({"modules": {"stop-synth": {}}}))
}

fn write(id: &str, path: &str) -> Value {
    json!({"tool_name": "Write", "tool_use_id": id, "tool_input": {"file_path": path, "content": "x"}})
}

fn failed(mut call: Value, error: &str) -> Value {
    call["error"] = json!(error);
    call
}

fn answered(mut call: Value) -> Value {
    call["tool_response"] = json!({"ok": true});
    call
}

/// A session with events of every kind.
fn eventful(sandbox: &Sandbox) {
    sandbox.raw("SessionStart", &json!({"source": "startup"}));
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "make it faster"}));
    for (id, path) in [("w1", "src/a.rs"), ("w2", "src/a.rs"), ("w3", "src/b.rs")] {
        sandbox.raw("PreToolUse", &write(id, path));
        sandbox.raw("PostToolUse", &answered(write(id, path)));
    }
    sandbox.raw("PreToolUse", &reading("r1", "src/a.rs"));
    sandbox.raw("PostToolUse", &answered(reading("r1", "src/a.rs")));
    for (id, error) in [("t1", Some("error[E0432]: unresolved import")), ("t2", Some("still")), ("t3", None)]
    {
        let call = shell(id, "cargo  test");
        sandbox.raw("PreToolUse", &call);
        let ended = error.map_or_else(|| answered(call.clone()), |error| failed(call.clone(), error));
        sandbox.raw("PostToolUse", &ended);
    }
    sandbox.raw("PreToolUse", &shell("b1", "npm run build"));
    sandbox.raw("PostToolUse", &failed(shell("b1", "npm run build"), "no such script | `x`"));
    for id in ["d1", "d2"] {
        sandbox.raw("PreToolUse", &shell(id, "rm -rf /"));
    }
    sandbox.raw("PreToolUse", &shell("p1", "npm publish"));
    sandbox.raw("PostToolUse", &answered(shell("p1", "npm publish")));
    sandbox.raw("PreToolUse", &shell("p2", "sudo reboot-later"));
    sandbox.raw("SubagentStart", &json!({"agent_id": "x", "agent_type": "Explore"}));
}

/// The lines of the journal that the summary covers.
fn lines_of(session: &SessionFiles, summary: &Value) -> Vec<Value> {
    let text = fs::read_to_string(session.root.join("events.jsonl")).unwrap();
    let count = usize::try_from(summary["journal"]["lines"].as_u64().unwrap()).unwrap();
    let lines: Vec<&str> = text.lines().take(count).collect();
    let bytes: usize = lines.iter().map(|line| line.len() + 1).sum();
    assert_eq!(summary["journal"]["bytes"], bytes);
    lines.into_iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn of<'a>(lines: &'a [Value], kind: &'a str) -> impl Iterator<Item = &'a Value> {
    lines.iter().filter(move |line| line["type"] == kind).map(|line| &line["data"])
}

/// Counts the journal in another way than the module, and compares every figure.
fn check_figures(session: &SessionFiles) -> Value {
    let summary = session.output(SUMMARY).unwrap();
    schema::check("stop-summary", &summary);
    let lines = lines_of(session, &summary);
    let decided = |word: &str| of(&lines, "TOOL_DECISION").filter(|data| data["decision"] == word).count();
    let ended = |ok: bool| of(&lines, "TOOL_OUTCOME").filter(|data| data["ok"] == ok).count();
    let judged = of(&lines, "TOOL_DECISION").count();
    assert_eq!(
        summary["calls"],
        json!({
            "judged": judged, "passed": judged - decided("deny") - decided("ask"), "denied": decided("deny"),
            "asked": decided("ask"), "done": ended(true), "failed": ended(false),
        })
    );
    let mut changed: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for data in of(&lines, "TOOL_OUTCOME").filter(|data| data["ok"] == true) {
        for touch in data["touches"].as_array().into_iter().flatten() {
            let counts = changed.entry(touch["path"].as_str().unwrap().to_owned());
            match touch["access"].as_str().unwrap() {
                "read" => {}
                "delete" => counts.or_default().1 += 1,
                _ => counts.or_default().0 += 1,
            }
        }
    }
    let shown = summary["changed"]["items"].as_array().unwrap();
    let shown: BTreeMap<String, (u64, u64)> = shown
        .iter()
        .map(|file| {
            let number = |key: &str| file[key].as_u64().unwrap();
            (file["path"].as_str().unwrap().to_owned(), (number("writes"), number("deletions")))
        })
        .collect();
    assert_eq!(shown, changed);
    assert_eq!(summary["changed"]["total"], changed.len());
    let times: Vec<u64> = lines.iter().map(|line| line["ts"].as_u64().unwrap()).collect();
    assert_eq!(summary["time"]["startedTs"].as_u64(), times.iter().min().copied());
    assert_eq!(summary["time"]["endedTs"].as_u64(), times.iter().max().copied());
    let prompts: BTreeSet<u64> = lines
        .iter()
        .filter(|line| line["type"] == "PROMPT")
        .map(|line| line["turnId"].as_u64().unwrap())
        .collect();
    assert_eq!(summary["turns"], prompts.len());
    let subagents = of(&lines, "HOOK_RUN").filter(|data| data["event"] == "SubagentStart").count();
    assert_eq!(summary["subagents"], subagents);
    let mut failures: BTreeMap<String, (u64, bool)> = BTreeMap::new();
    for data in of(&lines, "TOOL_OUTCOME") {
        let command =
            data["command"].as_str().map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
        let subject = command.unwrap_or_else(|| data["touches"][0]["path"].as_str().unwrap().to_owned());
        if data["ok"] == false {
            let failure = failures.entry(subject).or_default();
            *failure = (failure.0 + 1, false);
        } else if let Some(failure) = failures.get_mut(&subject) {
            failure.1 = true;
        }
    }
    let shown = summary["failures"]["items"].as_array().unwrap().iter().map(|failure| {
        let fixed = failure["end"]["as"] == "fixed";
        (failure["subject"].as_str().unwrap().to_owned(), (failure["times"].as_u64().unwrap(), fixed))
    });
    assert_eq!(shown.collect::<BTreeMap<_, _>>(), failures);
    summary
}

#[test]
fn every_figure_is_what_the_journal_adds_up_to() {
    let sandbox = sandbox();
    eventful(&sandbox);
    assert!(sandbox.raw("Stop", &json!({})).get("warnings").is_none());
    let session = sandbox.session();
    let summary = check_figures(&session);
    assert_eq!(summary["calls"]["judged"], 12);
    assert_eq!(summary["changed"]["items"][0], json!({"path": "src/a.rs", "writes": 2, "deletions": 0}));
    assert_eq!(summary["denied"]["items"][0]["times"], 2);
    let page = session.output_text(PAGE).unwrap();
    for text in [
        "12 tool calls: 8 passed, 2 denied, 2 asked about. 6 ended well, 3 failed.",
        "| `src/a.rs` | 2 | 0 |",
        "`cargo test` failed 2 times, worked at ",
        "`npm run build` failed 1 time, did not work since. Last: no such script \\| \\`x\\`",
        "a prompt of 14 characters",
    ] {
        assert!(page.contains(text), "`{text}` is not in\n{page}");
    }
    sandbox.check_everything();
}

#[test]
fn the_next_end_of_a_turn_counts_everything_again() {
    let sandbox = sandbox();
    eventful(&sandbox);
    sandbox.raw("Stop", &json!({}));
    let before = check_figures(&sandbox.session());
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "go on"}));
    sandbox.raw("PreToolUse", &shell("b2", "npm run build"));
    sandbox.raw("PostToolUse", &answered(shell("b2", "npm run build")));
    sandbox.raw("Stop", &json!({}));
    let after = check_figures(&sandbox.session());
    assert_eq!(after["turns"], 2);
    let still_open =
        |summary: &Value| summary["failures"]["items"].to_string().matches("\"as\":\"open\"").count();
    assert_eq!((still_open(&before), still_open(&after)), (1, 0));
    // Registered once, written twice.
    let registered: Vec<_> = sandbox.session().registry().iter().map(|line| line["path"].clone()).collect();
    assert_eq!(registered.len(), registered.iter().map(Value::to_string).collect::<BTreeSet<_>>().len());
    sandbox.check_everything();
}

#[test]
fn what_a_person_decided_is_drafted_as_a_record() {
    let sandbox = sandbox();
    eventful(&sandbox);
    sandbox.raw("Stop", &json!({}));
    let session = sandbox.session();
    let decisions = session.output(SUMMARY).unwrap()["decisions"].clone();
    assert_eq!(decisions["total"], 1, "{decisions}");
    assert_eq!(decisions["items"][0]["way"], "approved");
    let draft = session.output_text("stop-synth/adr/w001.md").unwrap();
    assert!(
        draft.contains("1. `Bash: npm publish`. `shell-guard` asked, and the user permitted it."),
        "{draft}"
    );
    assert!(draft.contains("Status: draft"), "{draft}");
    let kinds: Vec<_> = session.registry().iter().map(|line| line["kind"].clone()).collect();
    assert!(kinds.contains(&json!("adr")), "{kinds:?}");
}

#[test]
fn nothing_decided_is_no_record() {
    let sandbox = sandbox();
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "hello"}));
    sandbox.raw("Stop", &json!({}));
    assert!(!sandbox.session().root.join("stop-synth/output/adr").exists());
    check_figures(&sandbox.session());
}

#[test]
fn a_forged_line_of_a_module_is_not_counted() {
    let forged = "return { emitEvents: [{ type: 'TOOL_DECISION', tool: 'X', decision: 'deny' }, \
                  { type: 'TOOL_OUTCOME', tool: 'X', ok: false }] }";
    let sandbox = crate::js::sandbox(&[("forger", forged)], json!({"modules": {"stop-synth": {}}}));
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "go"}));
    sandbox.raw("Stop", &json!({}));
    assert_eq!(sandbox.session().output(SUMMARY).unwrap()["calls"]["judged"], 0);
}

#[test]
fn secrets_do_not_reach_the_page() {
    let sandbox = sandbox();
    let secret = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    let call = shell("t1", &format!("curl -H 'Authorization: Bearer {secret}' https://example.com"));
    sandbox.raw("PreToolUse", &call);
    sandbox.raw("PostToolUse", &failed(call, &format!("401 for {secret}")));
    sandbox.raw("Stop", &json!({}));
    let session = sandbox.session();
    for file in [SUMMARY, PAGE] {
        assert!(!session.output_text(file).unwrap().contains(&secret), "{file}");
    }
}

#[test]
fn a_mistake_in_the_settings_is_reported_and_defaults_are_used() {
    let sandbox = sandbox();
    sandbox.write(".ai/hooks/config.json", r#"{"stop-synth":{"listItems":"many"}}"#);
    let answer = sandbox.raw("Stop", &json!({}));
    assert!(
        answer["warnings"].to_string().contains("config.json`, line 1, column 33: invalid type"),
        "{answer}"
    );
    assert!(sandbox.session().output(SUMMARY).is_some());
}

#[test]
fn a_link_in_place_of_the_output_folder_is_not_followed() {
    let sandbox = sandbox();
    sandbox.raw("UserPromptSubmit", &json!({"prompt": "go"}));
    let session = sandbox.session();
    #[cfg(unix)]
    {
        fs::create_dir_all(session.root.join("stop-synth")).unwrap();
        std::os::unix::fs::symlink(sandbox.elsewhere(), session.root.join("stop-synth/output")).unwrap();
        let answer = sandbox.raw("Stop", &json!({}));
        assert!(answer["warnings"].to_string().contains("cannot write its `summary.md`"), "{answer}");
        assert_eq!(fs::read_dir(sandbox.elsewhere()).unwrap().count(), 0);
    }
}
