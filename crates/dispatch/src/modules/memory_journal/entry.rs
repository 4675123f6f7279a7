//! A new line for `experience.jsonl`.

use crate::Context;
use crate::recorded_input::short;
use memory::{Experience, ExperienceKind};

/// Returns an experience of this run, about nothing yet.
pub(super) fn of(context: &Context<'_>, kind: ExperienceKind) -> Experience {
    let ids = &context.ids;
    Experience {
        v: Experience::FORMAT,
        ts: ids.run.at_ms,
        hook_run_id: ids.run.to_string(),
        session_id: ids.session.to_string(),
        work_id: ids.work.to_string(),
        agent_id: ids.agent.to_string(),
        turn_id: ids.turn,
        kind,
        tool: String::new(),
        subject: String::new(),
        text: String::new(),
        by: None,
        worked: None,
        paths: Vec::new(),
    }
}

/// Returns a text that fits an experience: without secrets, so that what is compared later is
/// what was written.
pub(super) fn text(text: &str) -> String {
    redact::Redacted::from_text(&short(text)).into_string()
}
