//! A text with variables in it, such as `Review {filePath}`.

/// A text in which variables are filled in when it is used.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Template(String);

impl Template {
    /// Takes a text as it stands in a file.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns it as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
