//! Reading a host's payload into an event.

use std::borrow::Cow;

use event::{Agent, Detail, Event, EventName, ToolCall};
use serde_json::Value;

use crate::fields::Fields;
use crate::tools::{self, Source};
use crate::{Heard, Host, Moment, ParseError, Protocol, Received, Wire, cursor, outcome};

/// Reads a payload of a host.
///
/// `argv_event` is the event on the command line. It serves when the payload names no
/// event, as Copilot's camelCase ones do not. Where both name one, the payload's own
/// wins: it is what the host is doing now and what it will take the answer for; a
/// command line is what somebody once registered. A payload that names an event
/// nobody has heard of is an error even so, because an answer to another question is
/// none.
pub fn parse(host: Host, argv_event: Option<&str>, payload: &Value) -> Result<Received, ParseError> {
    let fields = Fields::of(payload).ok_or(ParseError::NotAnObject(sort_of(payload)))?;
    let protocol = spoken(host, fields);
    let (spelling, moment) = named(protocol, argv_event, fields)?;
    let event = match moment.event() {
        Some(name) => Heard::Event(read(host, moment, name, fields)?),
        None => Heard::NotOurs { name: spelling.to_string() },
    };
    Ok(Received { wire: Wire::new(host, protocol, moment, spelling), event })
}

/// Returns which of a host's protocols a payload is in.
fn spoken(host: Host, payload: Fields<'_>) -> Protocol {
    let flat = !payload.has(&["hook_event_name", "hookEventName", "tool_name", "session_id"])
        && payload.has(&["toolName", "toolArgs", "sessionId", "hookName", "timestamp"]);
    match host {
        Host::VsCode | Host::CopilotCli if flat => Protocol::CopilotCamel,
        host => Protocol::usual(host),
    }
}

fn named(
    protocol: Protocol,
    argv_event: Option<&str>,
    payload: Fields<'_>,
) -> Result<(Cow<'static, str>, Moment), ParseError> {
    let own = payload.word(&["hook_event_name", "hookEventName", "hookName"]);
    let name = own.or(argv_event).ok_or(ParseError::NoEvent)?;
    if let Some((spelling, moment)) = protocol.moment(name) {
        return Ok((Cow::Borrowed(spelling), moment));
    }
    // The contract's spelling, or another host's: the word is clear, the answer is
    // spelled the way this host spells it.
    let contract = EventName::from_contract(name).map(Moment::of);
    let elsewhere = || Protocol::ALL.iter().find_map(|other| other.moment(name)).map(|(_, moment)| moment);
    match contract.or_else(elsewhere) {
        Some(Moment::Other) => Ok((Cow::Owned(name.to_owned()), Moment::Other)),
        Some(moment) => Ok((Cow::Borrowed(protocol.spelling(moment).unwrap_or_default()), moment)),
        None => Err(ParseError::UnknownEvent(name.chars().take(80).collect())),
    }
}

fn read(host: Host, moment: Moment, name: EventName, payload: Fields<'_>) -> Result<Event, ParseError> {
    let detail = match name {
        EventName::SessionStart => Detail::SessionStart { source: payload.text(&["source"]) },
        EventName::UserPromptSubmit => {
            Detail::UserPromptSubmit { prompt: payload.text(&["prompt"]).unwrap_or_default() }
        }
        EventName::PreToolUse => Detail::PreToolUse { call: call(host, moment, name, payload)? },
        EventName::PostToolUse => Detail::PostToolUse {
            call: call(host, moment, name, payload)?,
            outcome: outcome::read(moment, payload),
        },
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
        session: payload.text(&["conversation_id", "session_id", "sessionId"]),
        cwd: cwd(payload),
        transcript: payload.text(&["transcript_path", "transcriptPath"]),
        agent,
        model: payload.text(&["model"]),
        permission_mode: payload.text(&["permission_mode", "permissionMode"]),
        detail,
    })
}

fn call(host: Host, moment: Moment, event: EventName, payload: Fields<'_>) -> Result<ToolCall, ParseError> {
    if let Some(gated) = cursor::gated_call(moment, payload) {
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
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
