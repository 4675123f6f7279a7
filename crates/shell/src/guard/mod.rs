//! Judges a reading: what is allowed, what is asked about, what is denied.
//!
//! Rules are data ([`Rule`]): an id, a default level, a sentence that says why,
//! a hint of a safer way, and examples that a test runs. A [`Policy`] sets
//! levels and exceptions.
//!
//! INVARIANT: a policy can only be about rules that exist; unknown ids are
//! reported by [`Policy::unknown_rules`], never ignored.

mod file;
mod judge;
mod paths;
mod policy;
mod rule;
mod rules;
mod zone;

pub use file::{Change, of_file};
pub use judge::{Finding, Judgement, Verdict, judge};
pub use policy::{Exception, Policy};
pub use rule::{Level, Rule};

/// Returns all rules.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    rules::FAMILIES.iter().flat_map(|family| family.iter())
}

/// Returns the rule of this id.
pub fn find(id: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.id == id)
}
