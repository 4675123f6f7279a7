//! Tests of the timeline: journals as lines, and the entries they become.

use super::*;
use serde_json::json;

fn shaped(lines: &[(&str, &str, u64, Value)]) -> Vec<Turn> {
    let mut builder = TimelineBuilder::new(Path::new("/w"), BTreeMap::new());
    for (ts, (kind, run, turn, data)) in (1_u64..).zip(lines) {
        let line = json!({
            "v": 1, "ts": ts * 100, "type": kind, "hookRunId": run, "sessionId": "a3f0c812",
            "workId": "w001", "agentId": "u00", "turnId": turn, "data": data,
        });
        builder.add(serde_json::from_value(line).unwrap());
    }
    builder.finish()
}

fn pre(tool: &str, id: Option<&str>) -> Value {
    json!({"host": "claude-code", "event": "PreToolUse", "decision": "abstain", "tool": tool,
           "toolUseId": id, "input": {"command": "ls"}})
}

fn post(tool: &str, id: Option<&str>) -> Value {
    json!({"host": "claude-code", "event": "PostToolUse", "decision": "abstain", "tool": tool,
           "toolUseId": id})
}

fn outcomes(turns: &[Turn]) -> Vec<Option<u64>> {
    let entries = turns.iter().flat_map(|turn| &turn.entries);
    entries
        .map(|entry| match &entry.what {
            EntryKind::Call(call) => call.outcome.as_ref().and_then(|outcome| outcome.ms),
            _ => None,
        })
        .collect()
}

#[test]
fn the_result_of_a_call_is_added_to_that_call() {
    let turns = shaped(&[
        ("HOOK_RUN", "A-1-1", 1, pre("Bash", Some("one"))),
        ("HOOK_RUN", "A-1-2", 1, pre("Bash", Some("two"))),
        ("HOOK_RUN", "B-1-3", 1, post("Bash", Some("one"))),
        ("HOOK_RUN", "B-1-4", 1, post("Bash", Some("two"))),
    ]);
    assert_eq!(outcomes(&turns), [Some(200), Some(200)]);
}

#[test]
fn without_an_id_the_result_belongs_to_the_last_call_of_that_tool() {
    let turns = shaped(&[
        ("HOOK_RUN", "A-1-1", 1, pre("Bash", None)),
        ("HOOK_RUN", "A-1-2", 1, pre("Read", None)),
        ("HOOK_RUN", "B-1-3", 1, post("Bash", None)),
    ]);
    assert_eq!(outcomes(&turns), [Some(200), None]);
}

#[test]
fn a_call_without_a_result_by_the_end_of_its_turn_is_not_shown_as_a_success() {
    let event = |name: &str| json!({"host": "codex", "event": name, "decision": "abstain"});
    for end in ["Stop", "UserPromptSubmit"] {
        let turns = shaped(&[
            ("HOOK_RUN", "A-1-1", 1, pre("apply_patch", Some("one"))),
            ("HOOK_RUN", "A-1-2", 1, pre("Bash", Some("two"))),
            ("HOOK_RUN", "B-1-3", 1, post("Bash", Some("two"))),
            ("HOOK_RUN", "C-1-4", 1, event(end)),
        ]);
        let calls = turns.iter().flat_map(|turn| &turn.entries).filter_map(|entry| match &entry.what {
            EntryKind::Call(call) => Some((call.tool.as_str(), call.no_result)),
            _ => None,
        });
        assert_eq!(calls.collect::<Vec<_>>(), [("apply_patch", true), ("Bash", false)], "{end}");
    }
    // It may still run.
    let turns = shaped(&[("HOOK_RUN", "A-1-1", 1, pre("Bash", Some("one")))]);
    assert!(matches!(&turns[0].entries[0].what, EntryKind::Call(call) if !call.no_result));
}

#[test]
fn results_of_parallel_calls_without_ids_belong_to_the_calls_with_the_same_command() {
    let decided = |command: &str| json!({"tool": "bash", "command": command});
    let ended = |command: &str, ok: bool| json!({"tool": "bash", "command": command, "ok": ok});
    let turns = shaped(&[
        ("TOOL_DECISION", "A-1-1", 1, decided("echo a")),
        ("HOOK_RUN", "A-1-1", 1, pre("bash", None)),
        ("TOOL_DECISION", "A-1-2", 1, decided("exit 4")),
        ("HOOK_RUN", "A-1-2", 1, pre("bash", None)),
        ("TOOL_OUTCOME", "B-1-3", 1, ended("echo a", true)),
        ("HOOK_RUN", "B-1-3", 1, post("bash", None)),
        // A module rewrote its input.
        ("TOOL_OUTCOME", "B-1-4", 1, ended("exit 5", false)),
        ("HOOK_RUN", "B-1-4", 1, post("bash", None)),
    ]);
    let results = turns[0].entries.iter().filter_map(|entry| match &entry.what {
        EntryKind::Call(call) => call.outcome.as_ref().map(|outcome| outcome.ok),
        _ => None,
    });
    assert_eq!(results.collect::<Vec<_>>(), [true, false]);
}

#[test]
fn a_result_without_a_call_is_a_separate_entry() {
    let turns = shaped(&[("HOOK_RUN", "B-1-3", 1, post("Bash", Some("one")))]);
    assert!(matches!(turns[0].entries[0].what, EntryKind::Result { .. }));
}

#[test]
fn a_warning_appears_once_per_turn() {
    let mut warned = pre("Bash", None);
    warned["warnings"] = json!(["module `x` is skipped"]);
    let turns = shaped(&[
        ("HOOK_RUN", "A-1-1", 1, warned.clone()),
        ("HOOK_RUN", "A-1-2", 1, warned.clone()),
        ("HOOK_RUN", "A-2-3", 2, warned),
    ]);
    let n_warnings = |turn: &Turn| {
        turn.entries.iter().filter(|entry| matches!(entry.what, EntryKind::Warning { .. })).count()
    };
    assert_eq!(turns.iter().map(n_warnings).collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn marks_and_checks_of_the_plan_are_entries() {
    let turns = shaped(&[
        ("HOOK_RUN", "A-1-1", 1, pre("Bash", None)),
        ("PLAN_NODE", "plan-1-2", 1, json!({"node": "api", "from": "active", "to": "complete"})),
        ("PLAN_CHECKED", "plan-1-3", 1, json!({"nodes": ["api"], "validations": 3, "failing": 1})),
        ("PLAN_CHECKED", "plan-1-4", 1, json!({"nodes": ["api", "ui"], "validations": 2, "failing": 0})),
    ]);
    let told: Vec<_> = turns[0]
        .entries
        .iter()
        .filter_map(|entry| match &entry.what {
            EntryKind::Plan { text, holds } => Some((text.as_str(), *holds)),
            _ => None,
        })
        .collect();
    assert_eq!(
        told,
        [
            ("api: active → complete", true),
            ("api: 1 of 3 validations failed", false),
            ("api, ui: all 2 validations passed", true),
        ]
    );
}

#[test]
fn an_event_of_a_project_module_appears_under_its_name() {
    let turns = shaped(&[("SEEN", "A-1-1", 1, json!({"n": 1})), ("HOOK_RUN", "A-1-1", 1, pre("Bash", None))]);
    let names: Vec<_> = turns[0]
        .entries
        .iter()
        .filter_map(|entry| match &entry.what {
            EntryKind::Note { name, .. } => Some(name.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(names, ["SEEN"]);
}
