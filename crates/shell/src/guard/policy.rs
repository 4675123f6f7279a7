//! What the user set: levels and exceptions.

use super::rule::Level;

/// Commands a rule does not apply to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exception {
    /// Id of the rule.
    pub rule: String,
    /// Pattern with `*`, `?` and `[…]`, compared with the command as it would run.
    pub pattern: String,
}

/// Levels and exceptions; empty means the rules' own levels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    /// Levels by rule id; the last one of an id wins.
    pub levels: Vec<(String, Level)>,
    /// Commands that rules do not apply to.
    pub exceptions: Vec<Exception>,
}

impl Policy {
    /// Returns the ids in this policy that no rule has.
    pub fn unknown_rules(&self) -> Vec<&str> {
        let levels = self.levels.iter().map(|(id, _)| id.as_str());
        let exceptions = self.exceptions.iter().map(|exception| exception.rule.as_str());
        levels.chain(exceptions).filter(|id| super::find(id).is_none()).collect()
    }

    pub(super) fn level(&self, id: &str, default: Level) -> Level {
        self.levels.iter().rev().find(|(known, _)| known == id).map_or(default, |(_, level)| *level)
    }

    pub(super) fn excepts(&self, id: &str, command: &str) -> bool {
        self.exceptions
            .iter()
            .any(|exception| exception.rule == id && crate::walk::glob_matches(&exception.pattern, command))
    }
}
