//! How far an intent has come, and which way it may go from there.

use std::fmt;

use config_file::{Word, Words as WordTable};

use serde::{Deserialize, Serialize};

/// The state of an intent, in the document's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Status {
    /// Nobody works on it yet.
    Pending,
    /// It was selected.
    InProgress,
    /// Its acceptance criteria are met.
    Completed,
    /// Something stands in its way.
    Blocked,
}

/// The step from one state to another that the document does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{from} cannot become {to}; from {from} it can become {}", Words(from.next()))]
pub struct NoSuchStep {
    /// The state it is in.
    pub from: Status,
    /// The state it was to be in.
    pub to: Status,
}

impl Status {
    /// Every state, in the document's order.
    pub const ALL: [Self; 4] = [Self::Pending, Self::InProgress, Self::Completed, Self::Blocked];

    /// The document's words, in the same order.
    pub(crate) const WORDS: WordTable = WordTable {
        name: "Status",
        doc: "The state of an intent, in the document's words.",
        words: &[
            Word::new("PENDING", "Nobody works on it yet."),
            Word::new("IN_PROGRESS", "It was selected."),
            Word::new("COMPLETED", "Its acceptance criteria are met."),
            Word::new("BLOCKED", "Something stands in its way."),
        ],
    };

    /// Returns the document's word for it.
    pub const fn as_str(self) -> &'static str {
        Self::WORDS.words[self as usize].word
    }

    /// Reads the document's word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }

    /// Returns the states it can go to.
    pub const fn next(self) -> &'static [Self] {
        match self {
            Self::Pending | Self::Blocked => &[Self::InProgress],
            Self::InProgress => &[Self::Completed, Self::Blocked],
            Self::Completed => &[],
        }
    }

    /// Returns whether a session may work under an intent in this state.
    pub const fn can_be_selected(self) -> bool {
        matches!(self, Self::Pending | Self::InProgress)
    }

    /// Checks the step to another state; staying is no step and always fine.
    pub fn step(self, to: Self) -> Result<(), NoSuchStep> {
        if self == to || self.next().contains(&to) { Ok(()) } else { Err(NoSuchStep { from: self, to }) }
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
            "COMPLETED cannot become PENDING; from COMPLETED it can become nothing else"
        );
        assert_eq!(
            Status::InProgress.step(Status::Pending).unwrap_err().to_string(),
            "IN_PROGRESS cannot become PENDING; from IN_PROGRESS it can become COMPLETED or BLOCKED"
        );
    }
}
