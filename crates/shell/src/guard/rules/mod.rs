//! All rules, one file per family.

mod code;
mod data;
mod files;
mod machine;
mod repository;
mod world;

use super::rule::{Level, Rule};

/// All rules.
pub(super) static FAMILIES: &[&[Rule]] =
    &[files::RULES, code::RULES, repository::RULES, data::RULES, world::RULES, machine::RULES];

const fn rule(
    id: &'static str,
    level: Level,
    why: &'static str,
    hint: &'static str,
    matches: &'static [&'static str],
    not_matches: &'static [&'static str],
) -> Rule {
    Rule { id, level, why, hint, matches, not_matches }
}
