//! Responses, the protocol of Codex.

use serde_json::{Value, json};

use super::server_sent_events::{self, Naming};
use super::{Answer, Arguments, Call, Conversation, FINAL_TEXT, Reply, items, plain};

/// Reads tools (also those in a namespace and those loaded later), messages of the user, tool results.
pub(super) fn read(body: &Value) -> Conversation {
    let input = items(&body["input"]);
    let later = input.iter().filter(|item| item["type"] == "additional_tools");
    let tools = items(&body["tools"]).iter().chain(later.flat_map(|item| items(&item["tools"])));
    let is_opening = |item: &&Value| {
        let kind = item["type"].as_str().unwrap_or("message");
        matches!(kind, "message" | "agent_message") && item["role"].as_str().unwrap_or("user") == "user"
    };
    let is_result = |item: &&Value| item["type"].as_str().is_some_and(|kind| kind.ends_with("_output"));
    Conversation {
        offered: tools.flat_map(names).collect(),
        opening: input.iter().filter(is_opening).map(ToString::to_string).collect(),
        results: input.iter().filter(is_result).map(|item| plain(&item["output"])).collect(),
    }
}

/// Returns the names under which one entry of the tools can be called.
fn names(tool: &Value) -> Vec<String> {
    let name = |tool: &Value| tool["name"].as_str().or(tool["type"].as_str()).map(str::to_owned);
    name(tool).into_iter().chain(items(&tool["tools"]).iter().filter_map(name)).collect()
}

/// Encodes a response, whole or as a stream of the parts of its items.
pub(super) fn encode(body: &Value, reply: &Reply) -> Answer {
    let number = reply.number;
    let mut output: Vec<Value> = reply.numbered().map(|(id, call)| call_item(call, &id)).collect();
    if output.is_empty() {
        output.push(json!({
            "type": "message", "id": format!("msg_{number:06}"), "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": FINAL_TEXT, "annotations": []}],
        }));
    }
    let response = json!({
        "id": format!("resp_{number:06}"), "object": "response", "created_at": 1, "status": "completed",
        "model": body["model"], "output": output, "parallel_tool_calls": true, "tool_choice": "auto", "tools": [],
        "error": null, "incomplete_details": null, "instructions": null, "metadata": {},
        "usage": {
            "input_tokens": reply.n_tokens, "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 20, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": reply.n_tokens + 20,
        },
    });
    if !reply.is_streamed {
        return Answer::json(200, &response);
    }
    let mut events = vec![with(
        &response,
        "response.created",
        "response",
        &[("status", json!("in_progress")), ("output", json!([]))],
    )];
    for (index, item) in output.iter().enumerate() {
        let added = with(item, "response.output_item.added", "item", &[("status", json!("in_progress"))]);
        let done = with(item, "response.output_item.done", "item", &[]);
        let of_item = [added].into_iter().chain(parts(item)).chain([done]);
        events.extend(of_item.map(|mut event| {
            event["output_index"] = index.into();
            event
        }));
    }
    events.push(with(&response, "response.completed", "response", &[]));
    for (index, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = index.into();
    }
    server_sent_events::encode(&events, Naming::ByType, None)
}

fn call_item(call: &Call, id: &str) -> Value {
    let (kind, field, input) = match &call.arguments {
        Arguments::Object(value) => ("function_call", "arguments", value.to_string()),
        Arguments::Text(text) => ("custom_tool_call", "input", text.clone()),
    };
    let mut item = json!({
        "type": kind, "id": format!("item_{id}"), "call_id": format!("call_{id}"),
        "name": call.name, field: input, "status": "completed",
    });
    if let Some(namespace) = call.namespace {
        item["namespace"] = namespace.into();
    }
    item
}

/// Returns an event about a copy of `object` in which some fields have other values.
fn with(object: &Value, event: &str, field: &str, changes: &[(&str, Value)]) -> Value {
    let mut object = object.clone();
    for (name, value) in changes {
        object[*name] = value.clone();
    }
    json!({"type": event, field: object})
}

/// Returns the events between the begin and the end of an item.
fn parts(item: &Value) -> Vec<Value> {
    let id = &item["id"];
    if item["type"] == "message" {
        let part = json!({"type": "output_text", "text": "", "annotations": []});
        vec![
            json!({"type": "response.content_part.added", "item_id": id, "content_index": 0, "part": part}),
            json!({"type": "response.output_text.delta", "item_id": id, "content_index": 0, "delta": FINAL_TEXT}),
            json!({"type": "response.output_text.done", "item_id": id, "content_index": 0, "text": FINAL_TEXT}),
        ]
    } else if item["type"] == "function_call" {
        let arguments = &item["arguments"];
        vec![
            json!({"type": "response.function_call_arguments.delta", "item_id": id, "delta": arguments}),
            json!({"type": "response.function_call_arguments.done", "item_id": id, "arguments": arguments}),
        ]
    } else {
        Vec::new()
    }
}
