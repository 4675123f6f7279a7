//! The denial that replaces an ask on a host that cannot ask.

use event::Decision;

use crate::{ReplyTarget, Verb, can};

/// Returns the denial that replaces an ask; `None` if the host can ask at this event. `hint` tells the user how to
/// permit the call.
pub fn unaskable(target: &ReplyTarget, reason: &str, hint: &str) -> Option<Decision> {
    if can(target, Verb::Ask) {
        return None;
    }
    let title = target.host().title();
    let reason = format!("{reason}\n{title} cannot ask a person here, so the call is refused. {hint}");
    Some(Decision::Deny { reason: reason.trim().to_owned() })
}
