//! The ids of automations, occurrences and runs.

use std::fmt;
use std::hash::{BuildHasher, RandomState};

use serde::{Deserialize, Serialize};
use store::Timestamp;

use crate::limits::MAX_ID_LENGTH;

/// The id of an automation, as written in its file.
///
/// INVARIANT: redaction does not change it, so that readers of a journal can find its entries.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct AutomationId(String);

/// Why an id is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadId {
    /// It is the empty string.
    #[error("must not be empty")]
    Empty,
    /// It is too long.
    #[error("must not be longer than {MAX_ID_LENGTH} characters (MAX_ID_LENGTH)")]
    TooLong,
    /// It has characters that no terminal shows.
    #[error("must not have leading or trailing spaces or control characters")]
    Unprintable,
    /// It has an empty part, `.` or `..` between path separators.
    #[error("must not start or end with a path separator or contain `..`")]
    Path,
    /// The redaction filter would replace it.
    #[error("must not look like a secret")]
    Secret,
}

impl AutomationId {
    /// Checks an id.
    pub fn new(text: &str) -> Result<Self, BadId> {
        if text.is_empty() {
            Err(BadId::Empty)
        } else if text.chars().count() > MAX_ID_LENGTH {
            Err(BadId::TooLong)
        } else if text.trim() != text || text.chars().any(char::is_control) {
            Err(BadId::Unprintable)
        } else if text.split(['/', '\\']).any(|part| matches!(part, "" | "." | "..")) {
            Err(BadId::Path)
        } else if redact::Redacted::from_text(text).as_str() != text {
            Err(BadId::Secret)
        } else {
            Ok(Self(text.to_owned()))
        }
    }

    /// Returns it as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AutomationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The id of a run; sorts by the time of queueing.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct ExecutionId(String);

impl ExecutionId {
    /// Makes an id that no other process makes.
    pub fn fresh(now: Timestamp) -> Self {
        Self(unique("r", now))
    }

    /// Returns it as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ExecutionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The id of an occurrence; sorts by time.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct OccurrenceId(String);

impl OccurrenceId {
    /// Makes an id that no other process makes.
    pub fn fresh(now: Timestamp) -> Self {
        Self(unique("o", now))
    }

    /// Returns it as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for OccurrenceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns the time and forty-eight random bits.
///
/// WHY `RandomState`: the standard library gets its keys from the system, so the ids of two processes
/// with the same process id in two containers still differ, without another dependency.
fn unique(letter: &str, now: Timestamp) -> String {
    let random = RandomState::new().hash_one(std::process::id()) >> 16;
    format!("{letter}{:011x}-{random:012x}", now.as_millis())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn an_id_is_a_short_text_that_can_be_shown_and_recorded() {
        for good in ["format", "abc-123-def", "Review, then tell", "naïve", "lint/rust", "1..2", "a.b"] {
            assert!(AutomationId::new(good).is_ok(), "{good}");
        }
        let token = format!("ghp_{}", "a1B2".repeat(9));
        for (bad, why) in [
            ("", BadId::Empty),
            (" x", BadId::Unprintable),
            ("a\u{1b}[2J", BadId::Unprintable),
            (&"x".repeat(101), BadId::TooLong),
            (&token, BadId::Secret),
            ("../x", BadId::Path),
            ("/etc/x", BadId::Path),
            ("a/../b", BadId::Path),
            ("a\\..\\b", BadId::Path),
            ("a/", BadId::Path),
            (".", BadId::Path),
        ] {
            assert_eq!(AutomationId::new(bad), Err(why), "{bad}");
        }
    }

    #[test]
    fn fresh_ids_differ_and_sort_by_time() {
        let now = Timestamp::from_millis(1_740_700_000_123);
        let ids: BTreeSet<_> = (0..10_000).map(|_| ExecutionId::fresh(now)).collect();
        assert_eq!(ids.len(), 10_000);
        let later = ExecutionId::fresh(Timestamp::from_millis(1_740_700_000_124));
        assert!(ids.iter().all(|id| *id < later));
    }

    #[test]
    fn no_id_of_ours_is_taken_for_a_secret() {
        for millis in 0..2_000 {
            let id = ExecutionId::fresh(Timestamp::from_millis(1_740_700_000_000 + millis * 977));
            let told = redact::value(&serde_json::json!({"id": id.as_str(), "run": id.as_str()}));
            assert!(!serde_json::to_string(&told).unwrap().contains("REDACTED"), "{id}");
        }
    }
}
