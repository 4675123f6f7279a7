//! Recognises the host that sent a payload.

use serde_json::Value;

use crate::fields::Fields;
use crate::vscode_or_copilot::{self, VsCodeOrCopilot};
use crate::{Hints, Host, Protocol, tools};

/// Finds the host that sent a payload: by the payload, then by hints from the environment.
///
/// Returns `None` for a payload of an unsupported program, or without any distinctive field. Never
/// returns `raw`, which must be named explicitly.
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

/// Returns whether the payload is from Windsurf, Cline or Goose, whose protocols are unsupported.
fn is_foreign(payload: Fields<'_>) -> bool {
    payload.has(&["agent_action_name"])
        || (payload.has(&["hookName"]) && payload.has(&["taskId"]))
        || (payload.has(&["event"]) && payload.has(&["matcher_context"]))
}

/// Recognises fields and names that only one host has.
fn by_mark(payload: Fields<'_>) -> Option<Host> {
    if payload.has(&["cursor_version", "conversation_id"]) {
        return Some(Host::Cursor);
    }
    let name = event_name(payload)?;
    let gemini = Protocol::Gemini.event_kind(name).is_some();
    (gemini && !is_claude_name(name)).then_some(Host::Gemini)
}

/// Recognises the folder of transcripts, which contains the host's name. Codex can use another
/// folder, but its files are always called rollouts.
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

/// Recognises the combination of present and absent fields.
fn by_shape(payload: Fields<'_>, hints: Hints) -> Option<Host> {
    let timestamp = payload.value(&["timestamp"]);
    if payload.has(&["toolName", "toolArgs", "hookName"]) || timestamp.is_some_and(Value::is_number) {
        // VS Code's Agent Host forwards the same payloads.
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

/// Distinguishes VS Code, Copilot, Qwen and Gemini, which write the time into the payload.
fn by_dated(payload: Fields<'_>, hints: Hints, name: &str) -> Host {
    if payload.has(&["permission_mode"]) || (hints.qwen && !hints.copilot_cli && !hints.vscode) {
        return Host::Qwen;
    }
    if hints.gemini_session && Protocol::Gemini.event_kind(name).is_some() {
        return Host::Gemini;
    }
    // WHY the hint first: the session's id is derived from the host, so all events of a session must
    // agree, and a tool call proves what a prompt only suggests. VS Code and Copilot understand each
    // other's answers, so a wrong hint does no harm.
    let hinted = match (hints.copilot_cli, hints.vscode) {
        (true, false) => Some(VsCodeOrCopilot::Copilot),
        (false, true) => Some(VsCodeOrCopilot::VsCode),
        _ => None,
    };
    let vscode_or_copilot = hinted
        .or_else(|| vscode_or_copilot::proven(payload))
        .unwrap_or_else(|| vscode_or_copilot::suggested(payload));
    match vscode_or_copilot {
        VsCodeOrCopilot::VsCode => Host::VsCode,
        VsCodeOrCopilot::Copilot => Host::CopilotCli,
    }
}

/// Distinguishes Claude Code and Codex, which do not.
fn by_undated(payload: Fields<'_>, hints: Hints) -> Host {
    // Claude has turns only in the events that show messages.
    let turn = payload.has(&["turn_id"]) && !payload.has(&["message_id"]);
    let set_up = payload.has(&["model"]) && payload.has(&["permission_mode"]) && !payload.has(&["prompt_id"]);
    if turn || set_up {
        return Host::Codex;
    }
    if payload.has(&["permission_mode", "transcript_path", "prompt_id"]) {
        return Host::ClaudeCode;
    }
    // A payload written by hand, or a changed host: a hint is better than a guess.
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
        .any(|protocol| protocol.event_kind(name).is_some())
}
