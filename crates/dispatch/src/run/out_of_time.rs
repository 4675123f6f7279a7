//! The answers about a call that the intent module could not judge or search in time.

use event::{ContextNote, Decision, Detail, Event, ToolKind};

/// Returns the decision about a call that the intent module could not judge in time.
pub(super) fn unjudged() -> Decision {
    Decision::Deny {
        reason: "steersman ran out of time before it could check this call against the intent in force, and such a call \
                 does not pass unchecked.\nhint: split it into calls that name fewer files and try again; a person can \
                 raise `budgets.PreToolUse` in .ai/hooks/dispatch.manifest.json"
            .to_owned(),
    }
}

/// Returns the note for the model about a command that has ended and whose changes are not yet compared with the intent in
/// force: the next event does it. Returns `None` about other events.
pub(super) fn unsearched(event: &Event) -> Option<ContextNote> {
    let Detail::PostToolUse { call, .. } = &event.detail else { return None };
    if call.kind != ToolKind::Shell {
        return None;
    }
    Some(modules::intent::unsearched_note())
}
