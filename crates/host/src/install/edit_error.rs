//! Why a settings file cannot be edited.

use config_file::json_problem;
use config_file::jsonc::ParseError;

/// Why a settings file cannot be edited. The file is then never changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The file is not JSON, not even with comments and trailing commas.
    #[error("line {line}, column {column}: {problem}")]
    Syntax {
        /// Counted from 1.
        line: usize,
        /// Counted in characters, from 1.
        column: usize,
        /// The problem, or the expected token.
        problem: String,
    },
    /// The file is JSON, but has another value in place of hooks.
    #[error("line {line}, column {column}: {place} is {found}, expected {expected}")]
    Shape {
        /// Counted from 1.
        line: usize,
        /// Counted in characters, from 1.
        column: usize,
        /// The path of the value (`hooks.PreToolUse`).
        place: String,
        /// The expected type.
        expected: &'static str,
        /// The actual type.
        found: &'static str,
    },
}

impl From<ParseError> for EditError {
    fn from(error: ParseError) -> Self {
        Self::Syntax {
            line: error.line_display(),
            column: error.column_display(),
            problem: json_problem(&error),
        }
    }
}
