//! JSON with the bytes of every value.

use jsonc_parser::ast::Value;
use jsonc_parser::common::{Range, Ranged};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use crate::node::{Entry, Kind, Node, Span};
use crate::report::Fault;

/// Which JSON a file may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// JSON as its standard has it.
    Plain,
    /// JSON with comments and trailing commas.
    WithComments,
}

/// Reads a text; `None` if there is no value in it.
pub fn parse(text: &str, dialect: Dialect) -> Result<Option<Node<'_>>, Fault> {
    match parse_to_ast(text, &CollectOptions::default(), &dialect.options()) {
        Ok(parsed) => Ok(parsed.value.map(node)),
        Err(error) => {
            let problem = error.kind().to_string();
            let is_extra = problem.contains("omment") || problem.contains("railing comma");
            let hint = is_extra.then_some("remove comments and trailing commas: this file is plain JSON");
            Err(Fault {
                hint,
                ..Fault::new(span(error.range()), format!("cannot parse JSON: {}", lower(&problem)))
            })
        }
    }
}

impl Dialect {
    /// Returns what the parser accepts.
    pub const fn options(self) -> ParseOptions {
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
            Kind::List { items: array.elements.into_iter().map(node).collect(), block: false }
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

/// The parser begins its messages like sentences; here they follow a colon.
fn lower(message: &str) -> String {
    let mut letters = message.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
