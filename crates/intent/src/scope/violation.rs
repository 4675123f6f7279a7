//! The message for an agent that writes outside its scope.

use std::fmt;

use crate::IntentId;

/// A write that the intent does not include.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The intent.
    pub intent: IntentId,
    /// The path, relative to the workspace if it is inside.
    pub path: String,
    /// The reason.
    pub why: ViolationReason,
}

/// Why a path must not be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ViolationReason {
    /// No pattern of the scope matches it.
    OutOfScope {
        /// The scope, as its author wrote it.
        scope: Vec<String>,
    },
    /// It leads through a link to a file that no pattern matches.
    LeadsOutOfScope {
        /// The link's target, relative to the workspace.
        to: String,
    },
    /// It is not in the workspace.
    Outside,
    /// It leads through a link out of the workspace.
    LeadsOutside {
        /// The link's target.
        to: String,
    },
    /// A rule of `.intentignore` matches it.
    Ignored {
        /// The rule.
        rule: String,
    },
    /// It governs the agent.
    Protected {
        /// The protected path.
        what: String,
    },
    /// It cannot be resolved.
    Unclear {
        /// The problem.
        what: String,
    },
}

/// Git's own folder, which only git changes.
pub(super) const GIT_FOLDER: &str = ".git";

impl Violation {
    /// Returns the specification's sentence.
    pub fn message(&self) -> String {
        let Self { intent, path, .. } = self;
        format!("Scope Violation: {intent} is not authorized to edit {path}. Request scope expansion.")
    }

    /// Returns the alternatives.
    pub fn hint(&self) -> String {
        let id = &self.intent;
        match &self.why {
            ViolationReason::OutOfScope { scope } => format!(
                "{id} may write {}; call request_scope_expansion, or ask a person to run `steersman intent expand {id} \"{}\"`",
                scope.join(", "),
                self.path
            ),
            ViolationReason::LeadsOutOfScope { to } => {
                format!(
                    "a link leads from there to {to}, which {id} does not include; write a file of the scope itself"
                )
            }
            ViolationReason::Outside => {
                "the path is outside the workspace, where no intent may write; use a path inside it"
                    .to_owned()
            }
            ViolationReason::LeadsOutside { to } => {
                format!("a link leads from there out of the workspace, to {to}; use a path that stays inside")
            }
            ViolationReason::Ignored { rule } => {
                format!(
                    "the rule `{rule}` of .intentignore protects it from every intent; leave the file unchanged and report this to the user"
                )
            }
            ViolationReason::Protected { what } if what == GIT_FOLDER => {
                "`.git` belongs to git and is in no scope; use a git command, or ask the user to change it"
                    .to_owned()
            }
            ViolationReason::Protected { what } => format!(
                "`{what}` governs this work and is in no scope; ask the user to change it (only `\"allowSelfEdit\": true` in the module's settings permits it)"
            ),
            ViolationReason::Unclear { what } => {
                format!("{what}; use a plain path relative to the workspace")
            }
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\nhint: {}", self.message(), self.hint())
    }
}
