//! A condition on an event, its tool input or the state.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::shell_field;

/// A condition on the event, the tool input, the parsed command line or the state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Condition {
    /// The field, such as `event.toolName`, `input.file_path`, `shell.program` or `state.core.phase`.
    pub field: String,
    /// The comparison.
    pub op: Operator,
    /// The value to compare with; `exists` and `notExists` need none.
    #[serde(default)]
    pub value: Value,
}

/// The comparison of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Operator {
    /// Equal, or an array with this element.
    Eq,
    /// Not equal and no array with this element, or missing.
    Neq,
    /// A string that contains this, or an array with this member.
    Contains,
    /// A string that matches this regular expression, or an array with such a string.
    Matches,
    /// The field exists.
    Exists,
    /// The field is missing.
    NotExists,
}

/// The roots of fields.
const ROOTS: [&str; 4] = ["event", "input", "shell", "state"];

/// The longest searched text.
const SEARCHED_BYTES: usize = 16 * 1024;

impl Condition {
    /// Returns whether the condition holds for the values of fields.
    pub fn holds(&self, field: impl FnOnce(&str) -> Option<Value>) -> bool {
        let found = field(&self.field).filter(|value| !value.is_null());
        match (self.op, found) {
            (Operator::Exists, found) => found.is_some(),
            (Operator::NotExists, found) => found.is_none(),
            (Operator::Neq, found) => !found.is_some_and(|found| equals(&found, &self.value)),
            (_, None) => false,
            (Operator::Eq, Some(found)) => equals(&found, &self.value),
            (Operator::Contains, Some(found)) => contains(&found, &self.value),
            (Operator::Matches, Some(found)) => self.matches(&found),
        }
    }

    /// Returns the invalid part of the condition and its problem; `None` for a valid condition.
    pub(crate) fn fault(&self) -> Option<(&'static str, String)> {
        let (root, rest) = self.field.split_once('.').unwrap_or((&self.field, ""));
        if !ROOTS.contains(&root) || rest.is_empty() {
            let problem = format!(
                "unknown field `{}`: a field starts with `event.`, `input.`, `shell.` or `state.`",
                self.field
            );
            return Some(("field", problem));
        }
        if root == "shell" && !shell_field::NAMES.contains(&rest) {
            let known = shell_field::NAMES.map(|name| format!("`shell.{name}`")).join(", ");
            return Some(("field", format!("unknown field `{}`: it must be one of {known}", self.field)));
        }
        match (self.op, &self.value) {
            (Operator::Matches, Value::String(pattern)) => {
                let error = regex_lite::Regex::new(pattern).err()?;
                Some(("value", format!("not a regular expression: {error}")))
            }
            (Operator::Matches, _) => {
                Some(("value", "`matches` needs a regular expression as a string".into()))
            }
            (Operator::Contains, Value::Null) => Some(("op", "`contains` needs a `value`".into())),
            _ => None,
        }
    }

    fn matches(&self, found: &Value) -> bool {
        let Some(Ok(regex)) = self.value.as_str().map(regex_lite::Regex::new) else { return false };
        let fits = |text: &str| regex.is_match(searched(text));
        match found {
            Value::String(text) => fits(text),
            Value::Array(items) => items.iter().filter_map(Value::as_str).any(fits),
            other => fits(&other.to_string()),
        }
    }
}

/// Returns whether a regular expression of a rule matches a string. Parsing the rule has validated the pattern.
pub fn matches(pattern: &str, text: &str) -> bool {
    regex_lite::Regex::new(pattern).is_ok_and(|regex| regex.is_match(searched(text)))
}

fn searched(text: &str) -> &str {
    &text[..text.floor_char_boundary(SEARCHED_BYTES)]
}

/// Returns whether a value is the wanted one, or an array with it.
fn equals(found: &Value, wanted: &Value) -> bool {
    found == wanted || found.as_array().is_some_and(|items| items.contains(wanted))
}

fn contains(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::String(text), Value::String(part)) => text.contains(part.as_str()),
        (Value::Array(items), wanted) => items.contains(wanted),
        (Value::Object(fields), Value::String(key)) => fields.contains_key(key),
        _ => false,
    }
}

/// Returns the value at a dotted path; numbers are indexes of arrays.
pub fn walk<'a>(mut value: &'a Value, path: &str) -> Option<&'a Value> {
    for part in path.split('.') {
        value = match value {
            Value::Object(fields) => fields.get(part)?,
            Value::Array(items) => items.get(part.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn holds(op: &str, value: &Value, field: Option<Value>) -> bool {
        let condition: Condition =
            serde_json::from_value(json!({"field": "event.x", "op": op, "value": value})).unwrap();
        condition.holds(|_| field)
    }

    #[test]
    fn every_operator_answers_its_question() {
        for (op, value, field, expected) in [
            ("eq", json!("a"), Some(json!("a")), true),
            ("eq", json!(1), Some(json!(1)), true),
            ("eq", json!("a"), None, false),
            ("neq", json!("a"), Some(json!("b")), true),
            ("neq", json!("a"), Some(json!("a")), false),
            ("neq", json!("a"), None, true),
            ("contains", json!("b"), Some(json!("abc")), true),
            ("contains", json!("b"), Some(json!(["b"])), true),
            ("contains", json!("b"), Some(json!(["abc"])), false),
            ("contains", json!("b"), Some(json!({"b": 1})), true),
            ("matches", json!("^a+$"), Some(json!("aa")), true),
            ("matches", json!("^a+$"), Some(json!(["b", "a"])), true),
            ("matches", json!("^a+$"), Some(json!("ab")), false),
            ("matches", json!("7"), Some(json!(17)), true),
            ("exists", json!(null), Some(json!(false)), true),
            ("exists", json!(null), Some(json!(null)), false),
            ("notExists", json!(null), None, true),
        ] {
            assert_eq!(holds(op, &value, field.clone()), expected, "{field:?} {op} {value}");
        }
    }

    #[test]
    fn a_path_leads_through_objects_and_lists() {
        let value = json!({"a": [{"b": 7}]});
        assert_eq!(walk(&value, "a.0.b"), Some(&json!(7)));
        assert_eq!(walk(&value, "a.1.b"), None);
        assert_eq!(walk(&value, "a.b"), None);
    }
}
