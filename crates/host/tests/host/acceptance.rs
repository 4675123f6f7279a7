//! Models of how each host interprets an answer, written from the hosts' published rules and recorded
//! behaviour, independent of the rendering.

mod claude_code;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod raw;
mod vscode;

use host::{EventKind, Protocol};
use serde_json::{Map, Value};

/// The effect of an answer in the host.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Effect {
    /// The reason shown to the model or user, if blocked.
    pub(crate) denied: Option<String>,
    pub(crate) asked: Option<String>,
    pub(crate) allowed: bool,
    pub(crate) input: Option<Map<String, Value>>,
    pub(crate) context: Option<String>,
    pub(crate) message: Option<String>,
    /// The reason shown to the user, if the turn ends.
    pub(crate) ended: Option<String>,
    /// What the model reads in place of the tool's result.
    pub(crate) replaced: Option<Value>,
}

/// Returns the effect of this answer in a host. Fails if the host rejects the answer.
pub(crate) fn effect(
    protocol: Protocol,
    event_kind: EventKind,
    answer: &Map<String, Value>,
) -> Result<Effect, String> {
    match protocol {
        Protocol::VsCodeLocal => vscode::effect(event_kind, answer),
        Protocol::ClaudeCode => claude_code::effect(event_kind, answer),
        Protocol::Qwen => claude_code::effect_on_qwen(event_kind, answer),
        Protocol::CopilotCamel => copilot::camel_effect(event_kind, answer),
        Protocol::CopilotPascal => copilot::pascal_effect(event_kind, answer),
        Protocol::Codex => codex::effect(event_kind, answer),
        Protocol::Gemini => gemini::effect(event_kind, answer),
        Protocol::Cursor => Ok(cursor::effect(event_kind, answer)),
        Protocol::Raw => raw::effect(answer),
    }
}

impl Effect {
    /// Interprets a permission decision in the form that most hosts share.
    fn decide(&mut self, decision: Option<&str>, reason: Option<String>) {
        match decision {
            Some("deny") => self.denied = Some(reason.unwrap_or_default()),
            Some("ask") => self.asked = Some(reason.unwrap_or_default()),
            Some("allow") => self.allowed = true,
            // Ignores an unknown decision.
            _ => {}
        }
    }
}

/// Interprets the answer to the host's own question about a call.
fn behavior(effect: &mut Effect, decision: &Map<String, Value>) {
    match text(decision, "behavior").as_deref() {
        Some("allow") => effect.allowed = true,
        Some("deny") => effect.denied = text(decision, "message"),
        _ => {}
    }
}

fn text(object: &Map<String, Value>, field: &str) -> Option<String> {
    object.get(field).and_then(Value::as_str).map(str::to_owned)
}

fn object(parent: &Map<String, Value>, field: &str) -> Option<Map<String, Value>> {
    parent.get(field).and_then(Value::as_object).cloned()
}

/// Returns the reason of an answer that ends the turn in the fields that most hosts share.
fn ended(answer: &Map<String, Value>) -> Option<String> {
    (answer.get("continue") == Some(&Value::Bool(false)))
        .then(|| text(answer, "stopReason").unwrap_or_default())
}

/// Returns the event name in hosts that follow Claude Code.
fn claude_name(event_kind: EventKind) -> &'static str {
    match event_kind {
        EventKind::PostToolUseFailure => "PostToolUseFailure",
        EventKind::PermissionRequest => "PermissionRequest",
        event_kind => event_kind.event().map_or("Notification", event::EventName::as_str),
    }
}
