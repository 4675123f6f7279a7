//! A person's order to hold a session, in its state.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The last order to hold or to release a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Hold {
    /// When the person gave it, in milliseconds; the latest order wins.
    pub ts: u64,
    /// Whether it releases the session.
    #[serde(skip_serializing_if = "is_false")]
    pub released: bool,
    /// Why the person holds the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How many calls may still pass.
    #[serde(skip_serializing_if = "is_zero")]
    pub after: u64,
    /// The calls that have passed since, by the key that the announcements of one call share.
    ///
    /// WHY not a count: the set stays the same however often a patch is applied.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub passed: BTreeMap<String, bool>,
}

/// Whether a held session lets a call pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoldRuling {
    /// The call is one of those that may still pass, and is recorded as such already.
    Passed,
    /// The call is the next of those that may still pass.
    Passes,
    /// No call passes any more.
    Denied,
}

impl Hold {
    /// Returns whether the session is held, perhaps after a few more calls.
    pub const fn is_in_force(&self) -> bool {
        self.ts > 0 && !self.released
    }

    /// Returns whether no person has ever held the session.
    pub(super) const fn is_absent(&self) -> bool {
        self.ts == 0
    }

    /// Returns how many more calls may pass.
    pub fn calls_left(&self) -> u64 {
        self.after.saturating_sub(self.passed.len() as u64)
    }

    /// Decides about a call by its key.
    pub fn rule(&self, key: &str) -> HoldRuling {
        if self.passed.contains_key(key) {
            HoldRuling::Passed
        } else if self.calls_left() > 0 {
            HoldRuling::Passes
        } else {
            HoldRuling::Denied
        }
    }

    /// Merges a later or an earlier order, or calls that passed under the same one.
    pub(super) fn merge(&mut self, patch: &Self) {
        if patch.ts > self.ts {
            self.clone_from(patch);
        } else if patch.ts == self.ts {
            self.passed.extend(patch.passed.iter().map(|(key, passed)| (key.clone(), *passed)));
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(flag: &bool) -> bool {
    !*flag
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(ts: u64, keys: &[&str]) -> Hold {
        let passed = keys.iter().map(|key| ((*key).to_owned(), true)).collect();
        Hold { ts, after: 2, passed, ..Hold::default() }
    }

    #[test]
    fn a_leash_counts_each_call_once_in_whatever_order_its_patches_come() {
        let patches =
            [passed(5, &[]), passed(5, &["a"]), passed(5, &["b"]), passed(5, &["a"]), passed(3, &["z"])];
        let (mut forward, mut backward) = (Hold::default(), Hold::default());
        for patch in &patches {
            forward.merge(patch);
        }
        for patch in patches.iter().rev() {
            backward.merge(patch);
        }
        assert_eq!(forward, backward);
        assert_eq!(forward.calls_left(), 0);
        assert_eq!(forward.rule("a"), HoldRuling::Passed);
        assert_eq!(forward.rule("c"), HoldRuling::Denied);
    }

    #[test]
    fn the_latest_order_wins() {
        let release = Hold { ts: 9, released: true, ..Hold::default() };
        let mut state = passed(5, &["a"]);
        state.merge(&release);
        state.merge(&passed(5, &["b"]));
        assert_eq!(state, release);
        assert!(!state.is_in_force());
    }
}
