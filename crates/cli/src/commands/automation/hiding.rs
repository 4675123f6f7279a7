//! What an automation declares, shown without its secrets: those of a known shape, those its own
//! `secretPatterns` match, and the values of variables that hold some.

use automation::Automation;
use engine::Settings;
use redact::Filter;
use serde_json::Value;

/// Takes secrets out of what is shown of automations.
pub(super) struct Hiding {
    known: Filter,
}

impl Hiding {
    pub(super) fn new(settings: &Settings) -> Self {
        Self { known: Filter::with_patterns(settings.environment.secret_patterns()).unwrap_or_default() }
    }

    /// Returns how one automation's texts are shown.
    pub(super) fn of(&self, automation: &Automation) -> impl Fn(&str) -> String {
        // They were checked when the file was loaded.
        let own = Filter::with_patterns(&automation.secret_patterns).unwrap_or_default();
        move |text| own.redact(self.known.redact(text).as_str()).into_string()
    }

    /// Returns a value with every text in it shown so.
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
