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
    if payload.has(&["tool_result", "initial_prompt", "stop_reason"]) {
        return Some(Flavour::Copilot);
    }
    if let Some(tool) = payload.word(&["tool_name"]) {
        let capital = tool.starts_with(|letter: char| letter.is_ascii_uppercase());
        let numbered = payload.has(&["tool_use_id"]);
        return Some(if capital || !numbered { Flavour::Copilot } else { Flavour::VsCode });
    }
    // Copilot names no subagent but by `agent_name`; VS Code has no transcript yet
    // at the start, but Copilot never mentions one except when it stops.
    if payload.has(&["agent_name", "agent_display_name"]) {
        return Some(Flavour::Copilot);
    }
    None
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
