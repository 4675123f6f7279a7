//! What a hook event is answered with, and how several answers become one.
//!
//! INVARIANT: merging is associative and never weakens. A module that ran
//! earlier can be overruled only by something stricter, so the order of modules
//! changes wording, never safety.

use serde_json::{Map, Value};

/// What the host is told to do.
///
/// On `PreToolUse` it speaks of the tool call. On events with nothing to permit,
/// `Deny` means "not like this": the prompt is refused, the result is complained
/// about, the agent is kept from stopping.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Decision {
    /// No opinion; the host's own permission flow applies.
    #[default]
    Abstain,
    /// Permitted without asking the person.
    Allow,
    /// A person has to decide.
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

    /// Returns the contract's word for it.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Abstain => "abstain",
            Self::Allow => "allow",
            Self::Ask { .. } => "ask",
            Self::Deny { .. } => "deny",
        }
    }

    /// Returns why, for the decisions that need a reason.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Ask { reason } | Self::Deny { reason } => Some(reason),
            Self::Abstain | Self::Allow => None,
        }
    }

    /// Returns whether the call is stopped here and now.
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

/// A piece of text for the model, under the key it is filed by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextNote {
    /// What it is about; the model sees it as a heading.
    pub key: String,
    /// The text.
    pub value: String,
}

/// Everything a host is told in answer to one event.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Verdict {
    /// Whether it may go on.
    pub decision: Decision,
    /// The complete input the tool shall run with instead; never on a deny.
    pub rewrite: Option<Map<String, Value>>,
    /// Text for the model.
    pub context: Vec<ContextNote>,
    /// Text for the person.
    pub warnings: Vec<String>,
}

impl Verdict {
    /// Returns the verdict that changes nothing.
    pub fn silence() -> Self {
        Self::default()
    }

    /// Returns the context as one text, or `None` when there is none.
    pub fn context_text(&self) -> Option<String> {
        joined(self.context.iter().map(|note| note.value.as_str()), "\n\n")
    }

    /// Returns the warnings as one text, or `None` when there are none.
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
