//! Distinguishes VS Code's Local payloads from Copilot's `PascalCase` payloads.
//!
//! Copilot calls its `PascalCase` payloads "VS Code compatible", and they nearly are. Both programs
//! read `.github/hooks/*.json`, so one registration covers both and its command line cannot tell them
//! apart.

use crate::fields::Fields;

/// The program that a payload resembles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VsCodeOrCopilot {
    VsCode,
    Copilot,
}

/// Returns the program that a field proves.
///
/// VS Code numbers its tool calls and Copilot does not; Copilot translates tool names to Claude's,
/// which are capitalised, and has additional fields.
pub(crate) fn proven(payload: Fields<'_>) -> Option<VsCodeOrCopilot> {
    if payload.has(&["tool_result", "initial_prompt", "stop_reason", "agent_name", "agent_display_name"]) {
        return Some(VsCodeOrCopilot::Copilot);
    }
    let tool = payload.word(&["tool_name"])?;
    let capital = tool.starts_with(|letter: char| letter.is_ascii_uppercase());
    match (payload.has(&["tool_use_id"]), capital) {
        (false, _) => Some(VsCodeOrCopilot::Copilot),
        (true, false) => Some(VsCodeOrCopilot::VsCode),
        // An extension's tool may have any name; only VS Code calls a result a response.
        (true, true) => payload.has(&["tool_response"]).then_some(VsCodeOrCopilot::VsCode),
    }
}

/// Returns the program that the order of fields suggests: VS Code writes the time first, Copilot the
/// name of the event.
///
/// WHY: weak evidence, but a prompt's payload has no better, and the result must be the same for
/// every event of a session: the session's id is derived from it.
pub(crate) fn suggested(payload: Fields<'_>) -> VsCodeOrCopilot {
    match payload.is_before("hook_event_name", "timestamp") {
        Some(true) => VsCodeOrCopilot::Copilot,
        _ => VsCodeOrCopilot::VsCode,
    }
}
