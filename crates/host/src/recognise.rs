//! Which host a payload comes from.

use serde_json::Value;

use crate::fields::Fields;
use crate::flavour::{self, Flavour};
use crate::{Hints, Host, Protocol, tools};

/// Finds the host that sent a payload: by what the payload says, then by what the
/// environment hints at.
///
/// `None` is a payload of a program we do not speak to, or of nobody in particular.
/// `raw` is never recognised; it has to be asked for by name.
pub fn recognise(payload: &Value, hints: &Hints) -> Option<Host> {
    match Fields::of(payload) {
        Some(fields) if is_foreign(fields) => None,
        Some(fields) => by_mark(fields)
            .or_else(|| by_home(fields))
            .or_else(|| by_shape(fields, *hints))
            .or_else(|| by_hint(*hints)),
        None => by_hint(*hints),
    }
}

/// Windsurf, Cline and Goose: hosts with a protocol of their own that we do not speak.
fn is_foreign(payload: Fields<'_>) -> bool {
    payload.has(&["agent_action_name"])
        || (payload.has(&["hookName"]) && payload.has(&["taskId"]))
        || (payload.has(&["event"]) && payload.has(&["matcher_context"]))
}

/// Fields and names that only one host has.
fn by_mark(payload: Fields<'_>) -> Option<Host> {
    if payload.has(&["cursor_version", "conversation_id"]) {
        return Some(Host::Cursor);
    }
    let name = event_name(payload)?;
    let gemini = Protocol::Gemini.moment(name).is_some();
    (gemini && !is_claude_name(name)).then_some(Host::Gemini)
}

/// The folder a host keeps its transcripts in carries the host's name; Codex can be
/// told to use another folder, but not to call them anything but rollouts.
fn by_home(payload: Fields<'_>) -> Option<Host> {
    const HOMES: [(&str, Host); 5] = [
        (".claude", Host::ClaudeCode),
        (".codex", Host::Codex),
        (".gemini", Host::Gemini),
        (".qwen", Host::Qwen),
        (".copilot", Host::CopilotCli),
    ];
    let transcript = payload.word(&["transcript_path", "transcriptPath"])?;
    transcript.split(['/', '\\']).find_map(|name| match name {
        name if name.starts_with("rollout-") => Some(Host::Codex),
        name => HOMES.iter().find(|(home, _)| *home == name).map(|(_, host)| *host),
    })
}

/// Which fields there are, and which are not.
fn by_shape(payload: Fields<'_>, hints: Hints) -> Option<Host> {
    let timestamp = payload.value(&["timestamp"]);
    if payload.has(&["toolName", "toolArgs", "hookName"]) || timestamp.is_some_and(Value::is_number) {
        // VS Code's Agent Host passes on the same payloads.
        let vscode = hints.vscode && !hints.copilot_cli;
        return Some(if vscode { Host::VsCode } else { Host::CopilotCli });
    }
    // VS Code's documentation once spelled it like this.
    if payload.has(&["hookEventName"]) {
        return Some(Host::VsCode);
    }
    let name = payload.word(&["hook_event_name"])?;
    if !is_claude_name(name) {
        return None;
    }
    let dated = timestamp.is_some_and(Value::is_string);
    Some(if dated { by_dated(payload, hints, name) } else { by_undated(payload, hints) })
}

/// VS Code, Copilot, Qwen and Gemini write the time into the payload.
fn by_dated(payload: Fields<'_>, hints: Hints, name: &str) -> Host {
    if payload.has(&["permission_mode"]) || (hints.qwen && !hints.copilot_cli && !hints.vscode) {
        return Host::Qwen;
    }
    if hints.gemini_session && Protocol::Gemini.moment(name).is_some() {
        return Host::Gemini;
    }
    // WHY the hint first: the session's id is derived from the host, so all events of a
    // session have to agree, and a tool call proves what a prompt only suggests.
    // VS Code and Copilot understand each other's answers, so a wrong hint does no harm.
    let hinted = match (hints.copilot_cli, hints.vscode) {
        (true, false) => Some(Flavour::Copilot),
        (false, true) => Some(Flavour::VsCode),
        _ => None,
    };
    let flavour = hinted.or_else(|| flavour::proven(payload)).unwrap_or_else(|| flavour::suggested(payload));
    match flavour {
        Flavour::VsCode => Host::VsCode,
        Flavour::Copilot => Host::CopilotCli,
    }
}

/// Claude Code and Codex do not.
fn by_undated(payload: Fields<'_>, hints: Hints) -> Host {
    // Claude has turns in the events that show messages, and nowhere else.
    let turn = payload.has(&["turn_id"]) && !payload.has(&["message_id"]);
    let set_up = payload.has(&["model"]) && payload.has(&["permission_mode"]) && !payload.has(&["prompt_id"]);
    if turn || set_up {
        return Host::Codex;
    }
    if payload.has(&["permission_mode", "transcript_path", "prompt_id"]) {
        return Host::ClaudeCode;
    }
    // Written by hand, or a host that has changed: a hint is worth more than a guess.
    by_hint(hints).unwrap_or_else(|| {
        let tool = payload.word(&["tool_name"]);
        let known = [Host::ClaudeCode, Host::VsCode, Host::Qwen, Host::Codex]
            .into_iter()
            .find(|host| tool.is_some_and(|tool| tools::is_known(*host, tool)));
        known.unwrap_or(Host::ClaudeCode)
    })
}

fn by_hint(hints: Hints) -> Option<Host> {
    let facts = [
        (hints.cursor, Host::Cursor),
        (hints.gemini_session, Host::Gemini),
        (hints.qwen, Host::Qwen),
        (hints.copilot_cli, Host::CopilotCli),
        (hints.vscode, Host::VsCode),
        (hints.claude_code, Host::ClaudeCode),
        (hints.codex, Host::Codex),
    ];
    facts.into_iter().find(|(seen, _)| *seen).map(|(_, host)| host)
}

fn event_name(payload: Fields<'_>) -> Option<&str> {
    payload.word(&["hook_event_name", "hookEventName"])
}

fn is_claude_name(name: &str) -> bool {
    [Protocol::ClaudeCode, Protocol::VsCodeLocal, Protocol::CopilotPascal, Protocol::Codex]
        .iter()
        .any(|protocol| protocol.moment(name).is_some())
}
