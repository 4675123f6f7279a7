//! Text that is safe to leave the process.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::Filter;

/// Text with its secrets replaced.
///
/// INVARIANT: the text has passed a [`Filter`], or is a constant of this program.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Redacted(String);

impl Redacted {
    /// Redacts the built-in kinds of secrets in `text`.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        Filter::default().redact(text)
    }

    /// Wraps a constant of this program.
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

    /// Returns the text without the guarantee of the type.
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
