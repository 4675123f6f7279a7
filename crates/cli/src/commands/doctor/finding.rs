//! What the doctor says: findings in sections.

use crate::output::Snippet;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    /// As it should be.
    Fine,
    /// Neither good nor bad.
    Aside,
    /// Works, but a person should know.
    Warning,
    /// Does not work.
    Wrong,
}

impl Mark {
    /// Returns the sign in front of a line.
    pub(super) const fn sign(self) -> &'static str {
        match self {
            Self::Fine => "✓",
            Self::Aside => "·",
            Self::Warning => "!",
            Self::Wrong => "✗",
        }
    }

    /// Returns the word for programs.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Aside => "aside",
            Self::Warning => "warning",
            Self::Wrong => "wrong",
        }
    }
}

/// One thing the doctor has to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    /// How bad it is.
    pub(super) mark: Mark,
    /// A sentence without its full stop.
    pub(super) text: String,
    /// Where in a file.
    pub(super) place: Option<Snippet>,
    /// What to do.
    pub(super) hint: Option<String>,
}

impl Finding {
    pub(super) fn new(mark: Mark, text: impl Into<String>) -> Self {
        Self { mark, text: text.into(), place: None, hint: None }
    }

    #[must_use]
    pub(super) fn at(self, place: Snippet) -> Self {
        Self { place: Some(place), ..self }
    }

    #[must_use]
    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

/// What is said about one subject.
#[derive(Debug)]
pub(super) struct Section {
    /// The subject, for programs.
    pub(super) name: &'static str,
    /// The subject, for people.
    pub(super) title: &'static str,
    /// In the order they are told.
    pub(super) findings: Vec<Finding>,
}
