//! How a tool call ended, in each host's way of saying so.

use event::Outcome;
use serde_json::Value;

use crate::Moment;
use crate::fields::{self, Fields};

/// Reads the outcome from the fields of an event after a tool call.
pub(crate) fn read(moment: Moment, payload: Fields<'_>) -> Outcome {
    let response =
        payload.value(&["tool_response", "toolResponse", "tool_result", "toolResult", "tool_output"]);
    let error = payload.value(&["error", "error_message", "errorMessage"]).and_then(complaint);
    if moment == Moment::PostToolUseFailure || (response.is_none() && error.is_some()) {
        let error = error.or_else(|| response.and_then(complaint));
        return Outcome::Failed { error: error.unwrap_or_else(unnamed) };
    }
    match response.and_then(failure) {
        Some(error) => Outcome::Failed { error },
        None => Outcome::Done { response: response.cloned().unwrap_or(Value::Null) },
    }
}

/// Returns what went wrong, if the response of a tool says that something did.
fn failure(response: &Value) -> Option<String> {
    let fields = Fields::of(response)?;
    // Copilot: `success`, or else `failure`, `rejected`, `denied`, …
    if let Some(result) = fields.word(&["result_type", "resultType"]) {
        let told = fields.text(&["text_result_for_llm", "textResultForLlm"]);
        return (result != "success").then(|| told.unwrap_or_else(|| result.to_owned()));
    }
    // Gemini and its descendants.
    if fields.has(&["llmContent", "returnDisplay"]) {
        return fields.value(&["error"]).map(|error| complaint(error).unwrap_or_else(unnamed));
    }
    // The result of an MCP tool, which hosts pass through as it is.
    let failed = fields.flag(&["isError", "is_error"]);
    failed.then(|| fields.text(&["content"]).unwrap_or_else(unnamed))
}

fn unnamed() -> String {
    String::from("the host gives no reason")
}

fn complaint(value: &Value) -> Option<String> {
    let told = match Fields::of(value) {
        Some(object) => object.text(&["message", "text_result_for_llm", "textResultForLlm", "type", "name"]),
        None => fields::text(value),
    };
    told.filter(|text| !text.is_empty())
}
