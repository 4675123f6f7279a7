//! The outcome of a tool call, in each host's format.

use event::{Outcome, ToolCall};
use serde_json::Value;

use crate::fields::{self, Fields};
use crate::{EventKind, Host, exit_code};

/// Reads the outcome from the fields of an event after a tool call.
pub(crate) fn read(host: Host, event_kind: EventKind, call: &ToolCall, payload: Fields<'_>) -> Outcome {
    let response =
        payload.value(&["tool_response", "toolResponse", "tool_result", "toolResult", "tool_output"]);
    let error = payload.value(&["error", "error_message", "errorMessage"]).and_then(complaint);
    if event_kind == EventKind::PostToolUseFailure || (response.is_none() && error.is_some()) {
        let error = error.or_else(|| response.and_then(complaint));
        return Outcome::Failed { error: error.unwrap_or_else(unnamed), response: None };
    }
    let failed = |response: &Value| {
        // Cursor sends the result of a tool as a string of JSON.
        let decoded = response.as_str().filter(|_| host == Host::Cursor);
        let decoded: Option<Value> = decoded.and_then(|text| serde_json::from_str(text).ok());
        failure(decoded.as_ref().unwrap_or(response)).or_else(|| exit_code::failure(host, call, response))
    };
    match response.and_then(failed) {
        Some(error) => Outcome::Failed { error, response: response.cloned() },
        None => Outcome::Done { response: response.cloned().unwrap_or(Value::Null) },
    }
}

/// Returns the error if a tool's response reports one.
fn failure(response: &Value) -> Option<String> {
    let fields = Fields::of(response)?;
    // Copilot: `success`, or else `failure`, `rejected`, `denied`, …
    if let Some(result) = fields.word(&["result_type", "resultType"]) {
        let message = fields.text(&["text_result_for_llm", "textResultForLlm"]);
        return (result != "success").then(|| message.unwrap_or_else(|| result.to_owned()));
    }
    // Gemini and its descendants.
    if fields.has(&["llmContent", "returnDisplay"]) {
        return fields.value(&["error"]).map(|error| complaint(error).unwrap_or_else(unnamed));
    }
    // The result of an MCP tool, which hosts pass through unchanged.
    let failed = fields.flag(&["isError", "is_error"]);
    failed.then(|| fields.text(&["content"]).unwrap_or_else(unnamed))
}

fn unnamed() -> String {
    String::from("the host reports no reason")
}

fn complaint(value: &Value) -> Option<String> {
    let message = match Fields::of(value) {
        Some(object) => object.text(&["message", "text_result_for_llm", "textResultForLlm", "type", "name"]),
        None => fields::text(value),
    };
    message.filter(|text| !text.is_empty())
}
