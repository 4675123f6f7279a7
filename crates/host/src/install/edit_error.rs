//! Why a settings file was left alone.

use jsonc_parser::errors::{ParseError, ParseErrorKind as Kind};

/// What keeps us from editing a settings file. The file is never touched then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// It is not JSON, not even with comments and trailing commas.
    #[error("line {line}, column {column}: {problem}")]
    Syntax {
        /// Counted from 1.
        line: usize,
        /// Counted in characters, from 1.
        column: usize,
        /// What is wrong there or was expected instead.
        problem: String,
    },
    /// It is JSON, but something else stands where hooks belong.
    #[error("line {line}, column {column}: {place} is {found}, expected {expected}")]
    Shape {
        /// Counted from 1.
        line: usize,
        /// Counted in characters, from 1.
        column: usize,
        /// Which value it is (`hooks.PreToolUse`).
        place: String,
        /// What belongs there.
        expected: &'static str,
        /// What stands there.
        found: &'static str,
    },
}

impl From<ParseError> for EditError {
    fn from(error: ParseError) -> Self {
        Self::Syntax {
            line: error.line_display(),
            column: error.column_display(),
            problem: problem(error.kind()),
        }
    }
}

/// Says what was expected; the parser's own words where they already do.
fn problem(kind: &Kind) -> String {
    let text = match kind {
        Kind::ExpectedComma => "expected a comma here",
        Kind::ExpectedColonAfterObjectKey => "expected `:` after this key",
        Kind::ExpectedObjectValue => "expected a value after this `:`",
        Kind::ExpectedStringObjectProperty | Kind::UnexpectedTokenInObject => {
            "expected a key in double quotes"
        }
        Kind::MultipleRootJsonValues => "expected the end of the file after the first value",
        Kind::SingleQuotedStringsNotAllowed => "expected double quotes",
        Kind::UnterminatedArray => "expected `]` for this `[`",
        Kind::UnterminatedObject => "expected `}` for this `{`",
        Kind::UnterminatedCommentBlock => "expected `*/` for this comment",
        Kind::UnexpectedWord | Kind::UnexpectedToken => "expected a value",
        Kind::UnexpectedComma => "expected a value before this comma",
        Kind::UnexpectedColon => "expected a value before this `:`",
        Kind::UnexpectedCloseBrace => "unexpected `}`: a value or another bracket belongs here",
        Kind::UnexpectedCloseBracket => "unexpected `]`: a value or another bracket belongs here",
        other => return lower_first(&other.to_string()),
    };
    text.to_owned()
}

fn lower_first(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_lowercase().chain(rest).collect())
}
