//! All rules, one file per family.

mod code;
mod data;
mod files;
mod machine;
mod repository;
mod world;

use super::RuleId;
use super::rule::{Level, Rule};

/// All rules, each at the index of its id.
pub(super) static TABLE: [Rule; RuleId::ALL.len()] = table();

const FAMILIES: [&[Rule]; 6] =
    [files::RULES, code::RULES, repository::RULES, data::RULES, world::RULES, machine::RULES];

/// Joins the families. A rule without an id does not compile, an id without a rule, with two, or in another
/// order fails here, while the table is built by the compiler.
const fn table() -> [Rule; RuleId::ALL.len()] {
    let mut table = [FAMILIES[0][0]; RuleId::ALL.len()];
    let (mut family, mut n_rules) = (0, 0);
    while family < FAMILIES.len() {
        let mut at = 0;
        while at < FAMILIES[family].len() {
            let rule = FAMILIES[family][at];
            assert!(rule.id as usize == n_rules, "the rules stand in the order of `RuleId`, each once");
            table[n_rules] = rule;
            n_rules += 1;
            at += 1;
        }
        family += 1;
    }
    assert!(n_rules == RuleId::ALL.len(), "each `RuleId` has a rule");
    table
}

const fn rule(
    id: RuleId,
    level: Level,
    why: &'static str,
    hint: &'static str,
    matches: &'static [&'static str],
    not_matches: &'static [&'static str],
) -> Rule {
    Rule { id, level, why, hint, matches, not_matches }
}
