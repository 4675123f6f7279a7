//! Something wrong with a file of automations.

use std::fmt;

use config_file::Place;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The file loads all the same.
    Warning,
    /// Nothing of the file loads.
    Error,
}

/// One problem: where, what, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// A constant for programs, where there is one: `UNCLOSED_BRACE`.
    pub code: Option<&'static str>,
    /// The file, relative to the workspace.
    pub file: String,
    /// The place in it, where there is one.
    pub place: Option<Place>,
    /// How many characters it is about.
    pub width: usize,
    /// The line of the place, as it stands in the file: with its secrets.
    pub line: String,
    /// What is wrong, in lower case and without a full stop.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Severity {
    /// Returns the word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl Problem {
    /// Makes an error about a whole file.
    pub(crate) fn whole(file: &str, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code: None,
            file: file.to_owned(),
            place: None,
            width: 1,
            line: String::new(),
            message: message.into(),
            hint: None,
        }
    }

    /// Returns whether the file does not load for it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// One line, as compilers write it: `file:line:column: error: what (hint: …)`.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(Place { line, column }) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}: {}", self.severity.as_str(), self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, " (hint: {hint})")?;
        }
        Ok(())
    }
}
