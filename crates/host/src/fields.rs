//! Reads a payload's fields leniently.
//!
//! Hosts disagree on `snake_case` and camelCase but rarely on words, and no spelling has different
//! meanings in two hosts. So a field is looked up by all its spellings at once, the preferred one
//! first.

use serde_json::{Map, Value};

/// The fields of one object of a payload.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a>(&'a Map<String, Value>);

impl<'a> Fields<'a> {
    /// Returns the fields of an object. Returns `None` for any other value.
    pub(crate) fn of(value: &'a Value) -> Option<Self> {
        value.as_object().map(Self)
    }

    /// Returns the first of these fields that exists and is not null.
    pub(crate) fn value(self, spellings: &[&str]) -> Option<&'a Value> {
        spellings.iter().find_map(|name| self.0.get(*name).filter(|value| !value.is_null()))
    }

    /// Returns the first of these fields that can be read as a string. A number counts as a string
    /// without quotes.
    pub(crate) fn text(self, spellings: &[&str]) -> Option<String> {
        spellings.iter().find_map(|name| self.0.get(*name).and_then(text))
    }

    /// Returns the first of these fields that is a non-empty string.
    pub(crate) fn word(self, spellings: &[&str]) -> Option<&'a str> {
        spellings
            .iter()
            .find_map(|name| self.0.get(*name).and_then(Value::as_str).filter(|word| !word.is_empty()))
    }

    /// Returns whether one of these fields is `true`, `"true"` or a number above zero.
    pub(crate) fn flag(self, spellings: &[&str]) -> bool {
        match self.value(spellings) {
            Some(Value::Bool(yes)) => *yes,
            Some(Value::Number(number)) => number.as_f64().is_some_and(|number| number > 0.0),
            Some(Value::String(word)) => word == "true",
            _ => false,
        }
    }

    /// Returns whether one of these fields exists and is not null.
    pub(crate) fn has(self, spellings: &[&str]) -> bool {
        self.value(spellings).is_some()
    }

    /// Returns whether the first field comes before the second. Returns `None` if either is missing.
    pub(crate) fn is_before(self, one: &str, other: &str) -> Option<bool> {
        let place = |name: &str| self.0.keys().position(|key| key == name);
        Some(place(one)? < place(other)?)
    }
}

/// Returns a value as a string if that is harmless: a string, a number, or the text parts of an array
/// of content blocks.
pub(crate) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(blocks) => {
            let parts: Vec<&str> = blocks
                .iter()
                .filter_map(|block| block.as_str().or_else(|| block.get("text").and_then(Value::as_str)))
                .collect();
            (!parts.is_empty()).then(|| parts.join("\n"))
        }
        Value::Null | Value::Bool(_) | Value::Object(_) => None,
    }
}
