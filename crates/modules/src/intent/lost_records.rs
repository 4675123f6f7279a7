//! Notices that the records of a session were removed while it runs: its folder, or the user's state folder.
//!
//! A session that is governed by intents is marked in the user's state folder, and its state says so. If one of the two
//! is gone, another program removed it. The mark has the length of the journal after the last call that may write: if the
//! journal is shorter, another program removed lines.

use event::AbsPath;
use serde_json::{Value, json};
use store::is_shorter_than_recorded;

use super::NAME;
use crate::{Action, Context};

/// Which records are gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LostRecords {
    /// The session's own.
    OfSession,
    /// The user's.
    OfUser,
    /// The last lines of the session's journal.
    LastLines,
}

/// The state's key: the session is marked in the user's state folder.
const MARKED: &str = "marked";

impl LostRecords {
    /// Returns which records are gone. Returns `None` if nothing is.
    pub(super) fn of(context: &Context<'_>) -> Option<Self> {
        let marker = marker(context)?;
        let is_marked = marker.as_path().exists();
        match is_marked {
            true if is_shorter_than_recorded(&marker, &context.session.events_file())
                && !context.journal_tail.lines().is_empty() =>
            {
                Some(Self::LastLines)
            }
            true if context.journal_tail.lines().is_empty() => Some(Self::OfSession),
            false if says_marked(context) => Some(Self::OfUser),
            _ => None,
        }
    }

    /// Returns the records to report as forged, and why.
    pub(super) fn report(self) -> (&'static str, &'static str) {
        match self {
            Self::OfSession => (".ai/tmp", "the records of the session were removed while it ran"),
            Self::LastLines => ("events.jsonl", "the last lines of the session's journal were removed"),
            Self::OfUser => ("the user's state folder", "it was removed while the session ran"),
        }
    }
}

/// Records in the state that the session is marked as governed, from its second event on.
pub(super) fn mark(context: &Context<'_>, action: &mut Action) {
    let Some(marker) = marker(context) else { return };
    if context.journal_tail.lines().is_empty() || (says_marked(context) && marker.as_path().exists()) {
        return;
    }
    if create(&marker).is_some()
        && let Value::Object(patch) = json!({"features": {NAME: {MARKED: true}}})
    {
        merge(&mut action.state_patch, patch);
    }
}

/// Marks the session as governed after its first event.
///
/// WHY only once the journal has a line: if the process were killed before, the marked session would seem to have lost it.
pub(super) fn mark_first(context: &Context<'_>) {
    if context.intents_file.is_some() && context.journal_tail.lines().is_empty() {
        marker(context).and_then(|marker| create(&marker));
    }
}

/// Records how long the journal is now, in the mark of the session. Ignores errors: then removed lines are not noticed.
pub(super) fn record_length(context: &Context<'_>) {
    if context.intents_file.is_some()
        && let Some(marker) = marker(context)
    {
        let _ = store::record_length(&marker, &context.session.events_file());
    }
}

fn create(marker: &AbsPath) -> Option<()> {
    marker.parent().map_or(Ok(()), |folder| store::create_folder(folder.as_path())).ok()?;
    store::write_shared(marker.as_path(), b"").ok()
}

/// Returns whether the user's state folder knows that intents govern the session.
pub(super) fn is_governed(context: &Context<'_>) -> bool {
    marker(context).is_some_and(|marker| marker.as_path().exists())
}

fn marker(context: &Context<'_>) -> Option<AbsPath> {
    context.user_state.map(|state| context.workspace.governed_session(state, context.ids.session))
}

fn says_marked(context: &Context<'_>) -> bool {
    let own = context.state.features.get(NAME);
    own.and_then(|own| own.get(MARKED)).and_then(Value::as_bool) == Some(true)
}

fn merge(into: &mut serde_json::Map<String, Value>, patch: serde_json::Map<String, Value>) {
    for (key, value) in patch {
        match (into.get_mut(&key), value) {
            (Some(Value::Object(inner)), Value::Object(more)) => merge(inner, more),
            (_, value) => drop(into.insert(key, value)),
        }
    }
}
