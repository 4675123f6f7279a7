//! A session: its turns with their calls.

use serde::Serialize;
use timeline::Turn;

use super::SessionCard;

/// A part of a session's timeline.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "api-session"))]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// When this was computed.
    pub ts: u64,
    /// The session.
    pub session: SessionCard,
    /// The turns of this part, the oldest first.
    pub turns: Vec<Turn>,
    /// The value of `before` for the part before this one. Without it, this part has the session's first event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub older: Option<u64>,
    /// Whether this part has the session's last event.
    pub is_latest: bool,
    /// Whether only stopped calls, failures and orders are listed.
    pub only_stopped: bool,
    /// Whether the internal notes of modules are listed, too.
    pub has_notes: bool,
    /// The text that the entries contain.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub search: String,
}
