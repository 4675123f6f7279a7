//! Property tests: no input panics, and every answer is one JSON object.

use event::{ContextNote, Decision, Verdict};
use host::{EventKind, Hints, Host, ParsedEvent, Protocol, ReplyTarget, parse, recognise, render};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value};

use crate::fixtures;

/// Words that have a meaning somewhere in a payload.
const WORDS: [&str; 40] = [
    "hook_event_name",
    "hookEventName",
    "hookName",
    "session_id",
    "sessionId",
    "conversation_id",
    "cwd",
    "timestamp",
    "tool_name",
    "toolName",
    "tool_input",
    "toolArgs",
    "tool_response",
    "toolResult",
    "tool_result",
    "file_path",
    "path",
    "command",
    "input",
    "patch",
    "files",
    "replacements",
    "error",
    "isError",
    "mcp_context",
    "PreToolUse",
    "preToolUse",
    "BeforeTool",
    "PostToolUse",
    "PostToolUseFailure",
    "beforeShellExecution",
    "beforeMCPExecution",
    "Stop",
    "Bash",
    "apply_patch",
    "memory",
    "mcp__",
    "mcp_a_b",
    "*** Begin Patch\n*** Move to: ",
    "--- \n+++ ",
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![4 => select(WORDS.to_vec()).prop_map(str::to_owned), 1 => any::<String>()]
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word().prop_map(Value::from),
        Just(Value::from("{\"command\": \"ls\", \"path\": [1]}")),
    ];
    leaf.prop_recursive(5, 40, 8, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::from),
            btree_map(word(), inner, 0..8)
                .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<String, Value>>())),
        ]
    })
}

/// A change of one field of a recorded payload.
#[derive(Debug, Clone)]
enum Damage {
    Drop,
    Replace(Value),
    Rename(String),
    Wrap,
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        Just(Damage::Drop),
        json().prop_map(Damage::Replace),
        word().prop_map(Damage::Rename),
        Just(Damage::Wrap),
    ]
}

fn damaged() -> impl Strategy<Value = (Host, String, Value)> {
    let recorded: Vec<(Host, String, Value)> = fixtures::all()
        .into_iter()
        .map(|fixture| (fixture.host, fixture.registered, fixture.payload))
        .collect();
    (select(recorded), vec((any::<prop::sample::Index>(), any::<bool>(), damage()), 1..5)).prop_map(
        |((host, registered, mut payload), damages)| {
            for (place, inside, damage) in damages {
                let object = if inside && payload["tool_input"].is_object() {
                    payload["tool_input"].as_object_mut()
                } else {
                    payload.as_object_mut()
                };
                hurt(object, place, damage);
            }
            (host, registered, payload)
        },
    )
}

fn hurt(object: Option<&mut Map<String, Value>>, place: prop::sample::Index, damage: Damage) {
    let Some(object) = object.filter(|object| !object.is_empty()) else { return };
    let Some(key) = object.keys().nth(place.index(object.len())).cloned() else { return };
    let Some(value) = object.shift_remove(&key) else { return };
    match damage {
        Damage::Drop => {}
        Damage::Replace(other) => drop(object.insert(key, other)),
        Damage::Rename(name) => drop(object.insert(name, value)),
        Damage::Wrap => drop(object.insert(key, Value::Array(vec![value]))),
    }
}

fn verdict() -> impl Strategy<Value = Verdict> {
    let text = "(?s).{0,40}";
    let decision = prop_oneof![
        Just(Decision::Abstain),
        Just(Decision::Allow),
        text.prop_map(|reason| Decision::Ask { reason }),
        text.prop_map(|reason| Decision::Deny { reason }),
    ];
    let rewrite = option::of(btree_map(text, json(), 0..4).prop_map(|fields| fields.into_iter().collect()));
    let note = (text, text).prop_map(|(key, value)| ContextNote { key, value });
    (decision, rewrite, vec(note, 0..3), vec(text, 0..3), option::of(text)).prop_map(
        |(decision, rewrite, context, warnings, end_turn)| Verdict {
            decision,
            rewrite,
            context,
            warnings,
            end_turn,
            replacement: None,
        },
    )
}

fn hints() -> impl Strategy<Value = Hints> {
    any::<[bool; 7]>().prop_map(|[cursor, gemini_session, qwen, copilot_cli, vscode, claude_code, codex]| {
        Hints { cursor, gemini_session, qwen, copilot_cli, vscode, claude_code, codex }
    })
}

fn one_object(text: &str) -> bool {
    matches!(serde_json::from_str(text), Ok(Value::Object(_))) && !text.contains('\n')
}

/// Some thousand cases, or as many as `PROPTEST_CASES` requests for a long run.
fn config() -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: asked.unwrap_or(2000), failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_json_is_understood_or_refused(payload in json(), hints in hints(), argv in option::of(word())) {
        let _ = recognise(&payload, &hints);
        for host in Host::ALL {
            if let Ok(received) = parse(host, argv.as_deref(), &payload) {
                prop_assert!(one_object(&render(&received.target, &Verdict::silence()).stdout));
            }
        }
    }

    #[test]
    fn a_damaged_payload_is_understood_or_refused((host, registered, payload) in damaged(), verdict in verdict()) {
        let _ = recognise(&payload, &Hints::default());
        if let Ok(received) = parse(host, Some(&registered), &payload) {
            if let ParsedEvent::Event(event) = &received.event {
                prop_assert_eq!(Some(event.name()), received.target.event());
            }
            prop_assert!(one_object(&render(&received.target, &verdict).stdout));
        }
    }

    #[test]
    fn any_verdict_is_one_json_object_on_every_wire(verdict in verdict()) {
        for protocol in Protocol::ALL {
            for event_kind in EventKind::ALL {
                let rendered = render(&ReplyTarget::of(protocol, event_kind), &verdict);
                prop_assert!(one_object(&rendered.stdout), "{}", rendered.stdout);
            }
        }
    }
}
