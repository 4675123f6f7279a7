//! The part of a verdict that a host supports.

use event::{Decision, Replacement, Verdict};
use serde_json::{Map, Value};

use crate::ellipsis::cut;
use crate::{ReplyTarget, Support, Verb, can, capability, unaskable};

/// A verdict of which the host supports every part.
///
/// INVARIANT: it is never weaker than the verdict, except for the parts in `dropped`. An unsupported
/// ask becomes a deny, an allow is dropped with an unsupported rewrite, and a rewrite never
/// accompanies a deny.
#[derive(Debug, Clone, Default)]
pub(crate) struct SupportedVerdict {
    pub(crate) decision: Decision,
    pub(crate) rewrite: Option<Map<String, Value>>,
    pub(crate) context: Option<String>,
    pub(crate) message: Option<String>,
    pub(crate) end_turn: Option<String>,
    pub(crate) replacement: Option<Replacement>,
    pub(crate) dropped: Vec<Verb>,
    pub(crate) hardened: bool,
}

impl SupportedVerdict {
    /// Reduces a verdict to the supported parts by the capability table.
    pub(crate) fn new(target: &ReplyTarget, verdict: &Verdict) -> Self {
        let mut supported = Self::default();
        let mut context = verdict.context_text();
        match supported.decide(target, verdict) {
            Decision::Deny { reason } if support(target, Verb::Deny) == Support::AsContext => {
                context = Some(context.map_or_else(|| reason.clone(), |more| format!("{reason}\n\n{more}")));
            }
            decision => supported.decision = decision,
        }
        supported.rewrite = match &verdict.rewrite {
            // Refused already; there is no call left to change.
            Some(_) if supported.decision.is_deny() => None,
            Some(_) if supported.is_ask() && target.protocol().asks_about_original() => {
                supported.dropped.push(Verb::Rewrite);
                None
            }
            rewrite => supported.keep(target, Verb::Rewrite, rewrite.clone()),
        };
        supported.context = supported.keep(target, Verb::Context, context);
        supported.message = supported.keep(target, Verb::Message, verdict.warning_text());
        supported.end_turn = supported.keep(target, Verb::EndTurn, verdict.end_turn.clone());
        supported.replacement = supported.keep(target, Verb::Replace, verdict.replacement.clone());
        supported.shorten(target);
        supported
    }

    fn decide(&mut self, target: &ReplyTarget, verdict: &Verdict) -> Decision {
        match verdict.decision.clone() {
            // The allow was for the changed call. If it cannot be changed, there is no allow.
            Decision::Allow
                if verdict.rewrite.is_some()
                    && !can(target, Verb::Rewrite)
                    && support(target, Verb::Allow) != Support::Implied =>
            {
                self.dropped.push(Verb::Allow);
                Decision::Abstain
            }
            Decision::Allow if !can(target, Verb::Allow) => {
                let said_by_the_rewrite = target.protocol().rewrite_is_allow() && verdict.rewrite.is_some();
                if !said_by_the_rewrite {
                    self.dropped.push(Verb::Allow);
                }
                Decision::Abstain
            }
            Decision::Ask { reason } => {
                let Some(refusal) = unaskable(target, &spoken(reason.clone()), "") else {
                    return Decision::Ask { reason };
                };
                self.dropped.push(Verb::Ask);
                self.hardened = can(target, Verb::Deny);
                if self.hardened { refusal } else { Decision::Abstain }
            }
            Decision::Deny { .. } if !can(target, Verb::Deny) => {
                self.dropped.push(Verb::Deny);
                Decision::Abstain
            }
            Decision::Deny { reason } => Decision::Deny { reason: spoken(reason) },
            decision @ (Decision::Abstain | Decision::Allow) => decision,
        }
    }

    /// Returns the verdict for a host that has another field for the replaced result.
    pub(crate) fn without_replacement(&self) -> Self {
        Self { replacement: None, ..self.clone() }
    }

    fn is_ask(&self) -> bool {
        matches!(self.decision, Decision::Ask { .. })
    }

    fn keep<T>(&mut self, target: &ReplyTarget, verb: Verb, part: Option<T>) -> Option<T> {
        if part.is_some() && !can(target, verb) {
            self.dropped.push(verb);
            return None;
        }
        part
    }

    fn shorten(&mut self, target: &ReplyTarget) {
        let limit = target.protocol().limit();
        if let Decision::Ask { reason } | Decision::Deny { reason } = &mut self.decision {
            *reason = cut(std::mem::take(reason), limit);
        }
        for text in [&mut self.context, &mut self.message, &mut self.end_turn] {
            *text = text.take().map(|text| cut(text, limit));
        }
    }
}

fn support(target: &ReplyTarget, verb: Verb) -> Support {
    capability(target.protocol(), target.event_kind(), verb)
}

/// WHY: Codex, VS Code and Copilot ignore a deny without a reason.
fn spoken(reason: String) -> String {
    if reason.trim().is_empty() { String::from("Not permitted by this project's rules.") } else { reason }
}
