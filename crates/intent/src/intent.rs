//! One intent: what was asked for, and which files belong to it.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Pattern, Status};

/// What an agent was asked to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Intent {
    /// Its name in traces and messages.
    pub id: IntentId,
    /// A name for people.
    pub name: String,
    /// What is to be done.
    pub description: String,
    /// How far it has come.
    pub status: Status,
    /// The files it may write.
    pub owned_scope: Vec<Pattern>,
    /// What has to be kept to.
    pub constraints: Vec<String>,
    /// When it is done.
    pub acceptance_criteria: Vec<String>,
    /// Whatever else its author wrote down; null if nothing.
    pub metadata: Value,
}

/// `INT-` and digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(!try_from, !into))]
pub struct IntentId(#[cfg_attr(feature = "schema", schemars(regex(pattern = Self::PATTERN)))] String);

/// The text is not an intent's id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an intent id; it is `INT-` and digits, such as INT-001")]
pub struct NotAnId(pub String);

impl IntentId {
    /// The regular expression of an id, for schemas.
    pub(crate) const PATTERN: &'static str = "^INT-[0-9]+$";

    /// Reads `INT-` and digits; anything else is no id.
    pub fn parse(text: &str) -> Result<Self, NotAnId> {
        let digits = text.strip_prefix("INT-").unwrap_or("");
        let plain = !digits.is_empty() && digits.len() <= 32 && digits.bytes().all(|b| b.is_ascii_digit());
        if plain { Ok(Self(text.to_owned())) } else { Err(NotAnId(text.to_owned())) }
    }

    /// Returns it as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for IntentId {
    type Error = NotAnId;

    fn try_from(text: String) -> Result<Self, NotAnId> {
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
