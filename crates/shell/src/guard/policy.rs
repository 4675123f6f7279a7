//! The user's levels and exceptions.

use super::RuleId;
use super::rule::Level;

/// Commands a rule does not apply to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exception {
    /// Id of the rule.
    pub rule: RuleId,
    /// Pattern with `*`, `?` and `[…]`, compared with the command as it would run.
    pub pattern: String,
}

/// Levels and exceptions; empty means the rules' own levels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    /// Levels by rule id; the last one of an id wins.
    pub levels: Vec<(RuleId, Level)>,
    /// Commands that rules do not apply to.
    pub exceptions: Vec<Exception>,
}

impl Policy {
    /// Returns the level of a rule: the project's, else `default`.
    pub fn level(&self, id: RuleId, default: Level) -> Level {
        self.levels.iter().rev().find(|(known, _)| *known == id).map_or(default, |(_, level)| *level)
    }

    /// Returns whether the project sets the level of a rule itself.
    pub fn is_set(&self, id: RuleId) -> bool {
        self.levels.iter().any(|(known, _)| *known == id)
    }

    pub(super) fn excepts(&self, id: RuleId, command: &str) -> bool {
        self.exceptions
            .iter()
            .any(|exception| exception.rule == id && crate::walk::glob_matches(&exception.pattern, command))
    }
}
