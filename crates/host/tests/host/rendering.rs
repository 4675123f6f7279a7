//! Golden tests of the answers, host by host.

use std::fmt::Write;

use event::{ContextNote, Decision, EventName, Replacement, Verdict};
use expect_test::expect_file;
use host::{EventKind, Host, Protocol, ReplyTarget, Verb, render};
use serde_json::{Map, Value, json};

fn verdicts() -> Vec<(&'static str, Verdict)> {
    let reason = || String::from("src/x.rs is out of scope. Select INT-002 first.");
    let input: Map<String, Value> = json!({"command": "rg -m 50 needle"}).as_object().cloned().unwrap();
    let note = ContextNote { key: "intent".into(), value: "Active intent: INT-001.".into() };
    let silence = Verdict::silence();
    vec![
        ("silence", silence.clone()),
        ("deny", Verdict { decision: Decision::Deny { reason: reason() }, ..silence.clone() }),
        ("ask", Verdict { decision: Decision::Ask { reason: reason() }, ..silence.clone() }),
        ("allow", Verdict { decision: Decision::Allow, ..silence.clone() }),
        ("rewrite", Verdict { rewrite: Some(input.clone()), ..silence.clone() }),
        ("context", Verdict { context: vec![note.clone()], ..silence.clone() }),
        ("message", Verdict { warnings: vec!["hook.mjs failed".into()], ..silence.clone() }),
        (
            "result",
            Verdict {
                replacement: Some(Replacement {
                    response: json!({"stdout": "TOKEN=[REDACTED]"}),
                    text: "TOKEN=[REDACTED]".into(),
                }),
                ..silence.clone()
            },
        ),
        (
            "end of the turn, denied",
            Verdict {
                decision: Decision::Deny { reason: reason() },
                end_turn: Some("a person ended it".into()),
                ..silence
            },
        ),
        (
            "everything, denied",
            Verdict {
                decision: Decision::Deny { reason: reason() },
                rewrite: Some(input.clone()),
                context: vec![note.clone()],
                warnings: vec!["hook.mjs failed".into()],
                ..Verdict::silence()
            },
        ),
        (
            "everything, allowed",
            Verdict {
                decision: Decision::Allow,
                rewrite: Some(input),
                context: vec![note],
                warnings: vec!["hook.mjs failed".into()],
                ..Verdict::silence()
            },
        ),
    ]
}

fn told(protocol: Protocol) -> String {
    let mut told = String::new();
    for event_kind in EventKind::ALL {
        let target = ReplyTarget::of(protocol, event_kind);
        let plain = event_kind.event().map_or(event_kind, EventKind::of);
        // An event kind that the host does not have is answered like the plain one.
        let own = event_kind == plain || target.spelling() != ReplyTarget::of(protocol, plain).spelling();
        if !own || (target.spelling().is_empty() && event_kind != EventKind::Other) {
            continue;
        }
        writeln!(told, "{} {} ({event_kind:?})", protocol.name(), target.spelling()).unwrap();
        for (name, verdict) in verdicts() {
            let rendered = render(&target, &verdict);
            write!(told, "  {name}: {}", rendered.stdout).unwrap();
            if !rendered.dropped.is_empty() {
                let dropped: Vec<&str> = rendered.dropped.iter().map(|verb| verb.as_str()).collect();
                write!(told, " dropped {}", dropped.join(", ")).unwrap();
            }
            told.push_str(if rendered.hardened { " hardened\n" } else { "\n" });
        }
    }
    told
}

#[test]
fn every_host_gets_its_answers() {
    for host in Host::ALL {
        let protocols = Protocol::ALL.into_iter().filter(|protocol| protocol.host() == host);
        let answers: String = protocols.map(told).collect();
        expect_file![format!("../golden/render/{host}.txt")].assert_eq(&answers);
    }
}

#[test]
fn long_texts_are_cut_where_the_host_cuts_them() {
    let reason = "ä".repeat(20_000);
    let verdict = Verdict { decision: Decision::Deny { reason }, ..Verdict::silence() };
    let claude = render(&ReplyTarget::of(Protocol::ClaudeCode, EventKind::PreToolUse), &verdict).stdout;
    let claude: Value = serde_json::from_str(&claude).unwrap();
    let shown = claude["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap();
    assert_eq!(shown.chars().count(), 10_000);
    assert!(shown.ends_with("ä…"));
    let gemini = render(&ReplyTarget::of(Protocol::Gemini, EventKind::PreToolUse), &verdict).stdout;
    assert!(!gemini.contains('…'));
}

#[test]
fn a_deny_without_a_reason_is_given_one() {
    let verdict = Verdict { decision: Decision::Deny { reason: "  ".into() }, ..Verdict::silence() };
    for host in Host::ALL.into_iter().filter(|host| *host != Host::Raw) {
        let stdout = render(&ReplyTarget::of_fault(host, Some(EventName::PreToolUse)), &verdict).stdout;
        assert!(stdout.contains("Not permitted by this project's rules."), "{host} {stdout}");
    }
}

#[test]
fn a_fault_is_told_to_the_person_wherever_there_is_a_field_for_it() {
    let verdict = Verdict { warnings: vec!["unknown event".into()], ..Verdict::silence() };
    for (host, expected) in [
        (Host::ClaudeCode, r#"{"systemMessage":"unknown event"}"#),
        (Host::VsCode, r#"{"systemMessage":"unknown event"}"#),
        (Host::Codex, r#"{"systemMessage":"unknown event"}"#),
        (Host::Gemini, r#"{"systemMessage":"unknown event"}"#),
        (Host::Qwen, r#"{"systemMessage":"unknown event"}"#),
        (Host::CopilotCli, "{}"),
        (Host::Cursor, "{}"),
        (Host::Raw, r#"{"decision":"allow","warnings":["unknown event"]}"#),
    ] {
        let rendered = render(&ReplyTarget::of_fault(host, None), &verdict);
        assert_eq!(rendered.stdout, expected, "{host}");
        assert_eq!(rendered.dropped.contains(&Verb::Message), expected == "{}", "{host}");
    }
}
