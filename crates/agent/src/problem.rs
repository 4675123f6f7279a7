//! Something wrong with a file, told the way a compiler tells it.

use std::fmt;

use crate::spot::Spot;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The file loads all the same.
    Warning,
    /// The file does not load.
    Error,
}

/// What sort of problem it is, in the words of the registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// The file is not what its format asks for.
    ParseError,
    /// A field is missing, unknown or of the wrong type.
    InvalidSchema,
    /// Another agent has this name or id.
    DuplicateId,
    /// The file cannot be read.
    FileNotFound,
    /// An editor extension cannot be understood.
    ExtensionError,
}

impl Code {
    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ParseError => "PARSE_ERROR",
            Self::InvalidSchema => "INVALID_SCHEMA",
            Self::DuplicateId => "DUPLICATE_ID",
            Self::FileNotFound => "FILE_NOT_FOUND",
            Self::ExtensionError => "EXTENSION_ERROR",
        }
    }
}

/// One problem: where, what, what was expected, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// What sort of problem it is.
    pub code: Code,
    /// The file, as the caller named it.
    pub file: String,
    /// The place in it, where there is one.
    pub spot: Option<Spot>,
    /// What is wrong, in lower case and without a full stop.
    pub message: String,
    /// What would have been right.
    pub expected: Option<String>,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Problem {
    /// Makes an error about a whole file.
    pub fn error(file: impl Into<String>, code: Code, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            file: file.into(),
            spot: None,
            message: message.into(),
            expected: None,
            hint: None,
        }
    }

    /// Makes a warning about a whole file.
    pub fn warning(file: impl Into<String>, code: Code, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(file, code, message) }
    }

    /// Adds the place.
    #[must_use]
    pub fn at(mut self, spot: Spot) -> Self {
        self.spot = Some(spot);
        self
    }

    /// Adds what would have been right.
    #[must_use]
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// Adds what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Returns whether the file does not load for it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        writeln!(out, "{severity}: {}", self.message)?;
        match &self.spot {
            None => writeln!(out, "  --> {}", self.file)?,
            Some(spot) => {
                writeln!(out, "  --> {}:{}:{}", self.file, spot.line, spot.column)?;
                spot.excerpt(out)?;
            }
        }
        if let Some(expected) = &self.expected {
            writeln!(out, "expected: {expected}")?;
        }
        if let Some(hint) = &self.hint {
            writeln!(out, "hint: {hint}")?;
        }
        Ok(())
    }
}
