//! Completes an event with the facts that its payload lacks: the host's transcript or an earlier event has them.

use std::path::Path;

use event::{AbsPath, Detail, Event, Outcome};
use host::{Host, TranscriptFact};
use store::{SubagentRecord, plain_file};

use crate::{announced_command, confinement};

/// How much of a transcript is read. The result of the last call is within its last lines.
const TRANSCRIPT_BYTES: u64 = 256 * 1024;

/// Completes the event. Returns `false` if the host announces something that does not happen.
pub(crate) fn complete(host: Host, user_state: Option<&AbsPath>, event: &mut Event) -> bool {
    if !read_transcript(host, event) {
        return false;
    }
    resolve_session(user_state, host, event);
    announced_command::complete(host, event);
    confinement::restore(host, user_state, event);
    true
}

/// Adds the fact that only the transcript has. Returns `false` if the host announces something that does not happen.
fn read_transcript(host: Host, event: &mut Event) -> bool {
    let Some(fact) = TranscriptFact::missing_in(host, event) else { return true };
    let read = |path: &String| plain_file::tail(Path::new(path), TRANSCRIPT_BYTES).ok();
    let lines = event.transcript.as_ref().and_then(read).unwrap_or_default();
    match (fact, &mut event.detail) {
        (TranscriptFact::Failure, Detail::PostToolUse { call, outcome }) => {
            if let Some(error) = call.id.as_deref().and_then(|id| host::failure_in(&lines, id)) {
                *outcome = Outcome::Failed { error, response: None };
            }
            true
        }
        (TranscriptFact::Compaction, _) => host::may_be_compressed_in(&lines),
        (TranscriptFact::Failure, _) => true,
    }
}

/// Replaces the session of a subagent's event by the session that the user started.
///
/// WHY: the hosts in [`Host::subagents_are_sessions`] name only the direct parent of a subagent, which may be
/// a subagent itself. Its start recorded the session; its end removes the record.
fn resolve_session(user_state: Option<&AbsPath>, host: Host, event: &mut Event) {
    if !host.subagents_are_sessions() {
        return;
    }
    let (Some(state), Some(agent), Some(session)) =
        (user_state, event.agent.as_ref().and_then(|agent| agent.id.as_deref()), &event.session)
    else {
        return;
    };
    if let Some(outermost) = SubagentRecord::of(state, host.name(), session).read() {
        event.session = Some(outermost);
    }
    let record = SubagentRecord::of(state, host.name(), agent);
    match (&event.detail, &event.session) {
        (Detail::SubagentStart, Some(session)) => record.write(session),
        (Detail::SubagentStop { .. }, _) => record.remove(),
        _ => {}
    }
}
