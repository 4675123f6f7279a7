//! Text that may leave the process.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::Filter;

/// Text whose secrets are taken out.
///
/// INVARIANT: the text has gone through a [`Filter`], or is a constant of ours.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Redacted(String);

impl Redacted {
    /// Takes the secrets of the built-in kinds out of `text`.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        Filter::default().redact(text)
    }

    /// Wraps a text of our own.
    #[must_use]
    pub fn nothing_secret(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    pub(crate) fn filtered(text: String) -> Self {
        Self(text)
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the text, giving up the promise of the type.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

impl fmt::Display for Redacted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Debug for Redacted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl AsRef<str> for Redacted {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Serialize for Redacted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}
