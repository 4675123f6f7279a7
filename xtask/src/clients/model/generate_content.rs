//! Gemini `generateContent`, the protocol of Gemini CLI.

use serde_json::{Map, Value, json};

use super::server_sent_events::{self, Naming};
use super::{Answer, Conversation, FINAL_TEXT, Reply, items, plain};

/// The user's first prompt comes second: the first content describes the folder.
const N_OPENING: usize = 2;

/// Reads declared functions, first contents and function responses.
pub(super) fn read(body: &Value) -> Conversation {
    let contents = items(&body["contents"]);
    let tools = items(&body["tools"]).iter();
    let names =
        tools.flat_map(|tool| items(&tool["functionDeclarations"])).filter_map(|it| it["name"].as_str());
    let parts = contents.iter().flat_map(|content| items(&content["parts"]));
    let results = parts.map(|part| &part["functionResponse"]["response"]).filter(|it| !it.is_null());
    // A delegation, with the task of the subagent, may be the model's first content.
    let opening = contents.iter().take_while(|content| content["role"] != "model").take(N_OPENING);
    Conversation {
        offered: names.map(str::to_owned).collect(),
        opening: opening.map(ToString::to_string).collect(),
        results: results.map(plain).collect(),
    }
}

/// Encodes a candidate; a stream consists of a single event.
pub(super) fn encode(body: &Value, reply: &Reply) -> Answer {
    let mut parts: Vec<Value> = reply
        .calls
        .iter()
        .map(|call| json!({"functionCall": {"name": call.name, "args": call.json()}}))
        .collect();
    if parts.is_empty() {
        parts.push(json!({"text": text(&body["generationConfig"])}));
    }
    let response = json!({
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {
            "promptTokenCount": reply.n_tokens, "candidatesTokenCount": 20, "totalTokenCount": reply.n_tokens + 20,
        },
        "modelVersion": "script",
    });
    if reply.is_streamed {
        return server_sent_events::encode(&[response], Naming::Unnamed, None);
    }
    Answer::json(200, &response)
}

/// Returns the final text, or a minimal JSON object if the program asks for one with a schema.
///
/// WHY: Gemini CLI asks on the side which model should answer and who speaks next, and repeats the request
/// until the answer fits.
fn text(config: &Value) -> String {
    let schema =
        [&config["responseJsonSchema"], &config["responseSchema"]].into_iter().find(|it| it.is_object());
    let Some(schema) = schema else { return FINAL_TEXT.to_owned() };
    let properties = schema["properties"].as_object().into_iter().flatten();
    let object: Map<String, Value> =
        properties.map(|(name, property)| (name.clone(), fitting_value(property))).collect();
    Value::Object(object).to_string()
}

fn fitting_value(property: &Value) -> Value {
    let choices = items(&property["enum"]);
    // `user` as next speaker ends the turn.
    if let Some(choice) = choices.iter().find(|it| **it == "user").or(choices.first()) {
        return choice.clone();
    }
    match property["type"].as_str().unwrap_or_default().to_ascii_lowercase().as_str() {
        "number" | "integer" => 0.into(),
        "boolean" => false.into(),
        "array" => json!([]),
        _ => "ok".into(),
    }
}
