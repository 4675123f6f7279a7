//! The traces of a prompt in the journal: an earlier announcement, or the reason for which a hook kept the agent working.

use event::{Decision, Detail, Event};
use host::Host;
use session::{KeptReason, OpenSession, RepeatKey};

/// How much of the journal is searched for an earlier announcement of a prompt.
const TURN_BYTES: u64 = 1024 * 1024;

/// Returns the decision about a prompt that the host announced before. Searches more of the journal than for a tool
/// call: a turn can be long, and a prompt has a larger budget.
pub(super) fn decision_on_prompt(
    session: &OpenSession,
    host: Host,
    event: &Event,
    registration: Option<&str>,
) -> Option<Decision> {
    let key = RepeatKey::of(event, host, session.state.core.last_turn_id, registration)?;
    let lines = session.journal.as_ref()?.tail(TURN_BYTES).ok()?;
    key.decision_in(&lines, store::now().as_millis())
}

/// Returns whether a prompt is the reason for which a hook kept the agent from stopping: Copilot, Gemini and Qwen
/// announce it like a user's prompt, joined with the reasons of other hooks.
pub(super) fn continues_turn(session: &OpenSession, event: &Event) -> bool {
    let core = &session.state.core;
    let Detail::UserPromptSubmit { prompt } = &event.detail else { return false };
    match core.kept_reason_in(prompt, core.last_turn_id) {
        None => false,
        Some(KeptReason::Whole) => true,
        // A user may quote the reason after the agent has stopped.
        Some(KeptReason::Part) => {
            let lines = session.journal.as_ref().and_then(|journal| journal.tail(TURN_BYTES).ok());
            session::last_stop(&lines.unwrap_or_default()).is_some_and(|decision| decision.is_deny())
        }
    }
}
