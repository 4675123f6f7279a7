//! Judges a reading: allows it, asks the user, or denies it.
//!
//! Rules are data ([`Rule`]): an id, a default level, a sentence that says why,
//! a hint of a safer way, and examples that a test runs. A [`Policy`] sets
//! levels and exceptions.
//!
//! INVARIANT: a risk and a policy can only name rules that exist: [`RuleId`] is an enum, and the
//! rule table has one row for each of its variants.

mod file;
pub(crate) mod governing;
pub(crate) mod governing_pattern;
mod judge;
mod paths;
mod policy;
mod rule;
mod rule_id;
mod rules;
mod shown;
mod zone;

pub use file::{Around, Change, of_address, of_file, of_statement, remote_host};
pub use governing::{GOVERNING, Governing, MovedSettings, Reader, governs};
pub use judge::{Finding, GuardDecision, GuardJudgement, judge};
pub use policy::{Exception, Policy};
pub use rule::{Level, Rule};
pub use rule_id::RuleId;

pub use crate::programs::{OwnCommand, own_command};

/// Returns all rules.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    rules::TABLE.iter()
}

/// Returns the rule of this id.
pub fn rule(id: RuleId) -> &'static Rule {
    &rules::TABLE[id as usize]
}
