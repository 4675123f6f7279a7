//! Removes secrets from printed automations: those of a known shape, those that the automation's
//! `secretPatterns` match, and the values of variables that hold secrets.

use automation::Automation;
use engine::Settings;
use redact::Filter;
use serde_json::Value;

/// Removes secrets from printed automations.
pub(super) struct SecretFilter {
    known: Filter,
}

impl SecretFilter {
    pub(super) fn new(settings: &Settings) -> Self {
        Self { known: Filter::with_patterns(settings.environment.secret_patterns()).unwrap_or_default() }
    }

    /// Returns the filter for one automation's strings.
    pub(super) fn of(&self, automation: &Automation) -> impl Fn(&str) -> String {
        // The loader has checked these patterns.
        let own = Filter::with_patterns(&automation.secret_patterns).unwrap_or_default();
        move |text| own.redact(self.known.redact(text).as_str()).into_string()
    }

    /// Returns a value with all its strings filtered.
    pub(super) fn value(&self, automation: &Automation, value: Value) -> Value {
        let plain = serde_json::to_value(redact::owned(value)).unwrap_or_default();
        shown(plain, &self.of(automation))
    }
}

fn shown(value: Value, show: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(show(&text)),
        Value::Array(items) => items.into_iter().map(|item| shown(item, show)).collect(),
        Value::Object(object) => object.into_iter().map(|(name, value)| (name, shown(value, show))).collect(),
        other => other,
    }
}
