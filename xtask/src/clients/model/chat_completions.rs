//! Chat Completions, the protocol of Copilot CLI and Qwen Code.

use serde_json::{Value, json};

use super::server_sent_events::{self, Naming};
use super::{Answer, Conversation, FINAL_TEXT, Reply, items, plain};

/// Reads tools, first message of the user and tool results.
pub(super) fn read(body: &Value) -> Conversation {
    let messages = items(&body["messages"]);
    let of_role = |role: &'static str| messages.iter().filter(move |message| message["role"] == role);
    let names = items(&body["tools"]).iter().filter_map(|tool| tool["function"]["name"].as_str());
    Conversation {
        offered: names.map(str::to_owned).collect(),
        opening: of_role("user").next().map(ToString::to_string).unwrap_or_default(),
        results: of_role("tool").map(|message| plain(&message["content"])).collect(),
    }
}

/// Encodes a completion, whole or as a stream of chunks.
pub(super) fn encode(body: &Value, reply: &Reply) -> Answer {
    let number = reply.number;
    let calls: Vec<Value> = reply
        .numbered()
        .enumerate()
        .map(|(index, (id, call))| {
            json!({
                "index": index, "id": format!("call_{id}"), "type": "function",
                "function": {"name": call.name, "arguments": call.json().to_string()},
            })
        })
        .collect();
    let finish_reason = if calls.is_empty() { "stop" } else { "tool_calls" };
    let mut message = json!({"role": "assistant", "content": calls.is_empty().then_some(FINAL_TEXT)});
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    let usage = json!({
        "prompt_tokens": reply.n_tokens, "completion_tokens": 20, "total_tokens": reply.n_tokens + 20,
    });
    let envelope = |kind: &str, choices: Value| {
        json!({
            "id": format!("chatcmpl-{number:06}"), "object": kind, "created": 1, "model": body["model"],
            "choices": choices,
        })
    };
    if !reply.is_streamed {
        let choice = json!({"index": 0, "message": message, "finish_reason": finish_reason});
        let mut completion = envelope("chat.completion", json!([choice]));
        completion["usage"] = usage;
        return Answer::json(200, &completion);
    }
    let chunk = |delta: Value, finish: Option<&str>| {
        envelope("chat.completion.chunk", json!([{"index": 0, "delta": delta, "finish_reason": finish}]))
    };
    let mut last = envelope("chat.completion.chunk", json!([]));
    last["usage"] = usage;
    let events = [chunk(message, None), chunk(json!({}), Some(finish_reason)), last];
    server_sent_events::encode(&events, Naming::Unnamed, Some("[DONE]"))
}
