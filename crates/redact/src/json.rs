//! JSON whose secrets are taken out: in every string, and where the name of a field tells.

use std::fmt;

use serde_json::{Map, Value};

use crate::judge::{Setting, is_secret};
use crate::name::{Promise, promise};
use crate::{Filter, REPLACEMENT, Redacted, filter, header};

/// JSON whose secrets are taken out.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct RedactedJson(Value);

/// Takes the secrets of the built-in kinds out of `value`.
#[must_use]
pub fn value(value: &Value) -> RedactedJson {
    Filter::default().redact_json(value)
}

impl Filter {
    /// Returns `value` with its secrets replaced. Names of fields are text, too.
    #[must_use]
    pub fn redact_json(&self, value: &Value) -> RedactedJson {
        RedactedJson(self.json(value))
    }

    fn json(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.redact(text).into_string()),
            Value::Array(items) => Value::Array(items.iter().map(|item| self.json(item)).collect()),
            Value::Object(fields) => Value::Object(self.fields(fields)),
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    fn fields(&self, fields: &Map<String, Value>) -> Map<String, Value> {
        let field = |(name, value): (&String, &Value)| {
            let value = match value {
                Value::String(text) => Value::String(self.field(name, text)),
                value => self.json(value),
            };
            (self.redact(name).into_string(), value)
        };
        fields.iter().map(field).collect()
    }

    fn field(&self, name: &str, text: &str) -> String {
        if name.eq_ignore_ascii_case("cookie") || name.eq_ignore_ascii_case("set-cookie") {
            let mut secrets = Vec::new();
            header::cookie_pairs(text.as_bytes(), 0, &mut secrets);
            let mut redacted = Vec::new();
            filter::replace(text.as_bytes(), 0, text.len(), &secrets, &mut redacted);
            return self.redact(&filter::into_string(redacted)).into_string();
        }
        let redacted = self.redact(text);
        // Something was found within: `Bearer [REDACTED]` says more than `[REDACTED]`.
        if redacted.as_str() != text {
            return redacted.into_string();
        }
        match promise(name.as_bytes()) {
            Some(kind) if is_field_secret(kind, text) => REPLACEMENT.to_owned(),
            _ => redacted.into_string(),
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

    /// Returns the value, giving up the promise of the type.
    #[must_use]
    pub fn into_value(self) -> Value {
        self.0
    }

    /// Returns the value as text on one line.
    #[must_use]
    pub fn to_text(&self) -> Redacted {
        Redacted::filtered(self.0.to_string())
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
