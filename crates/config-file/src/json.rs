//! Parses JSON and records the bytes of every value.

use jsonc_parser::ast::Value;
use jsonc_parser::common::{Range, Ranged};
use jsonc_parser::errors::{ParseError, ParseErrorKind as Problem};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use crate::node::{Entry, Kind, Node, Span};
use crate::report::SyntaxError;

/// The hint for a file with comments or trailing commas that must be plain JSON.
pub const PLAIN_JSON: &str = "remove comments and trailing commas: this file is plain JSON";

/// The hint for a file with a byte order mark.
pub const NO_BYTE_ORDER_MARK: &str = "save it as UTF-8 without a byte order mark";

/// The hint for an optional file without content.
pub const EMPTY_FILE: &str = "write `{}` into it, or delete it to use defaults";

/// The JSON syntax that a file may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonDialect {
    /// Standard JSON.
    Plain,
    /// JSON with comments and trailing commas.
    WithComments,
}

/// Parses a string. Returns `None` if it contains no value.
pub fn parse(text: &str, dialect: JsonDialect) -> Result<Option<Node<'_>>, SyntaxError> {
    match parse_to_ast(text, &CollectOptions::default(), &dialect.options()) {
        Ok(parsed) => Ok(parsed.value.map(node)),
        Err(error) => {
            let is_extra =
                matches!(error.kind(), Problem::CommentsNotAllowed | Problem::TrailingCommasNotAllowed);
            let hint = is_extra.then_some(PLAIN_JSON);
            Err(SyntaxError {
                hint,
                ..SyntaxError::new(
                    span(error.range()),
                    format!("cannot parse JSON: {}", json_problem(&error)),
                )
            })
        }
    }
}

impl JsonDialect {
    /// Returns the parser's options.
    pub(crate) const fn options(self) -> ParseOptions {
        let comments = matches!(self, Self::WithComments);
        ParseOptions {
            allow_comments: comments,
            allow_trailing_commas: comments,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        }
    }
}

fn node(value: Value<'_>) -> Node<'_> {
    let span = span(value.range());
    let kind = match value {
        Value::StringLit(literal) => Kind::Scalar { text: literal.value, plain: false },
        Value::NumberLit(literal) => Kind::Scalar { text: literal.value.into(), plain: true },
        Value::BooleanLit(literal) => {
            Kind::Scalar { text: if literal.value { "true" } else { "false" }.into(), plain: true }
        }
        Value::NullKeyword(_) => Kind::Scalar { text: "null".into(), plain: true },
        Value::Array(array) => {
            Kind::Array { items: array.elements.into_iter().map(node).collect(), block: false }
        }
        Value::Object(object) => Kind::Map(
            object
                .properties
                .into_iter()
                .map(|it| {
                    let at = self::span(it.name.range());
                    Entry { key: it.name.into_string().into(), at, value: node(it.value) }
                })
                .collect(),
        ),
    };
    Node { span, kind }
}

const fn span(range: Range) -> Span {
    Span { start: range.start, end: range.end }
}

/// Names the expected token of a parser's error, or returns the parser's message if it names it.
pub fn json_problem(error: &ParseError) -> String {
    let text = match error.kind() {
        Problem::ExpectedComma => "expected a comma here",
        Problem::ExpectedColonAfterObjectKey => "expected `:` after this key",
        Problem::ExpectedObjectValue => "expected a value after this `:`",
        Problem::ExpectedStringObjectProperty | Problem::UnexpectedTokenInObject => {
            "expected a key in double quotes"
        }
        Problem::MultipleRootJsonValues => "expected the end of the file after the first value",
        Problem::SingleQuotedStringsNotAllowed => "expected double quotes",
        Problem::UnterminatedArray => "expected `]` for this `[`",
        Problem::UnterminatedObject => "expected `}` for this `{`",
        Problem::UnterminatedCommentBlock => "expected `*/` for this comment",
        Problem::UnexpectedWord | Problem::UnexpectedToken => "expected a value",
        Problem::UnexpectedComma => "expected a value before this comma",
        Problem::UnexpectedColon => "expected a value before this `:`",
        Problem::UnexpectedCloseBrace => "unexpected `}`, expected a value or another bracket",
        Problem::UnexpectedCloseBracket => "unexpected `]`, expected a value or another bracket",
        other => return lower_first(&other.to_string()),
    };
    text.to_owned()
}

/// Lowers the first letter: the parser writes sentences, but here the message follows a colon.
fn lower_first(message: &str) -> String {
    let mut rest = message.chars();
    rest.next().map_or_else(String::new, |first| first.to_lowercase().chain(rest).collect())
}
