//! What each host makes of an answer: little models, written from the hosts' published
//! rules and recorded behaviour, knowing nothing of how answers are rendered.

mod claude_code;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod raw;
mod vscode;

use host::{Moment, Protocol};
use serde_json::{Map, Value};

/// What an answer brings about in the host.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Effect {
    /// Stopped, with what the model or person is told.
    pub(crate) denied: Option<String>,
    pub(crate) asked: Option<String>,
    pub(crate) allowed: bool,
    pub(crate) input: Option<Map<String, Value>>,
    pub(crate) context: Option<String>,
    pub(crate) message: Option<String>,
}

/// Returns what a host does on reading this answer; an error is an answer it refuses.
pub(crate) fn effect(
    protocol: Protocol,
    moment: Moment,
    answer: &Map<String, Value>,
) -> Result<Effect, String> {
    match protocol {
        Protocol::VsCodeLocal => vscode::effect(moment, answer),
        Protocol::ClaudeCode => claude_code::effect(moment, answer),
        Protocol::Qwen => claude_code::effect_on_qwen(moment, answer),
        Protocol::CopilotCamel => copilot::camel_effect(moment, answer),
        Protocol::CopilotPascal => copilot::pascal_effect(moment, answer),
        Protocol::Codex => codex::effect(moment, answer),
        Protocol::Gemini => gemini::effect(moment, answer),
        Protocol::Cursor => Ok(cursor::effect(moment, answer)),
        Protocol::Raw => raw::effect(answer),
    }
}

impl Effect {
    /// Takes a permission decision in the words most hosts share.
    fn decide(&mut self, decision: Option<&str>, reason: Option<String>) {
        match decision {
            Some("deny") => self.denied = Some(reason.unwrap_or_default()),
            Some("ask") => self.asked = Some(reason.unwrap_or_default()),
            Some("allow") => self.allowed = true,
            // What is no decision is ignored.
            _ => {}
        }
    }
}

fn text(object: &Map<String, Value>, field: &str) -> Option<String> {
    object.get(field).and_then(Value::as_str).map(str::to_owned)
}

fn object(parent: &Map<String, Value>, field: &str) -> Option<Map<String, Value>> {
    parent.get(field).and_then(Value::as_object).cloned()
}

/// The spelling of the hosts that follow Claude Code.
fn claude_name(moment: Moment) -> &'static str {
    match moment {
        Moment::PostToolUseFailure => "PostToolUseFailure",
        moment => moment.event().map_or("Notification", event::EventName::as_str),
    }
}
