//! Which entries of a session a search and the filter for stopped calls find.

use session::RecordedDecision;
use timeline::{Entry, EntryKind};

/// Returns whether an entry tells of a stopped call, a failure or an order.
pub(crate) fn is_stopped(entry: &Entry) -> bool {
    match &entry.what {
        EntryKind::Call(call) => matches!(call.decision, RecordedDecision::Deny | RecordedDecision::Ask),
        EntryKind::Refused { .. }
        | EntryKind::Failure { .. }
        | EntryKind::OutOfTime { .. }
        | EntryKind::Order { .. } => true,
        EntryKind::Plan { holds, .. } | EntryKind::Confined { holds, .. } => !holds,
        _ => false,
    }
}

/// Returns whether an entry contains a lower-case text.
pub(crate) fn contains(entry: &Entry, text: &str) -> bool {
    text.is_empty() || searched(entry).contains(text)
}

/// Returns the texts of an entry in lower case: all of them are in its JSON.
pub(crate) fn searched(entry: &Entry) -> String {
    serde_json::to_string(entry).unwrap_or_default().to_lowercase()
}
