//! Saying a verdict in the words of the host that waits for it.

use event::Verdict;
use serde_json::Value;

use crate::plan::Plan;
use crate::{Protocol, Verb, Wire, claude_code, codex, copilot, cursor, gemini, qwen, raw, vscode};

/// An answer, ready to be printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// Exactly one JSON object, without a line break.
    pub stdout: String,
    /// Parts of the verdict this host cannot carry out here. Journalled, never swallowed.
    pub dropped: Vec<Verb>,
    /// An ask was said as a deny, because this host cannot ask here.
    pub hardened: bool,
}

/// Renders a verdict.
///
/// What the host cannot carry out is left out and reported; an ask it cannot carry out
/// becomes a deny. The answer to an event outside the eight is an empty object, unless
/// there is a warning and a field for it.
pub fn render(wire: &Wire, verdict: &Verdict) -> Rendered {
    let plan = Plan::new(wire, verdict);
    let answer = match wire.protocol() {
        Protocol::VsCodeLocal => vscode::answer(wire, &plan),
        Protocol::ClaudeCode => claude_code::answer(wire, &plan),
        Protocol::CopilotCamel => copilot::camel_answer(wire, &plan),
        Protocol::CopilotPascal => copilot::pascal_answer(wire, &plan),
        Protocol::Codex => codex::answer(wire, &plan),
        Protocol::Gemini => gemini::answer(wire, &plan),
        Protocol::Cursor => cursor::answer(wire, &plan),
        Protocol::Qwen => qwen::answer(wire, &plan),
        Protocol::Raw => raw::answer(verdict),
    };
    let stdout = Value::Object(answer).to_string();
    Rendered { stdout, dropped: plan.dropped, hardened: plan.hardened }
}
