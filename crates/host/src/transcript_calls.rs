//! The tool calls in a host's own transcript.
//!
//! The functions read lines of a transcript; other crates find and read the file.

use serde_json::Value;

use crate::Host;

/// A tool call in a transcript.
#[derive(Debug, Clone, PartialEq)]
pub struct TranscriptCall {
    /// The host's id of the call.
    pub id: String,
    /// The tool, in the host's spelling.
    pub tool: String,
    /// Its input, as far as the transcript has it as JSON.
    pub input: Value,
    /// When, as the host spells it.
    pub time: Option<String>,
}

/// How a call in a transcript is found among the calls that hooks judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallIdentity {
    /// By its id, which the hook's payload has too.
    Id,
    /// By tool and input: the payload has no id, or another one.
    ToolAndInput,
}

/// Returns the folder below the home in which a host keeps its transcripts. Returns `None` for a host whose transcripts
/// steersman cannot read.
pub const fn transcript_folder(host: Host) -> Option<&'static str> {
    match host {
        Host::ClaudeCode => Some(".claude/projects"),
        Host::Codex => Some(".codex/sessions"),
        Host::Gemini => Some(".gemini/tmp"),
        Host::CopilotCli => Some(".copilot/session-state"),
        Host::Qwen => Some(".qwen/projects"),
        Host::VsCode | Host::Cursor | Host::Raw => None,
    }
}

/// Returns whether a file below that folder is a transcript of a session or of a subagent in it. `path` is relative,
/// with `/`.
pub fn is_transcript_of(host: Host, path: &str, session: &str) -> bool {
    let Some(stem) = path.strip_suffix(".jsonl") else { return false };
    let mut parts = stem.rsplit('/');
    let name = parts.next().unwrap_or_default();
    let short = session.get(..8).filter(|_| host == Host::Gemini);
    name == session
        || name.strip_suffix(session).is_some_and(|start| start.ends_with('-'))
        || short.is_some_and(|short| name.starts_with("session-") && name.ends_with(&format!("-{short}")))
        || parts.any(|part| part == session)
}

/// Returns how calls of a host are identified.
pub const fn call_identity(host: Host) -> CallIdentity {
    match host {
        Host::ClaudeCode | Host::Codex => CallIdentity::Id,
        Host::Gemini | Host::CopilotCli | Host::Qwen | Host::VsCode | Host::Cursor | Host::Raw => {
            CallIdentity::ToolAndInput
        }
    }
}

/// Returns the tool calls in a line of a transcript.
pub fn transcript_calls(host: Host, line: &Value) -> Vec<TranscriptCall> {
    let time = line.get("timestamp").and_then(Value::as_str).map(str::to_owned);
    let call = |call: &Value, names: [&str; 3]| {
        let [id, tool, input] = names;
        let text = |name: &str| call.get(name).and_then(Value::as_str).map(str::to_owned);
        Some(TranscriptCall {
            id: text(id)?,
            tool: text(tool)?,
            input: parsed(call.get(input).unwrap_or(&Value::Null)),
            time: text("timestamp").or_else(|| time.clone()),
        })
    };
    let all = |list: Option<&Value>, each: &dyn Fn(&Value) -> Option<TranscriptCall>| {
        list.and_then(Value::as_array).into_iter().flatten().filter_map(each).collect()
    };
    let message = line.get("message").unwrap_or(line);
    match host {
        Host::ClaudeCode => all(message.get("content"), &|part| {
            let is_call = part.get("type").and_then(Value::as_str) == Some("tool_use");
            is_call.then(|| call(part, ["id", "name", "input"])).flatten()
        }),
        Host::Codex => {
            let Some(payload) = line.get("payload") else { return Vec::new() };
            let found = match payload.get("type").and_then(Value::as_str) {
                Some("function_call") => call(payload, ["call_id", "name", "arguments"]),
                Some("custom_tool_call") => call(payload, ["call_id", "name", "input"]),
                _ => None,
            };
            found.into_iter().collect()
        }
        Host::Gemini => all(message.get("toolCalls"), &|part| call(part, ["id", "name", "args"])),
        Host::CopilotCli => {
            let is_call = line.get("type").and_then(Value::as_str) == Some("tool.execution_start");
            let data = line.get("data").filter(|_| is_call);
            data.and_then(|data| call(data, ["toolCallId", "toolName", "arguments"])).into_iter().collect()
        }
        Host::Qwen => {
            all(message.get("parts"), &|part| call(part.get("functionCall")?, ["id", "name", "args"]))
        }
        Host::VsCode | Host::Cursor | Host::Raw => Vec::new(),
    }
}

/// Returns the ids of calls that a hook saw, as a line of Copilot's transcript proves.
pub fn hooked_calls(line: &Value) -> Vec<String> {
    if line.get("type").and_then(Value::as_str) != Some("hook.start") {
        return Vec::new();
    }
    let data = line.get("data").unwrap_or(line);
    let input = data.get("input").unwrap_or(data);
    let calls = [data, input].into_iter().find_map(|place| place.get("toolCalls").and_then(Value::as_array));
    let ids = calls.into_iter().flatten().filter_map(|call| call.get("id").and_then(Value::as_str));
    ids.map(str::to_owned).collect()
}

/// Returns why no hook sees a call of a tool, whatever the settings; `None` if one should.
pub fn why_unhooked(host: Host, tool: &str) -> Option<&'static str> {
    let is_bookkeeping = match host {
        Host::Codex => {
            matches!(tool, "update_plan" | "write_stdin" | "view_image" | "wait" | "request_user_input")
        }
        Host::CopilotCli => matches!(tool, "report_intent"),
        _ => false,
    };
    is_bookkeeping.then_some("the program calls no hook for this tool")
}

/// Codex and Copilot may write an input as the JSON of an object.
fn parsed(input: &Value) -> Value {
    match input {
        Value::String(text) => serde_json::from_str(text).unwrap_or_else(|_| input.clone()),
        input => input.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn calls_are_found_in_each_hosts_transcript() {
        let of = |id: &str, tool: &str, input: Value, time: Option<&str>| TranscriptCall {
            id: id.into(),
            tool: tool.into(),
            input,
            time: time.map(str::to_owned),
        };
        let time = "2026-11-15T18:35:14.863Z";
        for (host, line, expected) in [
            (
                Host::ClaudeCode,
                json!({"type": "assistant", "timestamp": time, "message": {"content": [
                    {"type": "text", "text": "x"}, {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}]}}),
                of("t1", "Bash", json!({"command": "ls"}), Some(time)),
            ),
            (
                Host::Codex,
                json!({"timestamp": time, "type": "response_item", "payload": {"type": "function_call",
                    "name": "exec_command", "arguments": "{\"cmd\":\"ls\"}", "call_id": "c1"}}),
                of("c1", "exec_command", json!({"cmd": "ls"}), Some(time)),
            ),
            (
                Host::Codex,
                json!({"type": "response_item", "payload": {"type": "custom_tool_call", "name": "apply_patch",
                    "input": "*** Begin Patch", "call_id": "c2"}}),
                of("c2", "apply_patch", json!("*** Begin Patch"), None),
            ),
            (
                Host::Gemini,
                json!({"type": "gemini", "toolCalls": [{"id": "g1", "name": "write_file", "args": {"a": 1}, "timestamp": time}]}),
                of("g1", "write_file", json!({"a": 1}), Some(time)),
            ),
            (
                Host::CopilotCli,
                json!({"type": "tool.execution_start", "timestamp": time, "data":
                    {"toolCallId": "p1", "toolName": "bash", "arguments": {"command": "ls"}}}),
                of("p1", "bash", json!({"command": "ls"}), Some(time)),
            ),
            (
                Host::Qwen,
                json!({"type": "assistant", "message": {"parts": [{"functionCall": {"id": "q1", "name": "glob", "args": {}}}]}}),
                of("q1", "glob", json!({}), None),
            ),
        ] {
            assert_eq!(transcript_calls(host, &line), [expected], "{host}");
        }
        let hook = json!({"type": "hook.start", "data": {"hookType": "preToolUse", "input": {"toolCalls": [{"id": "p1"}]}}});
        assert_eq!(hooked_calls(&hook), ["p1"]);
        assert!(transcript_calls(Host::ClaudeCode, &json!({"message": {"content": "text"}})).is_empty());
    }

    #[test]
    fn a_transcript_is_recognised_by_its_path() {
        let id = "2c951d5a-93a3-4a18-8f79-5e4cb5c9c19f";
        for (host, path, expected) in [
            (Host::ClaudeCode, format!("-work-shop/{id}.jsonl"), true),
            (Host::ClaudeCode, format!("-work-shop/{id}/subagents/agent-a1.jsonl"), true),
            (Host::ClaudeCode, "-work-shop/other.jsonl".to_owned(), false),
            (Host::Codex, format!("2026/11/15/rollout-2026-11-15T18-34-59-{id}.jsonl"), true),
            (Host::Gemini, "project/chats/session-2026-11-15T18-35-2c951d5a.jsonl".to_owned(), true),
            (Host::Gemini, format!("project/chats/{id}/agent.jsonl"), true),
            (Host::CopilotCli, format!("{id}/events.jsonl"), true),
            (Host::Qwen, format!("-work-shop/chats/{id}.jsonl"), true),
            (Host::Qwen, format!("-work-shop/subagents/{id}/agent-x.jsonl"), true),
            (Host::Qwen, format!("-work-shop/chats/{id}.json"), false),
        ] {
            assert_eq!(is_transcript_of(host, &path, id), expected, "{path}");
        }
    }
}
