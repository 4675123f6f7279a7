//! A value of a JSON or YAML text, and which bytes of the text it is.

use std::borrow::Cow;

use serde_json::{Map, Number, Value};

use crate::scalar;
use crate::table::Field;

/// The bytes of a text that a value or a key takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// The notation of a text; messages use its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// JSON, with or without comments.
    Json,
    /// YAML 1.2.
    Yaml,
}

/// A value and its bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Node<'t> {
    /// The bytes of a scalar. A YAML list or mapping reaches from its begin to the end of its
    /// last value: an edit adds behind that.
    pub span: Span,
    /// What it is.
    pub kind: Kind<'t>,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind<'t> {
    /// A single word or text.
    Scalar {
        /// Its content, escapes resolved.
        text: Cow<'t, str>,
        /// Whether it stands without quotes, so that it may be a number, a boolean or null.
        plain: bool,
    },
    /// A list.
    List {
        /// Its items.
        items: Vec<Node<'t>>,
        /// Whether each item stands behind a `-` of its own.
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
    /// Makes a span.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Returns the first byte of it: what is said of a whole mapping is said there.
    #[must_use]
    pub const fn first(self) -> Self {
        Self { start: self.start, end: self.start + 1 }
    }

    /// Returns it so many bytes further on.
    #[must_use]
    pub const fn behind(self, bytes: usize) -> Self {
        Self { start: self.start + bytes, end: self.end + bytes }
    }
}

impl<'t> Node<'t> {
    /// Makes a mapping without entries.
    pub const fn empty_map(span: Span) -> Self {
        Self { span, kind: Kind::Map(Vec::new()) }
    }

    /// Returns where to point at: all of a scalar or a list, the begin of a mapping.
    pub fn at(&self) -> Span {
        if matches!(self.kind, Kind::Map(_)) { self.span.first() } else { self.span }
    }

    /// Returns whether it is null: the word, or nothing at all.
    pub fn is_null(&self) -> bool {
        self.plain().is_some_and(scalar::is_null)
    }

    /// Returns the string, if that is what readers of the notation take it for.
    pub fn as_string(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar { text, plain } if !plain || scalar::is_text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns what is written, be it a string, a number or a boolean; `None` for null.
    pub fn as_written(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar { text, .. } if !self.is_null() => Some(text),
            _ => None,
        }
    }

    /// Returns the whole number.
    pub fn as_integer(&self) -> Option<i64> {
        self.plain().and_then(scalar::integer)
    }

    /// Returns the number, whole or not.
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

    /// Returns the items of a list.
    pub fn items(&self) -> Option<&[Self]> {
        match &self.kind {
            Kind::List { items, .. } => Some(items),
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

    /// Returns the value of a key; of keys that are there twice, the first one.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.entries()?.iter().find(|it| it.key == key).map(|it| &it.value)
    }

    /// Returns the entry of a declared key, in whatever spelling.
    pub fn entry(&self, field: &Field) -> Option<&Entry<'t>> {
        self.entries()?.iter().find(|it| field.is(&it.key))
    }

    /// Returns what it is, for a message.
    pub fn what(&self, syntax: Syntax) -> &'static str {
        match &self.kind {
            Kind::List { .. } => "a list",
            Kind::Map(_) => syntax.a_mapping(),
            Kind::Scalar { .. } if self.is_null() => "null",
            Kind::Scalar { .. } if self.as_boolean().is_some() => "a boolean",
            Kind::Scalar { .. } if self.as_string().is_none() => "a number",
            Kind::Scalar { .. } => "a string",
        }
    }

    /// Returns it as JSON.
    pub fn to_json(&self) -> Value {
        match &self.kind {
            Kind::List { items, .. } => items.iter().map(Self::to_json).collect(),
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
    /// Returns what the notation calls a mapping.
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
    // Beyond `i64` there is still `u64`.
    if let Ok(integer) = text.parse::<u64>() {
        return Value::Number(integer.into());
    }
    match scalar::float(text).and_then(Number::from_f64) {
        Some(number) => Value::Number(number),
        None => Value::String(text.to_owned()),
    }
}
