//! The findings of the doctor, in sections.

use crate::output::Snippet;

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    /// Works.
    Fine,
    /// For information.
    Info,
    /// Works, with a drawback that the user should know.
    Warning,
    /// Does not work.
    Wrong,
}

impl Mark {
    /// Returns the sign at the start of a line.
    pub(super) const fn sign(self) -> &'static str {
        match self {
            Self::Fine => "✓",
            Self::Info => "·",
            Self::Warning => "!",
            Self::Wrong => "✗",
        }
    }

    /// Returns the name used in JSON.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Info => "aside",
            Self::Warning => "warning",
            Self::Wrong => "wrong",
        }
    }
}

/// A finding of the doctor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    /// The severity.
    pub(super) mark: Mark,
    /// A sentence without its full stop.
    pub(super) text: String,
    /// The place in a file.
    pub(super) place: Option<Snippet>,
    /// The hint.
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

/// The findings on one subject.
#[derive(Debug)]
pub(super) struct Section {
    /// The subject, in JSON.
    pub(super) name: &'static str,
    /// The subject, as a title.
    pub(super) title: &'static str,
    /// In the order in which they are printed.
    pub(super) findings: Vec<Finding>,
}
