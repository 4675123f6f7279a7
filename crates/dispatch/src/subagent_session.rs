//! Finds the session that a nested subagent belongs to.
//!
//! WHY: the hosts in [`host::Host::subagents_are_sessions`] name only the direct parent of a subagent, which may be
//! a subagent itself. Its start recorded the session; its end removes the record.

use event::{AbsPath, Detail, Event};
use host::Host;
use store::SubagentRecord;

/// Replaces the session of a subagent's event by the session that the user started.
pub(crate) fn resolve(user_state: Option<&AbsPath>, host: Host, event: &mut Event) {
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
