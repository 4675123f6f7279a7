//! The text of a tool's result, in each host's format.

use serde_json::Value;

use crate::fields::Fields;

/// Returns what the model reads of a tool's result. Returns `None` for a result without a text, such as an image.
pub fn result_text(response: &Value) -> Option<String> {
    match response {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let texts: Vec<String> = parts.iter().filter_map(result_text).collect();
            (!texts.is_empty()).then(|| texts.join("\n"))
        }
        Value::Object(object) => {
            let fields = Fields::of(response)?;
            // Copilot, Gemini, a content block, the result of an MCP tool.
            let names = ["text_result_for_llm", "textResultForLlm", "llmContent", "text", "content", "file"];
            if let Some(text) = names.iter().find_map(|name| fields.value(&[*name])).and_then(result_text) {
                return Some(text);
            }
            let streams = ["stdout", "stderr"].iter().filter_map(|name| object.get(*name)?.as_str());
            let streams: Vec<&str> = streams.filter(|text| !text.is_empty()).collect();
            (!streams.is_empty()).then(|| streams.join("\n"))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_text_is_found_in_each_hosts_format() {
        for (response, expected) in [
            (json!("out\n"), Some("out\n")),
            (json!({"stdout": "out", "stderr": "", "interrupted": false}), Some("out")),
            (json!({"stdout": "out", "stderr": "err"}), Some("out\nerr")),
            (json!({"llmContent": "out", "returnDisplay": "shown"}), Some("out")),
            (json!({"llmContent": [{"text": "a"}, {"text": "b"}]}), Some("a\nb")),
            (json!({"result_type": "success", "text_result_for_llm": "out"}), Some("out")),
            (json!({"resultType": "success", "textResultForLlm": "out"}), Some("out")),
            (json!({"type": "text", "file": {"filePath": "/w/a", "content": "out"}}), Some("out")),
            (json!({"content": [{"type": "text", "text": "out"}]}), Some("out")),
            (json!([{"type": "text", "text": "out"}]), Some("out")),
            (json!({"type": "image", "data": 1}), None),
            (json!(null), None),
        ] {
            assert_eq!(result_text(&response).as_deref(), expected, "{response}");
        }
    }
}
