//! What is said to an agent that wants to write where it may not.

use std::fmt;

use crate::IntentId;

/// A write that was not asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The intent that does not include it.
    pub intent: IntentId,
    /// The path as people know it: relative to the workspace where it is in there.
    pub path: String,
    /// Why not.
    pub why: Why,
}

/// Why a path may not be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// No pattern of the scope matches it.
    OutOfScope {
        /// The scope, as its author wrote it.
        scope: Vec<String>,
    },
    /// A link on its way leads to a file that no pattern matches.
    LeadsOutOfScope {
        /// The file behind the link, relative to the workspace.
        to: String,
    },
    /// It is not in the workspace.
    Outside,
    /// A link on its way leads out of the workspace.
    LeadsOutside {
        /// Where to.
        to: String,
    },
    /// A rule of `.intentignore` matches it.
    Ignored {
        /// The rule.
        rule: String,
    },
    /// It governs the agent.
    Protected {
        /// What is protected.
        what: String,
    },
    /// It cannot be told where it leads.
    Unclear {
        /// What is wrong with it.
        what: String,
    },
}

impl Violation {
    /// Returns the document's sentence.
    pub fn message(&self) -> String {
        let Self { intent, path, .. } = self;
        format!("Scope Violation: {intent} is not authorized to edit {path}. Request scope expansion.")
    }

    /// Returns what to do instead.
    pub fn hint(&self) -> String {
        let id = &self.intent;
        match &self.why {
            Why::OutOfScope { scope } => format!(
                "{id} may write {}; call request_scope_expansion, or ask a person to run `steersman intent expand {id} \"{}\"`",
                scope.join(", "),
                self.path
            ),
            Why::LeadsOutOfScope { to } => {
                format!(
                    "a link leads from there to {to}, which {id} does not include; write a file of the scope itself"
                )
            }
            Why::Outside => {
                "the path is outside the workspace, where no intent may write; use a path inside it"
                    .to_owned()
            }
            Why::LeadsOutside { to } => {
                format!("a link leads from there out of the workspace, to {to}; use a path that stays inside")
            }
            Why::Ignored { rule } => {
                format!(
                    "the rule `{rule}` of .intentignore keeps every intent from it; leave the file as it is and tell the person"
                )
            }
            Why::Protected { what } => format!(
                "`{what}` governs this work and is in no scope; ask the person to change it (only `\"allowSelfEdit\": true` in the module's settings permits it)"
            ),
            Why::Unclear { what } => format!("{what}; name the file plainly, relative to the workspace"),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\nhint: {}", self.message(), self.hint())
    }
}
