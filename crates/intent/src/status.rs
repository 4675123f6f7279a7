//! The status of an intent, and its transitions.

use std::fmt;

use config_file::{Word, Words as WordTable};

use serde::{Deserialize, Serialize};

/// The status of an intent, with the specification's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Status {
    /// Not selected yet.
    Pending,
    /// It was selected.
    InProgress,
    /// Its acceptance criteria are met.
    Completed,
    /// An obstacle prevents work on it.
    Blocked,
}

/// A transition that the specification does not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cannot change the status from {from} to {to}; from {from} it can become {}", Words(from.next()))]
pub struct InvalidTransition {
    /// The current status.
    pub from: Status,
    /// The requested status.
    pub to: Status,
}

impl Status {
    /// All statuses, in the specification's order.
    pub const ALL: [Self; 4] = [Self::Pending, Self::InProgress, Self::Completed, Self::Blocked];

    /// The specification's names, in the same order.
    pub(crate) const WORDS: WordTable = WordTable {
        name: "Status",
        doc: "The status of an intent, with the specification's names.",
        words: &[
            Word::new("PENDING", "Not selected yet."),
            Word::new("IN_PROGRESS", "It was selected."),
            Word::new("COMPLETED", "Its acceptance criteria are met."),
            Word::new("BLOCKED", "An obstacle prevents work on it."),
        ],
    };

    /// Returns the specification's name.
    pub const fn as_str(self) -> &'static str {
        Self::WORDS.words[self as usize].word
    }

    /// Parses the specification's name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }

    /// Returns the allowed next statuses.
    pub const fn next(self) -> &'static [Self] {
        match self {
            Self::Pending | Self::Blocked => &[Self::InProgress],
            Self::InProgress => &[Self::Completed, Self::Blocked],
            Self::Completed => &[],
        }
    }

    /// Returns whether a session may work under an intent with this status.
    pub const fn can_be_selected(self) -> bool {
        matches!(self, Self::Pending | Self::InProgress)
    }

    /// Checks the transition to another status. Keeping the status is always allowed.
    pub fn step(self, to: Self) -> Result<(), InvalidTransition> {
        if self == to || self.next().contains(&to) {
            Ok(())
        } else {
            Err(InvalidTransition { from: self, to })
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

struct Words<'a>(&'a [Status]);

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, rest @ ..] = self.0 else { return f.write_str("nothing else") };
        write!(f, "{first}")?;
        rest.iter().try_for_each(|status| write!(f, " or {status}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_documents_steps_can_be_taken() {
        let allowed: Vec<String> = Status::ALL
            .into_iter()
            .flat_map(|from| Status::ALL.into_iter().map(move |to| (from, to)))
            .filter(|(from, to)| from != to && from.step(*to).is_ok())
            .map(|(from, to)| format!("{from} -> {to}"))
            .collect();
        assert_eq!(
            allowed,
            [
                "PENDING -> IN_PROGRESS",
                "IN_PROGRESS -> COMPLETED",
                "IN_PROGRESS -> BLOCKED",
                "BLOCKED -> IN_PROGRESS"
            ]
        );
        assert_eq!(
            Status::Completed.step(Status::Pending).unwrap_err().to_string(),
            "cannot change the status from COMPLETED to PENDING; from COMPLETED it can become nothing else"
        );
        assert_eq!(
            Status::InProgress.step(Status::Pending).unwrap_err().to_string(),
            "cannot change the status from IN_PROGRESS to PENDING; from IN_PROGRESS it can become COMPLETED or BLOCKED"
        );
    }
}
