//! Cuts a tool's input for its record: enough to understand and replay the call, at most a few kilobytes.

use std::borrow::Cow;

use serde_json::Value;

/// The most a recorded input takes, as JSON.
const MAX_BYTES: usize = 8 * 1024;

/// An input as it is recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedInput {
    /// The input, its long strings cut.
    pub value: Value,
    /// Whether nothing was cut.
    pub is_whole: bool,
}

/// Returns the input with its long strings cut until it fits.
pub fn of(input: &Value) -> RecordedInput {
    let mut longest = MAX_BYTES;
    let mut kept = RecordedInput { value: input.clone(), is_whole: true };
    while size(&kept.value) > MAX_BYTES {
        longest /= 4;
        let value = if longest < 16 {
            Value::from(format!("input of {} bytes left out", size(input)))
        } else {
            cut(input, longest)
        };
        kept = RecordedInput { value, is_whole: false };
    }
    kept
}

/// Returns a string cut to the longest string of a record.
pub fn short(text: &str) -> Cow<'_, str> {
    const AT_MOST: usize = 1000;
    if text.len() <= AT_MOST {
        return Cow::Borrowed(text);
    }
    let end = (0..=AT_MOST).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    Cow::Owned(format!("{}… (+{} bytes)", &text[..end], text.len() - end))
}

/// Returns about how many bytes the value has as JSON, without writing it.
fn size(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) => 5,
        Value::Number(_) => 12,
        Value::String(text) => text.len() + 2,
        Value::Array(items) => items.iter().map(size).sum::<usize>() + items.len() + 2,
        Value::Object(map) => map.iter().map(|(key, value)| key.len() + 4 + size(value)).sum::<usize>() + 2,
    }
}

fn cut(value: &Value, longest: usize) -> Value {
    match value {
        Value::String(text) if text.len() > longest => {
            let end = (0..=longest).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            Value::from(format!("{}… (+{} bytes)", &text[..end], text.len() - end))
        }
        Value::Array(items) => items.iter().take(longest).map(|item| cut(item, longest)).collect(),
        Value::Object(map) => {
            map.iter().take(longest).map(|(key, value)| (key.clone(), cut(value, longest))).collect()
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn short_inputs_are_kept_whole() {
        let input = json!({"command": "ls -la", "n": [1, 2]});
        assert_eq!(of(&input), RecordedInput { value: input, is_whole: true });
    }

    #[test]
    fn long_texts_are_cut_and_the_rest_stays() {
        let kept = of(&json!({"file_path": "a.rs", "content": "é".repeat(100_000)}));
        assert!(!kept.is_whole);
        let kept = kept.value;
        assert_eq!(kept["file_path"], "a.rs");
        assert!(kept.to_string().len() < 2 * MAX_BYTES);
        assert!(kept["content"].as_str().unwrap().ends_with("bytes)"));
    }

    #[test]
    fn what_cannot_be_cut_is_left_out() {
        let huge: Value =
            (0..100_000).map(|n| (format!("key{n}"), json!(n))).collect::<serde_json::Map<_, _>>().into();
        assert!(size(&of(&huge).value) < MAX_BYTES);
    }
}
