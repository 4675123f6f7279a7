//! A value of a YAML text, and where it stands.

use serde_json::{Map, Number, Value};

use super::scalar;
use crate::source::Mark;

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) at: Mark,
    pub(crate) data: Data,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Data {
    /// A text; `plain` when it stands without quotes and may mean a number, a truth value or nothing.
    Scalar {
        text: String,
        plain: bool,
    },
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// A key of a mapping with its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) at: Mark,
    pub(crate) value: Node,
}

impl Node {
    /// Returns whether nothing is written here.
    pub(crate) fn is_null(&self) -> bool {
        matches!(&self.data, Data::Scalar { text, plain: true } if scalar::is_null(text))
    }

    /// Returns the whole number that is written here.
    pub(crate) fn as_integer(&self) -> Option<i64> {
        match &self.data {
            Data::Scalar { text, plain: true } => scalar::integer(text),
            _ => None,
        }
    }

    /// Returns the text, if that is what a YAML reader takes it for.
    pub(crate) fn as_text(&self) -> Option<&str> {
        match &self.data {
            Data::Scalar { text, plain } if !plain || scalar::is_text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns what is written, be it a text, a number or a truth value.
    pub(crate) fn as_written(&self) -> Option<&str> {
        match &self.data {
            Data::Scalar { text, .. } if !self.is_null() => Some(text),
            _ => None,
        }
    }

    /// Returns what kind of value it is, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match &self.data {
            Data::List(_) => "a list",
            Data::Map(_) => "a mapping",
            Data::Scalar { text, plain: true } if scalar::is_null(text) => "empty",
            Data::Scalar { text, plain: true } if scalar::truth(text).is_some() => "a truth value",
            Data::Scalar { text, plain: true } if !scalar::is_text(text) => "a number",
            Data::Scalar { .. } => "a text",
        }
    }

    /// Returns the value under a key of a mapping.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        match &self.data {
            Data::Map(entries) => entries.iter().find(|it| it.key == key).map(|it| &it.value),
            _ => None,
        }
    }

    /// Returns it as JSON.
    pub(crate) fn to_json(&self) -> Value {
        match &self.data {
            Data::List(items) => Value::Array(items.iter().map(Self::to_json).collect()),
            Data::Map(entries) => {
                let fields = entries.iter().map(|it| (it.key.clone(), it.value.to_json()));
                Value::Object(fields.collect::<Map<_, _>>())
            }
            Data::Scalar { text, plain: false } => Value::String(text.clone()),
            Data::Scalar { text, plain: true } => plain_json(text),
        }
    }
}

fn plain_json(text: &str) -> Value {
    if scalar::is_null(text) {
        return Value::Null;
    }
    if let Some(truth) = scalar::truth(text) {
        return Value::Bool(truth);
    }
    if let Some(integer) = scalar::integer(text) {
        return Value::Number(integer.into());
    }
    match scalar::float(text).and_then(Number::from_f64) {
        Some(number) => Value::Number(number),
        None => Value::String(text.to_owned()),
    }
}
