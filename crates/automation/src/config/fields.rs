//! Takes typed fields out of an object and says what is wrong with the others.

use config_file::nearest;
use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::{Range, Ranged};
use serde_json::{Map, Number};

use super::report::Report;

/// A text and where it stands, its quotes included.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) at: Range,
}

/// An object that is being read.
pub(crate) struct Fields<'a, 't> {
    object: &'a Object<'t>,
    /// Where it stands, in the words of the file: `hooks[0].retry`.
    path: String,
}

impl<'a, 't> Fields<'a, 't> {
    /// Takes a value as an object; keys that are not in `known` get a warning.
    pub(crate) fn of(
        value: &'a Value<'t>,
        path: &str,
        known: &[&str],
        report: &mut Report<'_>,
    ) -> Option<Self> {
        let Value::Object(object) = value else {
            wrong_type(value, path, "an object", report);
            return None;
        };
        let fields = Self { object, path: path.to_owned() };
        for (index, property) in object.properties.iter().enumerate() {
            let key = property.name.as_str();
            let at = property.name.range();
            if object.properties[..index].iter().any(|earlier| earlier.name.as_str() == key) {
                report.error(at, format!("`{}` is there twice", fields.name(key)));
            } else if !known.contains(&key) {
                let problem = report.warning(at, format!("unknown key `{}`", fields.name(key)));
                problem.hint = Some(match nearest(key, known.iter().copied()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("known here: {}", known.join(", ")),
                });
            }
        }
        Some(fields)
    }

    /// Returns where the object begins.
    pub(crate) fn at(&self) -> Range {
        let start = self.object.range.start;
        Range { start, end: start + 1 }
    }

    /// Returns the full name of a key.
    pub(crate) fn name(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Returns what stands under a key; `null` is as good as nothing.
    pub(crate) fn get(&self, key: &str) -> Option<&'a Value<'t>> {
        let value = &self.object.get(key)?.value;
        (!matches!(value, Value::NullKeyword(_))).then_some(value)
    }

    /// Says that a key has to be there.
    pub(crate) fn missing(&self, key: &str, report: &mut Report<'_>) {
        let whose = if self.path.is_empty() { "the file".to_owned() } else { format!("`{}`", self.path) };
        report.error(self.at(), format!("{whose} has no `{key}`"));
    }

    /// Returns the text under a key.
    pub(crate) fn text(&self, key: &str, report: &mut Report<'_>) -> Option<Written> {
        text(self.get(key)?, || self.name(key), report)
    }

    /// Returns the text under a key, which may not be longer than `most` characters.
    pub(crate) fn text_of(
        &self,
        key: &str,
        most: usize,
        limit: &str,
        report: &mut Report<'_>,
    ) -> Option<Written> {
        let written = self.text(key, report)?;
        let length = written.text.chars().count();
        if length > most {
            let message = format!("`{}` has {length} characters, {limit} is {most}", self.name(key));
            report.error(written.at, message);
            return None;
        }
        Some(written)
    }

    /// Returns the text under a key that has to be there and say something.
    pub(crate) fn required_text(
        &self,
        key: &str,
        most: usize,
        limit: &str,
        report: &mut Report<'_>,
    ) -> Option<Written> {
        if self.get(key).is_none() {
            self.missing(key, report);
            return None;
        }
        let written = self.text_of(key, most, limit, report)?;
        if written.text.trim().is_empty() {
            report.error(written.at, format!("`{}` is empty", self.name(key)));
            return None;
        }
        Some(written)
    }

    /// Returns the text under a key, which has to be one of `words`.
    pub(crate) fn word(&self, key: &str, words: &[&str], report: &mut Report<'_>) -> Option<Written> {
        let written = self.text(key, report)?;
        if words.contains(&written.text.as_str()) {
            return Some(written);
        }
        let problem = report.error(written.at, format!("`{}` is `{}`", self.name(key), written.text));
        problem.hint = Some(match nearest(&written.text, words.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("one of {}", words.join(", ")),
        });
        None
    }

    /// Returns the texts of the list under a key.
    pub(crate) fn texts(&self, key: &str, report: &mut Report<'_>) -> Option<Vec<Written>> {
        let value = self.get(key)?;
        let Value::Array(array) = value else {
            wrong_type(value, &self.name(key), "a list of strings", report);
            return None;
        };
        let read = |(index, item)| text(item, || format!("{}[{index}]", self.name(key)), report);
        Some(array.elements.iter().enumerate().filter_map(read).collect())
    }

    /// Returns whether the key says true.
    pub(crate) fn flag(&self, key: &str, report: &mut Report<'_>) -> Option<bool> {
        match self.get(key)? {
            Value::BooleanLit(literal) => Some(literal.value),
            other => {
                wrong_type(other, &self.name(key), "true or false", report);
                None
            }
        }
    }

    /// Returns the whole number under a key, which has to be within a range.
    pub(crate) fn whole(&self, key: &str, least: u64, most: u64, report: &mut Report<'_>) -> Option<u64> {
        let value = self.get(key)?;
        let Value::NumberLit(literal) = value else {
            wrong_type(value, &self.name(key), "a whole number", report);
            return None;
        };
        match literal.value.parse::<u64>() {
            Ok(number) if (least..=most).contains(&number) => Some(number),
            _ => {
                let problem =
                    report.error(value.range(), format!("`{}` is {}", self.name(key), literal.value));
                problem.hint = Some(match most {
                    u64::MAX => format!("a whole number, {least} or more"),
                    _ => format!("a whole number from {least} to {most}"),
                });
                None
            }
        }
    }

    /// Returns the number under a key, which has to be at least so much.
    pub(crate) fn number(&self, key: &str, least: f64, report: &mut Report<'_>) -> Option<f64> {
        let value = self.get(key)?;
        let Value::NumberLit(literal) = value else {
            wrong_type(value, &self.name(key), "a number", report);
            return None;
        };
        match literal.value.parse::<f64>() {
            Ok(number) if number.is_finite() && number >= least => Some(number),
            _ => {
                let problem =
                    report.error(value.range(), format!("`{}` is {}", self.name(key), literal.value));
                problem.hint = Some(format!("a number, {least} or more"));
                None
            }
        }
    }
}

/// Returns a value as text, or says what it is instead. Its name is made up only then: it is
/// hardly ever needed.
pub(crate) fn text(
    value: &Value<'_>,
    name: impl FnOnce() -> String,
    report: &mut Report<'_>,
) -> Option<Written> {
    if let Value::StringLit(literal) = value {
        return Some(Written { text: literal.value.clone().into_owned(), at: literal.range });
    }
    wrong_type(value, &name(), "a string", report);
    None
}

/// Says that a value is of the wrong type.
pub(crate) fn wrong_type(value: &Value<'_>, name: &str, expected: &str, report: &mut Report<'_>) {
    let whose = if name.is_empty() { "the file".to_owned() } else { format!("`{name}`") };
    report.error(value.range(), format!("{whose} is {}, expected {expected}", kind(value)));
}

/// Returns a value as plain JSON.
pub(crate) fn plain(value: &Value<'_>) -> serde_json::Value {
    use serde_json::Value as Json;
    match value {
        Value::StringLit(literal) => Json::String(literal.value.clone().into_owned()),
        Value::NumberLit(literal) => {
            literal.value.parse::<Number>().map_or_else(|_| Json::from(literal.value), Json::Number)
        }
        Value::BooleanLit(literal) => Json::Bool(literal.value),
        Value::Object(object) => Json::Object(plain_object(object)),
        Value::Array(array) => array.elements.iter().map(plain).collect(),
        Value::NullKeyword(_) => Json::Null,
    }
}

/// Returns an object as plain JSON.
pub(crate) fn plain_object(object: &Object<'_>) -> Map<String, serde_json::Value> {
    object.properties.iter().map(|it| (it.name.as_str().to_owned(), plain(&it.value))).collect()
}

const fn kind(value: &Value<'_>) -> &'static str {
    match value {
        Value::StringLit(_) => "a string",
        Value::NumberLit(_) => "a number",
        Value::BooleanLit(_) => "true or false",
        Value::Object(_) => "an object",
        Value::Array(_) => "a list",
        Value::NullKeyword(_) => "null",
    }
}
