//! A problem in a file, printed in the style of compilers.

use std::fmt;

use crate::excerpt::Excerpt;

/// The severity of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The file loads nevertheless.
    Warning,
    /// The file does not load.
    Error,
}

/// The kind of a problem, as a constant for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Code(&'static str);

/// A problem with its position, message and hint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The severity.
    pub severity: Severity,
    /// The kind of problem.
    pub code: Code,
    /// The file, as the caller named it.
    pub file: String,
    /// The position, if there is one. Its line may contain secrets.
    pub excerpt: Option<Excerpt>,
    /// The message, in lower case and without a full stop.
    pub message: String,
    /// The correct value, unless the message contains it.
    pub expected: Option<String>,
    /// The remedy, as an imperative.
    pub hint: Option<String>,
}

impl Severity {
    /// Returns the name of the severity.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl Code {
    /// The text violates its syntax.
    pub const PARSE_ERROR: Self = Self("PARSE_ERROR");
    /// A field is missing, unknown or of the wrong type.
    pub const INVALID_SCHEMA: Self = Self("INVALID_SCHEMA");

    /// Creates a code that is specific to a crate.
    pub const fn new(word: &'static str) -> Self {
        Self(word)
    }

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl Problem {
    /// Creates an error about a whole file.
    pub fn error(file: impl Into<String>, code: Code, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            file: file.into(),
            excerpt: None,
            message: message.into(),
            expected: None,
            hint: None,
        }
    }

    /// Creates a warning about a whole file.
    pub fn warning(file: impl Into<String>, code: Code, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(file, code, message) }
    }

    /// Adds the position.
    #[must_use]
    pub fn at(mut self, excerpt: Excerpt) -> Self {
        self.excerpt = Some(excerpt);
        self
    }

    /// Adds the correct value.
    #[must_use]
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// Adds a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Returns whether the problem prevents the file from loading.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Returns the file with line and column, if known: `a.yaml:3:7`.
    pub fn location(&self) -> String {
        match &self.excerpt {
            Some(excerpt) => format!("{}:{}:{}", self.file, excerpt.line, excerpt.column),
            None => self.file.clone(),
        }
    }

    /// Returns location and message in one line: `a.yaml:3:7: missing key …`.
    pub fn one_line(&self) -> String {
        format!("{}: {}", self.location(), self.message)
    }

    /// Returns everything in one line, for a log: `a.json:3:7: error: missing key … (hint: …)`.
    pub fn log_line(&self) -> String {
        let hint = self.hint.as_ref().map(|it| format!(" (hint: {it})")).unwrap_or_default();
        format!("{}: {}: {}{hint}", self.location(), self.severity.as_str(), self.message)
    }

    /// Returns location and message in one line, and the hint on a second.
    pub fn brief(&self) -> String {
        let hint = self.hint.as_ref().map(|it| format!("\n  hint: {it}")).unwrap_or_default();
        format!("{}{hint}", self.one_line())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}: {}", self.severity.as_str(), self.message)?;
        match &self.excerpt {
            None => writeln!(out, "  --> {}", self.file)?,
            Some(excerpt) => writeln!(out, "{}", excerpt.in_file(&self.file))?,
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
