//! Builds a line of `experience.jsonl`.

use session::recorded_input::short;

use crate::Context;
use memory::{Experience, ExperienceKind};

/// Returns an experience of this run without a subject.
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

/// Returns a string for an experience, redacted and cut, so that later comparisons see the same text.
pub(super) fn text(text: &str) -> String {
    redact::Redacted::from_text(&short(text)).into_string()
}
