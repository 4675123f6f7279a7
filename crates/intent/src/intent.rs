//! An intent: a declared task and its files.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Criterion, Pattern, Status};

/// A declared task of an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Intent {
    /// Its id in traces and messages.
    pub id: IntentId,
    /// A name for users.
    pub name: String,
    /// The task.
    pub description: String,
    /// Its status.
    pub status: Status,
    /// The files it may write.
    pub owned_scope: Vec<Pattern>,
    /// The constraints of the work.
    pub constraints: Vec<String>,
    /// The criteria for completion.
    pub acceptance_criteria: Vec<Criterion>,
    /// Notes of its author; null without any.
    pub metadata: Value,
}

/// `INT-` and digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(!try_from, !into))]
pub struct IntentId(#[cfg_attr(feature = "schema", schemars(regex(pattern = Self::PATTERN)))] String);

/// The string is not an intent id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an intent id (`INT-` and digits, such as INT-001)")]
pub struct InvalidIntentId(pub String);

impl IntentId {
    /// The regular expression of an id, for schemas.
    pub(crate) const PATTERN: &'static str = "^INT-[0-9]+$";

    /// Parses `INT-` and digits.
    pub fn parse(text: &str) -> Result<Self, InvalidIntentId> {
        let digits = text.strip_prefix("INT-").unwrap_or("");
        let plain = !digits.is_empty() && digits.len() <= 32 && digits.bytes().all(|b| b.is_ascii_digit());
        if plain { Ok(Self(text.to_owned())) } else { Err(InvalidIntentId(text.to_owned())) }
    }

    /// Returns the id as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for IntentId {
    type Error = InvalidIntentId;

    fn try_from(text: String) -> Result<Self, InvalidIntentId> {
        Self::parse(&text)
    }
}

impl From<IntentId> for String {
    fn from(id: IntentId) -> Self {
        id.0
    }
}

impl fmt::Display for IntentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_int_and_digits() {
        for id in ["INT-1", "INT-001", "INT-123456"] {
            assert_eq!(IntentId::parse(id).unwrap().as_str(), id);
        }
        for not_an_id in ["", "INT-", "int-1", "INT-1a", "INT--1", " INT-1", "INT-1 ", "INT-٣", "INT-+1"] {
            assert!(IntentId::parse(not_an_id).is_err(), "{not_an_id}");
        }
    }
}
