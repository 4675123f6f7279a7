//! Redacts JSON: every string, and the values of fields whose name marks them as secret.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::judge::{Setting, is_secret};
use crate::name::{Promise, promise};
use crate::{Filter, REPLACEMENT, Redacted, filter, header};

/// Redacted JSON.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct RedactedJson(Value);

/// Redacts the built-in kinds of secrets in `value`.
#[must_use]
pub fn value(value: &Value) -> RedactedJson {
    owned(value.clone())
}

/// Redacts the built-in kinds of secrets in `value` in place.
#[must_use]
pub fn owned(value: Value) -> RedactedJson {
    Filter::default().redact_owned(value)
}

impl Filter {
    /// Returns `value` with its secrets replaced, also in the names of fields.
    #[must_use]
    pub fn redact_json(&self, value: &Value) -> RedactedJson {
        self.redact_owned(value.clone())
    }

    fn redact_owned(&self, mut value: Value) -> RedactedJson {
        self.clean(&mut value);
        RedactedJson(value)
    }

    fn clean(&self, value: &mut Value) {
        match value {
            Value::String(text) => self.clean_text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.clean(item)),
            Value::Object(fields) => self.clean_fields(fields),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Most strings contain no secret and are not copied.
    fn clean_text(&self, text: &mut String) {
        if self.has_secrets(text) {
            *text = self.redact(text).into_string();
        }
    }

    fn clean_fields(&self, fields: &mut Map<String, Value>) {
        for (name, value) in fields.iter_mut() {
            match value {
                Value::String(text) => self.clean_field(name, text),
                value => self.clean(value),
            }
        }
        if fields.keys().any(|name| self.has_secrets(name)) {
            let taken = std::mem::take(fields);
            *fields =
                taken.into_iter().map(|(name, value)| (self.redact(&name).into_string(), value)).collect();
        }
    }

    fn clean_field(&self, name: &str, text: &mut String) {
        if name.eq_ignore_ascii_case("cookie") || name.eq_ignore_ascii_case("set-cookie") {
            let mut secrets = Vec::new();
            header::cookie_pairs(text.as_bytes(), 0, &mut secrets);
            let mut redacted = Vec::new();
            filter::replace(text.as_bytes(), 0, text.len(), &secrets, &mut redacted);
            *text = self.redact(&filter::into_string(redacted)).into_string();
        } else if self.has_secrets(text) {
            // `Bearer [REDACTED]` is more informative than `[REDACTED]`.
            *text = self.redact(text).into_string();
        } else if promise(name.as_bytes()).is_some_and(|kind| is_field_secret(kind, text)) {
            REPLACEMENT.clone_into(text);
        }
    }
}

fn is_field_secret(promise: Promise, text: &str) -> bool {
    is_secret(promise, Setting::Field, text.as_bytes())
}

impl RedactedJson {
    /// Returns the value.
    pub fn as_value(&self) -> &Value {
        &self.0
    }

    /// Returns the value without the guarantee of the type.
    #[must_use]
    pub fn into_value(self) -> Value {
        self.0
    }

    /// Returns the value as one line of text.
    #[must_use]
    pub fn to_text(&self) -> Redacted {
        Redacted::filtered(self.0.to_string())
    }
}

impl Serialize for RedactedJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl fmt::Display for RedactedJson {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Debug for RedactedJson {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
