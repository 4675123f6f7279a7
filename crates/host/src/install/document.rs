//! A parsed settings file with the byte range of every value.

use config_file::Position;
use config_file::jsonc::{self, Array, Object, Range, Ranged, Value};

use super::edit_error::EditError;

/// A settings file: one object.
#[derive(Debug)]
pub(super) struct Document<'a> {
    pub(super) text: &'a str,
    pub(super) root: Object<'a>,
}

impl<'a> Document<'a> {
    /// Parses the text, without its byte-order mark.
    pub(super) fn parse(text: &'a str) -> Result<Self, EditError> {
        match jsonc::parse(text)? {
            Some(Value::Object(root)) => Ok(Self { text, root }),
            Some(other) => Err(misshapen(text, "the file", "an object", &other)),
            None => Err(EditError::Shape {
                line: 1,
                column: 1,
                place: "the file".to_owned(),
                expected: "an object",
                found: "only comments",
            }),
        }
    }

    /// Returns the object with the host's hooks. Returns `None` if it does not exist.
    pub(super) fn hooks(&self) -> Result<Option<&Object<'a>>, EditError> {
        match last(&self.root, "hooks") {
            None => Ok(None),
            Some(Value::Object(hooks)) => Ok(Some(hooks)),
            Some(other) => Err(misshapen(self.text, "`hooks`", "an object", other)),
        }
    }

    /// Returns the array of one event. Returns `None` if it does not exist.
    pub(super) fn list(&self, hooks: &'a Object<'a>, key: &str) -> Result<Option<&'a Array<'a>>, EditError> {
        match last(hooks, key) {
            None => Ok(None),
            Some(Value::Array(list)) => Ok(Some(list)),
            Some(other) => Err(misshapen(self.text, &format!("`hooks.{key}`"), "an array", other)),
        }
    }
}

/// Converts a parsed value.
pub(super) fn as_json(value: &Value<'_>) -> serde_json::Value {
    match value {
        Value::StringLit(text) => serde_json::Value::from(text.value.as_ref()),
        Value::NumberLit(number) => serde_json::from_str(number.value).unwrap_or_default(),
        Value::BooleanLit(literal) => serde_json::Value::Bool(literal.value),
        Value::Object(object) => serde_json::Value::Object(
            object.properties.iter().map(|it| (it.name.as_str().to_owned(), as_json(&it.value))).collect(),
        ),
        Value::Array(array) => array.elements.iter().map(as_json).collect(),
        Value::NullKeyword(_) => serde_json::Value::Null,
    }
}

/// Splits off the byte-order mark that some Windows editors write.
pub(super) fn split_mark(text: &str) -> (&str, &str) {
    let mark = '\u{feff}'.len_utf8();
    if text.starts_with('\u{feff}') { text.split_at(mark) } else { ("", text) }
}

/// Finds a property. The last duplicate counts, as in every host.
pub(super) fn last<'o, 'a>(object: &'o Object<'a>, key: &str) -> Option<&'o Value<'a>> {
    object
        .properties
        .iter()
        .rev()
        .find(|property| property.name.as_str() == key)
        .map(|property| &property.value)
}

/// The byte positions of a bracketed value and its items.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Container {
    /// Right after the opening bracket.
    pub(super) inside: usize,
    /// At the closing bracket.
    pub(super) close: usize,
    /// Elements, or properties including their keys.
    pub(super) items: Vec<Range>,
}

impl From<&Object<'_>> for Container {
    fn from(object: &Object<'_>) -> Self {
        Self::new(object.range, object.properties.iter().map(|property| property.range).collect())
    }
}

impl From<&Array<'_>> for Container {
    fn from(array: &Array<'_>) -> Self {
        Self::new(array.range, array.elements.iter().map(Ranged::range).collect())
    }
}

impl Container {
    fn new(range: Range, items: Vec<Range>) -> Self {
        Self { inside: range.start + 1, close: range.end - 1, items }
    }
}

pub(super) fn misshapen(text: &str, place: &str, expected: &'static str, found: &Value<'_>) -> EditError {
    let Position { line, column } = Position::of_byte(text, found.range().start);
    let found = match found {
        Value::StringLit(_) => "a string",
        Value::NumberLit(_) => "a number",
        Value::BooleanLit(_) => "true or false",
        Value::Object(_) => "an object",
        Value::Array(_) => "an array",
        Value::NullKeyword(_) => "null",
    };
    EditError::Shape { line, column, place: place.to_owned(), expected, found }
}
