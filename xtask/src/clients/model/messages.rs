//! Messages, the protocol of Claude Code.

use serde_json::{Value, json};

use super::server_sent_events::{self, Naming};
use super::{Answer, Conversation, FINAL_TEXT, Reply, items, plain};

/// Reads tools, first message and tool results.
pub(super) fn read(body: &Value) -> Conversation {
    let messages = items(&body["messages"]);
    let blocks = messages.iter().flat_map(|message| items(&message["content"]));
    let results = blocks.filter(|block| block["type"] == "tool_result");
    Conversation {
        offered: items(&body["tools"])
            .iter()
            .filter_map(|tool| tool["name"].as_str().map(str::to_owned))
            .collect(),
        opening: messages.first().map(ToString::to_string).unwrap_or_default(),
        results: results.map(|block| plain(&block["content"])).collect(),
    }
}

/// Encodes a message, whole or as a stream of its parts.
pub(super) fn encode(body: &Value, reply: &Reply) -> Answer {
    let number = reply.number;
    let usage = json!({"input_tokens": reply.n_tokens, "output_tokens": 20, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0});
    let mut blocks: Vec<Value> = reply
        .numbered()
        .map(|(id, call)| {
            json!({"type": "tool_use", "id": format!("toolu_{id}"), "name": call.name, "input": call.json()})
        })
        .collect();
    let stop_reason = if blocks.is_empty() { "end_turn" } else { "tool_use" };
    if blocks.is_empty() {
        blocks.push(json!({"type": "text", "text": FINAL_TEXT}));
    }
    let mut message = json!({
        "id": format!("msg_{number:06}"), "type": "message", "role": "assistant", "model": body["model"],
        "content": blocks, "stop_reason": stop_reason, "stop_sequence": null, "usage": usage,
    });
    if !reply.is_streamed {
        return Answer::json(200, &message);
    }
    message["content"] = json!([]);
    message["stop_reason"] = Value::Null;
    let mut events = vec![json!({"type": "message_start", "message": message})];
    events.extend(blocks.iter().enumerate().flat_map(|(index, block)| parts(index, block)));
    events.extend([
        json!({"type": "message_delta", "delta": {"stop_reason": stop_reason, "stop_sequence": null}, "usage": usage}),
        json!({"type": "message_stop"}),
    ]);
    server_sent_events::encode(&events, Naming::ByType, None)
}

/// Returns the events of one block of a message.
fn parts(index: usize, block: &Value) -> [Value; 3] {
    let mut start = block.clone();
    let delta = if block["type"] == "tool_use" {
        start["input"] = json!({});
        json!({"type": "input_json_delta", "partial_json": block["input"].to_string()})
    } else {
        start["text"] = "".into();
        json!({"type": "text_delta", "text": block["text"]})
    };
    [
        json!({"type": "content_block_start", "index": index, "content_block": start}),
        json!({"type": "content_block_delta", "index": index, "delta": delta}),
        json!({"type": "content_block_stop", "index": index}),
    ]
}
