//! The answer to a hook event, and how several answers merge into one.
//!
//! INVARIANT: merging is associative and never weakens. A module that ran
//! earlier can be overruled only by something stricter, so the order of modules
//! changes wording, never safety.

use serde_json::{Map, Value};

/// The decision that the host receives.
///
/// On `PreToolUse` it applies to the tool call. On events with nothing to permit,
/// `Deny` refuses the prompt, reports a problem with the result, or keeps the agent
/// from stopping.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Decision {
    /// No opinion; the host's own permission flow applies.
    #[default]
    Abstain,
    /// Permitted without asking the user.
    Allow,
    /// The user must decide.
    Ask {
        /// Why, and what to do instead.
        reason: String,
    },
    /// Not permitted.
    Deny {
        /// Why, and what to do instead.
        reason: String,
    },
}

impl Decision {
    /// Returns the stricter of the two; on a tie the earlier one keeps its wording.
    #[must_use]
    pub fn merge(self, later: Self) -> Self {
        if self.strictness() < later.strictness() { later } else { self }
    }

    /// Returns the contract's word for the decision.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Abstain => "abstain",
            Self::Allow => "allow",
            Self::Ask { .. } => "ask",
            Self::Deny { .. } => "deny",
        }
    }

    /// Returns the reason; `None` for decisions without one.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Ask { reason } | Self::Deny { reason } => Some(reason),
            Self::Abstain | Self::Allow => None,
        }
    }

    /// Returns whether the decision stops the call.
    pub const fn is_deny(&self) -> bool {
        matches!(self, Self::Deny { .. })
    }

    const fn strictness(&self) -> u8 {
        match self {
            Self::Abstain => 0,
            Self::Allow => 1,
            Self::Ask { .. } => 2,
            Self::Deny { .. } => 3,
        }
    }
}

/// A piece of text for the model, with its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextNote {
    /// The topic; the model sees it as a heading.
    pub key: String,
    /// The text.
    pub value: String,
}

/// The complete answer to one event.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Verdict {
    /// The decision.
    pub decision: Decision,
    /// The complete input that replaces the tool's input; never on a deny.
    pub rewrite: Option<Map<String, Value>>,
    /// Text for the model.
    pub context: Vec<ContextNote>,
    /// Text for the user.
    pub warnings: Vec<String>,
    /// The reason for which the agent's turn ends now, for the user.
    pub end_turn: Option<String>,
    /// The tool's result as the model shall read it.
    pub replacement: Option<Replacement>,
}

/// A tool's result that replaces the host's.
#[derive(Debug, Clone, PartialEq)]
pub struct Replacement {
    /// In the host's format, with the fields of the original.
    pub response: Value,
    /// The text that the model reads.
    pub text: String,
}

impl Verdict {
    /// Returns the verdict that changes nothing.
    pub fn silence() -> Self {
        Self::default()
    }

    /// Returns the context as one string; `None` if it is empty.
    pub fn context_text(&self) -> Option<String> {
        joined(self.context.iter().map(|note| note.value.as_str()), "\n\n")
    }

    /// Returns the warnings as one string; `None` if there are no warnings.
    pub fn warning_text(&self) -> Option<String> {
        joined(self.warnings.iter().map(String::as_str), "\n")
    }
}

fn joined<'a>(parts: impl Iterator<Item = &'a str>, between: &str) -> Option<String> {
    let text = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(between);
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_decision() -> Vec<Decision> {
        let reason = String::from("because");
        vec![
            Decision::Abstain,
            Decision::Allow,
            Decision::Ask { reason: reason.clone() },
            Decision::Deny { reason },
        ]
    }

    #[test]
    fn merging_never_weakens() {
        for first in every_decision() {
            for second in every_decision() {
                let merged = first.clone().merge(second.clone());
                assert!(merged.strictness() >= first.strictness());
                assert!(merged.strictness() >= second.strictness());
            }
        }
    }

    #[test]
    fn merging_is_associative() {
        for a in every_decision() {
            for b in every_decision() {
                for c in every_decision() {
                    let left = a.clone().merge(b.clone()).merge(c.clone());
                    let right = a.clone().merge(b.clone().merge(c));
                    assert_eq!(left, right);
                }
            }
        }
    }

    #[test]
    fn on_a_tie_the_earlier_reason_stays() {
        let deny = |reason: &str| Decision::Deny { reason: reason.into() };
        assert_eq!(deny("first").merge(deny("second")), deny("first"));
    }

    #[test]
    fn empty_notes_leave_no_blank_lines() {
        let note = |value: &str| ContextNote { key: "k".into(), value: value.into() };
        let verdict = Verdict { context: vec![note("one"), note(""), note("two")], ..Verdict::silence() };
        assert_eq!(verdict.context_text().as_deref(), Some("one\n\ntwo"));
        assert_eq!(verdict.warning_text(), None);
    }
}
