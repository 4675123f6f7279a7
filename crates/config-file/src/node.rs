//! A value of a JSON or YAML text with its bytes.

use std::borrow::Cow;

use serde_json::{Map, Number, Value};

use crate::scalar;
use crate::table::Field;

/// The byte range of a value or a key in a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// The syntax of a string; messages use its terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// JSON, with or without comments.
    Json,
    /// YAML 1.2.
    Yaml,
}

/// A value and its byte range.
#[derive(Debug, Clone, PartialEq)]
pub struct Node<'t> {
    /// The bytes of a scalar. The span of a YAML array or mapping ends with its last value: an edit
    /// inserts after that.
    pub span: Span,
    /// The kind of value.
    pub kind: Kind<'t>,
}

/// The kind of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind<'t> {
    /// A string, a number, a boolean or null.
    Scalar {
        /// Its content, escapes resolved.
        text: Cow<'t, str>,
        /// Whether it has no quotes, so that it may be a number, a boolean or null.
        plain: bool,
    },
    /// An array.
    Array {
        /// Its items.
        items: Vec<Node<'t>>,
        /// Whether each item has its own line with a `-`.
        block: bool,
    },
    /// A mapping, or in JSON an object.
    Map(Vec<Entry<'t>>),
}

/// A key of a mapping with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry<'t> {
    /// The key.
    pub key: Cow<'t, str>,
    /// The bytes of the key.
    pub at: Span,
    /// The value.
    pub value: Node<'t>,
}

impl Span {
    /// Creates a span.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Returns the first byte of the span: problems of a whole mapping point there.
    #[must_use]
    pub const fn first(self) -> Self {
        Self { start: self.start, end: self.start + 1 }
    }

    /// Returns the span moved by this many bytes.
    #[must_use]
    pub const fn behind(self, bytes: usize) -> Self {
        Self { start: self.start + bytes, end: self.end + bytes }
    }
}

impl<'t> Node<'t> {
    /// Creates a mapping without entries.
    pub const fn empty_map(span: Span) -> Self {
        Self { span, kind: Kind::Map(Vec::new()) }
    }

    /// Returns the span for problems: all of a scalar or an array, the start of a mapping.
    pub fn at(&self) -> Span {
        if matches!(self.kind, Kind::Map(_)) { self.span.first() } else { self.span }
    }

    /// Returns whether the value is null or empty.
    pub fn is_null(&self) -> bool {
        self.plain().is_some_and(scalar::is_null)
    }

    /// Returns the string. Returns `None` for other types, such as a YAML number without quotes.
    pub fn as_string(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar { text, plain } if !plain || scalar::is_text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the text of a string, a number or a boolean. Returns `None` for null.
    pub fn as_written(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar { text, .. } if !self.is_null() => Some(text),
            _ => None,
        }
    }

    /// Returns the integer.
    pub fn as_integer(&self) -> Option<i64> {
        self.plain().and_then(scalar::integer)
    }

    /// Returns the number, with or without a fraction.
    pub fn as_number(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "limits of factors are far below 2^53")]
        let whole = |it: i64| it as f64;
        let text = self.plain()?;
        scalar::integer(text).map(whole).or_else(|| scalar::float(text))
    }

    /// Returns the boolean.
    pub fn as_boolean(&self) -> Option<bool> {
        self.plain().and_then(scalar::truth)
    }

    /// Returns the items of an array.
    pub fn items(&self) -> Option<&[Self]> {
        match &self.kind {
            Kind::Array { items, .. } => Some(items),
            _ => None,
        }
    }

    /// Returns the entries of a mapping.
    pub fn entries(&self) -> Option<&[Entry<'t>]> {
        match &self.kind {
            Kind::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// Returns the value of a key; the first one if the key is duplicate.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.entries()?.iter().find(|it| it.key == key).map(|it| &it.value)
    }

    /// Returns the entry of a declared key, in any spelling.
    pub fn entry(&self, field: &Field) -> Option<&Entry<'t>> {
        self.entries()?.iter().find(|it| field.is(&it.key))
    }

    /// Returns the first duplicate key at any depth, with the entry that it repeats.
    pub fn duplicate(&self) -> Option<(&Entry<'t>, &Entry<'t>)> {
        let entries = self.entries().unwrap_or_default();
        let of_this = entries.iter().enumerate().find_map(|(index, entry)| {
            Some((entry, entries[..index].iter().find(|it| it.key == entry.key)?))
        });
        let inner = entries.iter().map(|it| &it.value).chain(self.items().unwrap_or_default());
        of_this.or_else(|| inner.into_iter().find_map(Self::duplicate))
    }

    /// Names the type of the value for a message.
    pub fn what(&self, syntax: Syntax) -> &'static str {
        match &self.kind {
            Kind::Array { .. } => "an array",
            Kind::Map(_) => syntax.a_mapping(),
            Kind::Scalar { .. } if self.is_null() => "null",
            Kind::Scalar { .. } if self.as_boolean().is_some() => "a boolean",
            Kind::Scalar { .. } if self.as_string().is_none() => "a number",
            Kind::Scalar { .. } => "a string",
        }
    }

    /// Returns the value as JSON.
    pub fn to_json(&self) -> Value {
        match &self.kind {
            Kind::Array { items, .. } => items.iter().map(Self::to_json).collect(),
            Kind::Map(entries) => {
                let fields = entries.iter().map(|it| (it.key.clone().into_owned(), it.value.to_json()));
                Value::Object(fields.collect::<Map<_, _>>())
            }
            Kind::Scalar { text, plain: false } => Value::String(text.clone().into_owned()),
            Kind::Scalar { text, plain: true } => plain_json(text),
        }
    }

    fn plain(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar { text, plain: true } => Some(text),
            _ => None,
        }
    }
}

impl Syntax {
    /// Names a mapping in the terms of the syntax.
    pub const fn a_mapping(self) -> &'static str {
        match self {
            Self::Json => "an object",
            Self::Yaml => "a mapping",
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
    // Above `i64::MAX` it may still be a `u64`.
    if let Ok(integer) = text.parse::<u64>() {
        return Value::Number(integer.into());
    }
    match scalar::float(text).and_then(Number::from_f64) {
        Some(number) => Value::Number(number),
        None => Value::String(text.to_owned()),
    }
}
