//! Checks each cell of the capability table against the behaviour of the hosts.

use event::{ContextNote, Decision, EventName, Replacement, Verdict};
use expect_test::expect_file;
use host::{
    EventKind, Protocol, Rendered, ReplyTarget, Support, Verb, can, capability, capability_table, render,
};
use serde_json::{Map, Value};

use crate::acceptance::{Effect, effect};

const REASON: &str = "out of scope; select another intent";
const CONTEXT: &str = "the intent is INT-001";
const MESSAGE: &str = "a module failed";
const CLEAN: &str = "TOKEN=[REDACTED]";

fn changed_input() -> Map<String, Value> {
    [(String::from("command"), Value::String("ls".into()))].into_iter().collect()
}

fn verdict(verb: Verb) -> Verdict {
    let reason = String::from(REASON);
    let mut verdict = Verdict::silence();
    match verb {
        Verb::Deny => verdict.decision = Decision::Deny { reason },
        Verb::Ask => verdict.decision = Decision::Ask { reason },
        Verb::Allow => verdict.decision = Decision::Allow,
        Verb::Rewrite => verdict.rewrite = Some(changed_input()),
        Verb::Context => verdict.context.push(ContextNote { key: "intent".into(), value: CONTEXT.into() }),
        Verb::Message => verdict.warnings.push(MESSAGE.into()),
        Verb::EndTurn => verdict.end_turn = Some(MESSAGE.into()),
        Verb::Replace => {
            let response = Value::String(CLEAN.into());
            verdict.replacement = Some(Replacement { response, text: CLEAN.into() });
        }
    }
    verdict
}

/// Renders a verdict and lets the host's model interpret the answer.
fn carried_out(target: &ReplyTarget, verdict: &Verdict) -> (Rendered, Effect) {
    let rendered = render(target, verdict);
    let answer: Value = serde_json::from_str(&rendered.stdout).unwrap();
    let answer = answer.as_object().unwrap();
    let effect = effect(target.protocol(), target.event_kind(), answer)
        .unwrap_or_else(|error| panic!("{target:?} refuses {}: {error}", rendered.stdout));
    (rendered, effect)
}

/// All cells of the table: every protocol, every event kind it has, every verb.
fn cells() -> impl Iterator<Item = (ReplyTarget, Verb, Support)> {
    Protocol::ALL.into_iter().flat_map(|protocol| {
        EventKind::ALL.into_iter().filter(move |event_kind| exists(protocol, *event_kind)).flat_map(
            move |event_kind| {
                Verb::ALL.into_iter().map(move |verb| {
                    (ReplyTarget::of(protocol, event_kind), verb, capability(protocol, event_kind, verb))
                })
            },
        )
    })
}

fn exists(protocol: Protocol, event_kind: EventKind) -> bool {
    match event_kind {
        EventKind::ShellGate | EventKind::McpGate | EventKind::ReadGate => protocol == Protocol::Cursor,
        EventKind::PermissionRequest => matches!(
            protocol,
            Protocol::ClaudeCode
                | Protocol::CopilotCamel
                | Protocol::CopilotPascal
                | Protocol::Codex
                | Protocol::Qwen
        ),
        EventKind::PostToolUseFailure => {
            !matches!(protocol, Protocol::VsCodeLocal | Protocol::Codex | Protocol::Gemini | Protocol::Raw)
        }
        EventKind::SubagentStart | EventKind::SubagentStop => protocol != Protocol::Gemini,
        _ => true,
    }
}

#[test]
fn every_cell_takes_effect_or_is_reported_as_dropped() {
    for (target, verb, support) in cells() {
        let (rendered, effect) = carried_out(&target, &verdict(verb));
        let cell = format!(
            "{} {:?} {verb}: {support:?} {}",
            target.protocol().name(),
            target.event_kind(),
            rendered.stdout
        );
        let happened = match verb {
            Verb::Deny => effect.denied.as_deref() == Some(REASON),
            Verb::Ask => effect.asked.as_deref() == Some(REASON),
            Verb::Allow => effect.allowed,
            Verb::Rewrite => effect.input == Some(changed_input()),
            Verb::Context => effect.context.as_deref() == Some(CONTEXT),
            Verb::Message => effect.message.as_deref() == Some(MESSAGE),
            Verb::EndTurn => effect.ended.as_deref() == Some(MESSAGE),
            Verb::Replace => effect.replaced == Some(Value::String(CLEAN.into())),
        };
        assert_eq!(rendered.dropped.contains(&verb), !support.works(), "{cell}");
        match support {
            Support::Yes | Support::Mostly(_) => assert!(happened, "{cell}"),
            Support::AsContext => assert_eq!(effect.context.as_deref(), Some(REASON), "{cell}"),
            Support::Implied => assert_eq!(rendered.stdout, "{}", "{cell}"),
            Support::No(_) => assert!(!happened, "{cell}"),
        }
        if verb == Verb::Ask && !support.works() {
            let denied = effect.denied.or(effect.context).is_some_and(|reason| reason.starts_with(REASON));
            assert_eq!(denied, can(&target, Verb::Deny), "{cell}");
            assert_eq!(rendered.hardened, denied, "{cell}");
        }
    }
}

#[test]
fn no_combination_of_verbs_is_refused_or_weakened() {
    let decisions = [None, Some(Verb::Allow), Some(Verb::Ask), Some(Verb::Deny)];
    let extras = [Verb::Rewrite, Verb::Context, Verb::Message, Verb::EndTurn];
    for protocol in Protocol::ALL {
        for event_kind in EventKind::ALL.into_iter().filter(|event_kind| exists(protocol, *event_kind)) {
            let target = ReplyTarget::of(protocol, event_kind);
            for decision in decisions {
                for chosen in 0..16_u8 {
                    let mut whole = decision.map_or_else(Verdict::silence, verdict);
                    for (place, verb) in extras.iter().enumerate() {
                        if chosen & (1 << place) == 0 {
                            continue;
                        }
                        let part = verdict(*verb);
                        whole.rewrite = whole.rewrite.or(part.rewrite);
                        whole.context.extend(part.context);
                        whole.warnings.extend(part.warnings);
                        whole.end_turn = whole.end_turn.or(part.end_turn);
                    }
                    let (rendered, effect) = carried_out(&target, &whole);
                    let told = format!("{} {event_kind:?} {whole:?} {}", protocol.name(), rendered.stdout);
                    check_strength(&target, &whole, &effect, &told);
                }
            }
        }
    }
}

fn check_strength(target: &ReplyTarget, verdict: &Verdict, effect: &Effect, told: &str) {
    assert_eq!(effect.ended.is_some(), verdict.end_turn.is_some() && can(target, Verb::EndTurn), "{told}");
    let stopped =
        effect.denied.is_some() || effect.context.as_ref().is_some_and(|context| context.contains(REASON));
    match &verdict.decision {
        Decision::Deny { .. } => {
            assert_eq!(stopped, can(target, Verb::Deny), "{told}");
            assert!(!effect.allowed, "{told}");
            assert!(effect.input.is_none(), "{told}");
        }
        Decision::Ask { .. } => {
            assert!(!effect.allowed, "{told}");
            assert_eq!(
                stopped || effect.asked.is_some(),
                can(target, Verb::Ask) || can(target, Verb::Deny),
                "{told}"
            );
        }
        Decision::Abstain => {
            assert!(effect.denied.is_none() && effect.asked.is_none(), "{told}");
            // G2: no objection is not approval. Codex has no other way to change an input, and `raw`
            // uses the contract's word.
            let codex = target.protocol() == Protocol::Codex && effect.input.is_some();
            assert!(!effect.allowed || codex || target.protocol() == Protocol::Raw, "{told}");
        }
        Decision::Allow => {
            assert!(effect.denied.is_none() && effect.asked.is_none(), "{told}");
            // The allowed call is the changed one.
            assert!(!effect.allowed || effect.input == verdict.rewrite, "{told}");
        }
    }
}

#[test]
fn a_host_reads_the_same_answer_in_either_of_its_harnesses() {
    for event in EventName::ALL {
        for verb in Verb::ALL {
            let target = ReplyTarget::of(Protocol::VsCodeLocal, EventKind::of(event));
            let copilot = ReplyTarget::of(Protocol::CopilotPascal, EventKind::of(event));
            if !can(&target, verb) || !can(&copilot, verb) {
                continue;
            }
            let answer: Value = serde_json::from_str(&render(&target, &verdict(verb)).stdout).unwrap();
            let answer = answer.as_object().unwrap();
            let local = effect(Protocol::VsCodeLocal, target.event_kind(), answer);
            // Only Copilot replaces a refused result by the reason.
            let harness = effect(Protocol::CopilotPascal, target.event_kind(), answer)
                .map(|effect| Effect { replaced: None, ..effect });
            assert_eq!(local, harness, "{event} {verb}");
        }
    }
}

#[test]
fn every_event_of_the_contract_has_an_answer_for_every_verb() {
    for protocol in Protocol::ALL {
        for event in EventName::ALL {
            let missing = Verb::ALL.iter().any(|verb| {
                capability(protocol, EventKind::of(event), *verb) == Support::No("no such event")
            });
            let gemini = protocol == Protocol::Gemini
                && matches!(event, EventName::SubagentStart | EventName::SubagentStop);
            assert_eq!(missing, gemini, "{} {event}", protocol.name());
        }
    }
}

#[test]
fn an_ask_is_never_offered_where_it_hangs_or_runs_the_tool() {
    for (protocol, event_kind) in [
        (Protocol::Codex, EventKind::PreToolUse),
        (Protocol::Gemini, EventKind::PreToolUse),
        (Protocol::Cursor, EventKind::PreToolUse),
        (Protocol::Cursor, EventKind::ReadGate),
    ] {
        assert!(!can(&ReplyTarget::of(protocol, event_kind), Verb::Ask), "{}", protocol.name());
    }
    assert!(can(&ReplyTarget::of(Protocol::Cursor, EventKind::ShellGate), Verb::Ask));
    assert!(can(&ReplyTarget::of(Protocol::ClaudeCode, EventKind::PreToolUse), Verb::Ask));
}

#[test]
fn the_table_reads_as_markdown() {
    expect_file!["../golden/capabilities.md"].assert_eq(&capability_table());
}
