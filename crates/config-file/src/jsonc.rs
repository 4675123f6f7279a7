//! The syntax tree of JSON with comments, for code that edits a settings file in place.
//!
//! WHY here: only this crate imports the parser (`cargo xtask layering` checks that), so every file is read with the
//! same options.

use jsonc_parser::{CollectOptions, parse_to_ast};

pub use jsonc_parser::ast::{Array, Object, ObjectProp, StringLit, Value};
pub use jsonc_parser::common::{Range, Ranged};
pub use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};
pub use jsonc_parser::errors::ParseError;

use crate::json::JsonDialect;

/// Parses a string into values with their bytes. Returns `None` if it contains no value.
pub fn parse(text: &str) -> Result<Option<Value<'_>>, ParseError> {
    Ok(parse_to_ast(text, &CollectOptions::default(), &JsonDialect::WithComments.options())?.value)
}

/// Parses a string into a tree whose changes keep comments, order and layout.
pub fn parse_editable(text: &str) -> Result<CstRootNode, ParseError> {
    CstRootNode::parse(text, &JsonDialect::WithComments.options())
}

/// Formats a value on one line; `like` is a neighbour whose spacing it copies.
pub fn on_one_line(value: &serde_json::Value, like: &str) -> String {
    use serde_json::Value;
    match value {
        Value::Array(elements) => {
            let elements = elements.iter().map(|element| on_one_line(element, like));
            format!("[{}]", elements.collect::<Vec<_>>().join(", "))
        }
        Value::Object(properties) => {
            let blank = if like.starts_with("{ ") { " " } else { "" };
            let property = |(key, value): (&String, &Value)| {
                format!("{}: {}", Value::from(key.as_str()), on_one_line(value, like))
            };
            let properties = properties.iter().map(property).collect::<Vec<_>>();
            format!("{{{blank}{}{blank}}}", properties.join(", "))
        }
        plain => plain.to_string(),
    }
}
