//! Something wrong with a file, written the way compilers write it.

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

/// What sort of problem it is: a constant for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Code(&'static str);

/// One problem: where, what, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// What sort of problem it is.
    pub code: Code,
    /// The file, as the caller named it.
    pub file: String,
    /// The place in it, where there is one. Its line may hold secrets.
    pub spot: Option<Spot>,
    /// What is wrong, in lower case and without a full stop.
    pub message: String,
    /// What would have been right, where the message does not say so.
    pub expected: Option<String>,
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

impl Code {
    /// The text breaks the rules of its notation.
    pub const PARSE_ERROR: Self = Self("PARSE_ERROR");
    /// A field is missing, unknown or of the wrong type.
    pub const INVALID_SCHEMA: Self = Self("INVALID_SCHEMA");

    /// Makes the constant of a crate's own sort of problem.
    pub const fn new(word: &'static str) -> Self {
        Self(word)
    }

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
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

    /// Returns the file with line and column, as far as they are known: `a.yaml:3:7`.
    pub fn location(&self) -> String {
        match &self.spot {
            Some(spot) => format!("{}:{}:{}", self.file, spot.line, spot.column),
            None => self.file.clone(),
        }
    }

    /// Returns place and message in one line: `a.yaml:3:7: missing key …`.
    pub fn one_line(&self) -> String {
        format!("{}: {}", self.location(), self.message)
    }

    /// Returns everything in one line, for a log: `a.json:3:7: error: missing key … (hint: …)`.
    pub fn log_line(&self) -> String {
        let hint = self.hint.as_ref().map(|it| format!(" (hint: {it})")).unwrap_or_default();
        format!("{}: {}: {}{hint}", self.location(), self.severity.as_str(), self.message)
    }

    /// Returns place and message in one line, and the hint on a second.
    pub fn brief(&self) -> String {
        let hint = self.hint.as_ref().map(|it| format!("\n  hint: {it}")).unwrap_or_default();
        format!("{}{hint}", self.one_line())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}: {}", self.severity.as_str(), self.message)?;
        match &self.spot {
            None => writeln!(out, "  --> {}", self.file)?,
            Some(spot) => writeln!(out, "{}", spot.in_file(&self.file))?,
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
