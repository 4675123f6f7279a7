//! Renders a verdict in the format of the waiting host.

use event::Verdict;
use serde_json::Value;

use crate::supported_verdict::SupportedVerdict;
use crate::{Protocol, ReplyTarget, Verb, claude_code, codex, copilot, cursor, gemini, qwen, raw, vscode};

/// An answer, ready to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// Exactly one JSON object, without a line break.
    pub stdout: String,
    /// Parts of the verdict that this host does not support here. The run's record lists them.
    pub dropped: Vec<Verb>,
    /// Whether an ask became a deny, because this host cannot ask here.
    pub hardened: bool,
    /// The reason of the decision, as the host receives it.
    pub reason: Option<String>,
}

/// Renders a verdict.
///
/// Omits and reports the parts that the host does not support; an unsupported ask becomes a deny. The
/// answer to an event outside the eight is an empty object, unless there is a warning and a field for
/// it.
pub fn render(target: &ReplyTarget, verdict: &Verdict) -> Rendered {
    let supported = SupportedVerdict::new(target, verdict);
    let answer = match target.protocol() {
        Protocol::VsCodeLocal => vscode::answer(target, &supported),
        Protocol::ClaudeCode => claude_code::answer(target, &supported),
        Protocol::CopilotCamel => copilot::camel_answer(target, &supported),
        Protocol::CopilotPascal => copilot::pascal_answer(target, &supported),
        Protocol::Codex => codex::answer(target, &supported),
        Protocol::Gemini => gemini::answer(target, &supported),
        Protocol::Cursor => cursor::answer(target, &supported),
        Protocol::Qwen => qwen::answer(target, &supported),
        Protocol::Raw => raw::answer(verdict),
    };
    let stdout = Value::Object(answer).to_string();
    let reason = supported.decision.reason().map(str::to_owned);
    Rendered { stdout, dropped: supported.dropped, hardened: supported.hardened, reason }
}
