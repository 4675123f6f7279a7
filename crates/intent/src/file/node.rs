//! A value of a YAML file and the place it stands at.

use std::ops::Range;

use serde_json::{Map, Value};

/// A value and its place.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) at: At,
    /// The bytes of a scalar; for the others, from the first of their leaves to the last.
    pub(crate) bytes: Range<usize>,
    pub(crate) kind: Kind,
}

/// A place in a text, both counted from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct At {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Scalar {
        text: String,
        plain: bool,
    },
    List {
        items: Vec<Node>,
        block: bool,
    },
    Map {
        entries: Vec<(Node, Node)>,
    },
    /// `*name`: its value stands elsewhere.
    Alias,
}

impl Node {
    /// Returns the text of a scalar that is not null.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar { text, .. } if !self.is_null() => Some(text),
            _ => None,
        }
    }

    /// Returns whether it is nothing: `~`, `null` or no text at all.
    pub(crate) fn is_null(&self) -> bool {
        matches!(&self.kind, Kind::Scalar { text, plain: true } if matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL"))
    }

    /// Returns what it is, for a message.
    pub(crate) fn what(&self) -> &'static str {
        match &self.kind {
            _ if self.is_null() => "nothing",
            Kind::Scalar { .. } => "a text",
            Kind::List { .. } => "a list",
            Kind::Map { .. } => "a mapping",
            Kind::Alias => "an alias",
        }
    }

    /// Returns the value of the first of these keys, with the key.
    pub(crate) fn entry(&self, keys: &[&str]) -> Option<(&Self, &Self)> {
        let Kind::Map { entries } = &self.kind else { return None };
        let known = |key: &Self| key.text().is_some_and(|text| keys.contains(&text));
        entries.iter().find(|(key, _)| known(key)).map(|(key, value)| (key, value))
    }

    /// Returns it as JSON; aliases become null.
    pub(crate) fn to_json(&self) -> Value {
        match &self.kind {
            Kind::Scalar { text, plain: true } => plain(text),
            Kind::Scalar { text, plain: false } => Value::String(text.clone()),
            Kind::List { items, .. } => items.iter().map(Self::to_json).collect(),
            Kind::Map { entries } => {
                let pairs =
                    entries.iter().map(|(key, value)| (key.text().unwrap_or("").to_owned(), value.to_json()));
                Value::Object(pairs.collect::<Map<_, _>>())
            }
            Kind::Alias => Value::Null,
        }
    }
}

/// Reads an unquoted scalar as YAML 1.2 does.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => {
            let number = text.parse::<i64>().map(Value::from).ok();
            let number = number.or_else(|| {
                text.parse::<f64>().ok().and_then(|n| serde_json::Number::from_f64(n).map(Value::Number))
            });
            number.unwrap_or_else(|| Value::String(text.to_owned()))
        }
    }
}
