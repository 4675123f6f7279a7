//! Parses a host's payload into an event.

use std::borrow::Cow;

use event::{Agent, Detail, Event, EventName, ToolCall};
use serde_json::Value;

use crate::fields::Fields;
use crate::tools::{self, Source};
use crate::{
    EventKind, Host, ParseError, ParsedEvent, ParsedPayload, PermissionRequest, Protocol, ReplyTarget,
    capability::has, cursor, outcome, session,
};

/// Parses a payload of a host.
///
/// `argv_event` is the event on the command line. It is used if the payload names no event, as in
/// Copilot's camelCase protocol. If both name one, the payload's wins: it is the event that the host
/// fires now, while the command line may be outdated. An unknown event in the payload is an error
/// even so, because the answer would be for another event.
pub fn parse(host: Host, argv_event: Option<&str>, payload: &Value) -> Result<ParsedPayload, ParseError> {
    let fields = Fields::of(payload).ok_or(ParseError::NotAnObject(sort_of(payload)))?;
    let protocol = spoken(host, fields);
    let (spelling, event_kind) = named(protocol, argv_event, fields)?;
    let event = match event_kind.event() {
        Some(name) if !is_announced_otherwise(host, name, fields) => {
            ParsedEvent::Event(read(host, event_kind, name, fields)?)
        }
        None if event_kind == EventKind::PermissionRequest && has(protocol, event_kind) => {
            let event = read(host, event_kind, EventName::PreToolUse, fields)?;
            ParsedEvent::Permission(PermissionRequest {
                event,
                is_merely_unlisted: is_merely_unlisted(host, fields),
            })
        }
        _ => ParsedEvent::OutsideContract { name: spelling.to_string() },
    };
    Ok(ParsedPayload { target: ReplyTarget::new(host, protocol, event_kind, spelling), event })
}

/// Returns the host's protocol that a payload uses.
fn spoken(host: Host, payload: Fields<'_>) -> Protocol {
    let flat = !payload.has(&["hook_event_name", "hookEventName", "tool_name", "session_id"])
        && payload.has(&["toolName", "toolArgs", "sessionId", "hookName", "timestamp"]);
    flat.then(|| Protocol::flat(host)).flatten().unwrap_or_else(|| Protocol::usual(host))
}

fn named(
    protocol: Protocol,
    argv_event: Option<&str>,
    payload: Fields<'_>,
) -> Result<(Cow<'static, str>, EventKind), ParseError> {
    let own = payload.word(&["hook_event_name", "hookEventName", "hookName"]);
    let name = own.or(argv_event).ok_or(ParseError::NoEvent)?;
    if let Some((spelling, event_kind)) = protocol.event_kind(name) {
        return Ok((Cow::Borrowed(spelling), event_kind));
    }
    // The contract's name, or another host's: the event is clear, and the answer uses this host's
    // name.
    let contract = EventName::from_contract(name).map(EventKind::of);
    let elsewhere =
        || Protocol::ALL.iter().find_map(|other| other.event_kind(name)).map(|(_, event_kind)| event_kind);
    match contract.or_else(elsewhere) {
        Some(EventKind::Other | EventKind::PermissionRequest) => {
            Ok((Cow::Owned(name.to_owned()), EventKind::Other))
        }
        Some(event_kind) => {
            Ok((Cow::Borrowed(protocol.spelling(event_kind).unwrap_or_default()), event_kind))
        }
        None => Err(ParseError::UnknownEvent(name.chars().take(80).collect())),
    }
}

fn read(
    host: Host,
    event_kind: EventKind,
    name: EventName,
    payload: Fields<'_>,
) -> Result<Event, ParseError> {
    let detail = match name {
        EventName::SessionStart => Detail::SessionStart { source: payload.text(&["source"]) },
        EventName::UserPromptSubmit => {
            Detail::UserPromptSubmit { prompt: payload.text(&["prompt"]).unwrap_or_default() }
        }
        EventName::PreToolUse => Detail::PreToolUse { call: call(host, event_kind, name, payload)? },
        EventName::PostToolUse => {
            let call = call(host, event_kind, name, payload)?;
            let outcome = outcome::read(host, event_kind, &call, payload);
            Detail::PostToolUse { call, outcome }
        }
        EventName::PreCompact => Detail::PreCompact {
            trigger: payload.text(&["trigger"]),
            instructions: payload.text(&["custom_instructions", "customInstructions"]),
        },
        EventName::Stop => Detail::Stop { kept_going: kept_going(payload), message: last_words(payload) },
        EventName::SubagentStart => Detail::SubagentStart,
        EventName::SubagentStop => {
            Detail::SubagentStop { kept_going: kept_going(payload), message: last_words(payload) }
        }
    };
    // At the start of a session Claude names the role of the main agent in the same field.
    let agent = if name == EventName::SessionStart { None } else { agent(payload) };
    Ok(Event {
        session: session::id(host, payload),
        cwd: cwd(payload),
        transcript: payload.text(&["transcript_path", "transcriptPath"]),
        agent,
        model: payload.text(&["model"]),
        permission_mode: payload.text(&["permission_mode", "permissionMode"]),
        prompt_id: payload.text(&["prompt_id", "promptId", "turn_id", "turnId", "generation_id"]),
        timestamp: payload.text(&["timestamp"]),
        detail,
    })
}

/// Returns whether an event is one that the contract names differently or does not have, although the
/// host gives it the name of one of the eight.
///
/// WHY: Copilot and Codex announce a subagent's task as a prompt, and Copilot its end as a stop; both
/// also fire `SubagentStart` and `SubagentStop`. Qwen announces an empty prompt before every further
/// call of the model, and Claude Code the end of a task in the background as a prompt. Read as the
/// user's prompt or the main agent's stop, each would start or end a turn.
fn is_announced_otherwise(host: Host, name: EventName, payload: Fields<'_>) -> bool {
    let of_subagent = || agent(payload).is_some_and(|agent| agent.id.is_some());
    match name {
        // A script that uses the contract's own format names the fields as the contract does.
        EventName::UserPromptSubmit if host == Host::Raw => false,
        EventName::UserPromptSubmit => {
            of_subagent()
                || (host == Host::Qwen && !has_prompt(payload))
                || (host == Host::ClaudeCode && is_task_notification(payload))
        }
        EventName::Stop => host.subagents_are_sessions() && of_subagent(),
        EventName::SessionStart
        | EventName::PreToolUse
        | EventName::PostToolUse
        | EventName::PreCompact
        | EventName::SubagentStart
        | EventName::SubagentStop => false,
    }
}

/// Returns whether the host says that no rule of the user causes its question. Claude Code suggests rules only for a call
/// that none of them is about; the others do not tell.
fn is_merely_unlisted(host: Host, payload: Fields<'_>) -> bool {
    let suggestions = payload.value(&["permission_suggestions"]).and_then(Value::as_array);
    host != Host::ClaudeCode || suggestions.is_some_and(|suggestions| !suggestions.is_empty())
}

fn has_prompt(payload: Fields<'_>) -> bool {
    payload.text(&["prompt"]).is_some_and(|prompt| !prompt.trim().is_empty())
}

fn is_task_notification(payload: Fields<'_>) -> bool {
    let prompt = payload.text(&["prompt"]).unwrap_or_default();
    prompt.trim_start().starts_with("<task-notification>")
        && prompt.trim_end().ends_with("</task-notification>")
}

fn call(
    host: Host,
    event_kind: EventKind,
    event: EventName,
    payload: Fields<'_>,
) -> Result<ToolCall, ParseError> {
    if let Some(gated) = cursor::gated_call(event_kind, payload) {
        return gated;
    }
    let name =
        payload.word(&["tool_name", "toolName"]).ok_or(ParseError::Missing { event, field: "tool_name" })?;
    let id = payload.text(&["tool_use_id", "toolUseId", "tool_call_id", "toolCallId"]);
    let mcp = payload.value(&["mcp_context"]).and_then(Fields::of).and_then(|context| {
        Some((context.word(&["server_name"])?, context.word(&["tool_name"]).unwrap_or(name)))
    });
    let input = tools::input(payload.value(&["tool_input", "toolInput", "toolArgs", "tool_args"]));
    Ok(tools::call(host, Source { name, id, mcp }, input))
}

fn cwd(payload: Fields<'_>) -> Option<String> {
    let roots = || payload.value(&["workspace_roots"])?.as_array()?.iter().find_map(Value::as_str);
    let named = payload.word(&["cwd", "workingDirectory", "working_directory"]);
    named.or_else(roots).map(str::to_owned)
}

fn agent(payload: Fields<'_>) -> Option<Agent> {
    let id = payload.text(&["agent_id", "agentId", "subagent_id"]);
    let kind = payload.text(&["agent_type", "agentType", "subagent_type", "agent_name", "agentName"]);
    (id.is_some() || kind.is_some()).then_some(Agent { id, kind })
}

fn kept_going(payload: Fields<'_>) -> bool {
    payload.flag(&["stop_hook_active", "stopHookActive"]) || payload.flag(&["loop_count"])
}

fn last_words(payload: Fields<'_>) -> Option<String> {
    payload.text(&[
        "last_assistant_message",
        "lastAssistantMessage",
        "prompt_response",
        "response",
        "summary",
    ])
}

fn sort_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
