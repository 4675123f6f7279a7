//! Telling VS Code's Local payloads from Copilot's `PascalCase` ones.
//!
//! Copilot calls its `PascalCase` payloads "VS Code compatible", and they nearly are.
//! Both programs read `.github/hooks/*.json`, so one registration serves both and
//! its command line cannot say who is calling.

use crate::fields::Fields;

/// Whose payload it looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flavour {
    VsCode,
    Copilot,
}

/// Returns what a field proves.
///
/// VS Code numbers its tool calls and Copilot does not; Copilot translates tool
/// names to Claude's, which are capitalised, and has fields of its own.
pub(crate) fn proven(payload: Fields<'_>) -> Option<Flavour> {
    if payload.has(&["tool_result", "initial_prompt", "stop_reason", "agent_name", "agent_display_name"]) {
        return Some(Flavour::Copilot);
    }
    let tool = payload.word(&["tool_name"])?;
    let capital = tool.starts_with(|letter: char| letter.is_ascii_uppercase());
    match (payload.has(&["tool_use_id"]), capital) {
        (false, _) => Some(Flavour::Copilot),
        (true, false) => Some(Flavour::VsCode),
        // An extension's tool may have any name; only VS Code calls a result a response.
        (true, true) => payload.has(&["tool_response"]).then_some(Flavour::VsCode),
    }
}

/// Returns what the order of the fields suggests: VS Code writes the time first,
/// Copilot the name of the event.
///
/// WHY: weak, but a prompt's payload holds nothing else, and the answer must be the
/// same for every event of a session: the session's id is derived from it.
pub(crate) fn suggested(payload: Fields<'_>) -> Flavour {
    match payload.is_before("hook_event_name", "timestamp") {
        Some(true) => Flavour::Copilot,
        _ => Flavour::VsCode,
    }
}
