//! What is left of a verdict once the host's abilities are taken into account.

use event::{Decision, Verdict};
use serde_json::{Map, Value};

use crate::ellipsis::cut;
use crate::{Support, Verb, Wire, can, capability};

/// A verdict of which every part can be said to the host.
///
/// INVARIANT: it is never weaker than the verdict, except by what `dropped` names. An
/// ask that cannot be asked is a deny, an allow does not outlive the rewrite it came
/// with, and a rewrite never accompanies a deny.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) decision: Decision,
    pub(crate) rewrite: Option<Map<String, Value>>,
    pub(crate) context: Option<String>,
    pub(crate) message: Option<String>,
    pub(crate) dropped: Vec<Verb>,
    pub(crate) hardened: bool,
}

impl Plan {
    /// Holds a verdict against the capability table.
    pub(crate) fn new(wire: &Wire, verdict: &Verdict) -> Self {
        let mut plan = Self::default();
        let mut context = verdict.context_text();
        match plan.decide(wire, verdict) {
            Decision::Deny { reason } if support(wire, Verb::Deny) == Support::AsContext => {
                context = Some(context.map_or_else(|| reason.clone(), |more| format!("{reason}\n\n{more}")));
            }
            decision => plan.decision = decision,
        }
        plan.rewrite = match &verdict.rewrite {
            // Refused already; there is no call left to change.
            Some(_) if plan.decision.is_deny() => None,
            rewrite => plan.keep(wire, Verb::Rewrite, rewrite.clone()),
        };
        plan.context = plan.keep(wire, Verb::Context, context);
        plan.message = plan.keep(wire, Verb::Message, verdict.warning_text());
        plan.shorten(wire);
        plan
    }

    fn decide(&mut self, wire: &Wire, verdict: &Verdict) -> Decision {
        match verdict.decision.clone() {
            // What was allowed is the changed call. If it cannot be changed, nobody allowed it.
            Decision::Allow
                if verdict.rewrite.is_some()
                    && !can(wire, Verb::Rewrite)
                    && support(wire, Verb::Allow) != Support::Implied =>
            {
                self.dropped.push(Verb::Allow);
                Decision::Abstain
            }
            Decision::Allow if !can(wire, Verb::Allow) => {
                let said_by_the_rewrite = wire.protocol().rewrite_is_allow() && verdict.rewrite.is_some();
                if !said_by_the_rewrite {
                    self.dropped.push(Verb::Allow);
                }
                Decision::Abstain
            }
            Decision::Ask { reason } if !can(wire, Verb::Ask) => {
                self.dropped.push(Verb::Ask);
                if !can(wire, Verb::Deny) {
                    return Decision::Abstain;
                }
                self.hardened = true;
                let title = wire.host().title();
                let reason = spoken(reason);
                Decision::Deny {
                    reason: format!("{reason} (A person has to approve this, and {title} cannot ask here.)"),
                }
            }
            Decision::Deny { .. } if !can(wire, Verb::Deny) => {
                self.dropped.push(Verb::Deny);
                Decision::Abstain
            }
            Decision::Deny { reason } => Decision::Deny { reason: spoken(reason) },
            decision => decision,
        }
    }

    fn keep<T>(&mut self, wire: &Wire, verb: Verb, part: Option<T>) -> Option<T> {
        if part.is_some() && !can(wire, verb) {
            self.dropped.push(verb);
            return None;
        }
        part
    }

    fn shorten(&mut self, wire: &Wire) {
        let limit = wire.protocol().limit();
        if let Decision::Ask { reason } | Decision::Deny { reason } = &mut self.decision {
            *reason = cut(std::mem::take(reason), limit);
        }
        for text in [&mut self.context, &mut self.message] {
            *text = text.take().map(|text| cut(text, limit));
        }
    }
}

fn support(wire: &Wire, verb: Verb) -> Support {
    capability(wire.protocol(), wire.moment(), verb)
}

/// WHY: Codex, VS Code and Copilot take a deny without a reason for no deny at all.
fn spoken(reason: String) -> String {
    if reason.trim().is_empty() { String::from("Not permitted by this project's rules.") } else { reason }
}
