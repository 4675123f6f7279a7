//! The start page: who waits for the person, what runs, what failed.

use serde::Serialize;

use super::{Activity, EndedRun, OpenRun, ServedPage};

/// The start page.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "api-now"))]
#[serde(rename_all = "camelCase")]
pub struct Now {
    /// The workspace's folder.
    pub workspace: String,
    /// When this was computed.
    pub ts: u64,
    /// The sessions: those that wait for the person first, the longest wait first, then the latest first.
    pub sessions: Vec<SessionCard>,
    /// How many older sessions are left out.
    pub older_sessions: usize,
    /// The running and queued runs of automations.
    pub runs: Vec<OpenRun>,
    /// The runs that failed lately.
    pub failed: Vec<EndedRun>,
    /// Why no automation runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The other workspaces that are served on this machine.
    pub workspaces: Vec<ServedPage>,
    /// The calls over the last hours.
    pub activity: Activity,
}

/// A session in a few words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SessionCard {
    /// Its id.
    pub sid: String,
    /// The name of the agent program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// Its present activity.
    pub status: SessionStatus,
    /// Since when it waits for the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting_since: Option<u64>,
    /// Its latest call or the reason of its wait, in one line.
    pub doing: String,
    /// The time of its first event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<u64>,
    /// The time of its last event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_event: Option<u64>,
    /// Its turn.
    pub turn: u64,
    /// The phase of its work.
    pub phase: String,
    /// The number of its tool calls.
    pub tool_calls: u64,
    /// How many of them were denied.
    pub denies: u64,
    /// How many of them the user was asked about.
    pub asks: u64,
    /// Whether these numbers cover the whole session; otherwise they cover its end.
    pub counts_complete: bool,
    /// Why its records cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// The present activity of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum SessionStatus {
    /// It asked the user about a call, and no result followed.
    Asking,
    /// Its phase is blocked until a person lifts it.
    Blocked,
    /// A person holds it.
    Held,
    /// Its turn ended; it waits for the next prompt.
    Waiting,
    /// It works.
    Working,
    /// Nothing happened for a while, though its turn did not end.
    Quiet,
}

impl SessionStatus {
    /// Returns the word that the page shows.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Asking => "asks you",
            Self::Blocked => "blocked",
            Self::Held => "held",
            Self::Waiting => "waits for you",
            Self::Working => "working",
            Self::Quiet => "quiet",
        }
    }

    /// Returns the name of its style.
    pub const fn style(self) -> &'static str {
        match self {
            Self::Asking => "ask",
            Self::Blocked | Self::Held => "deny",
            Self::Waiting => "wait",
            Self::Working => "good",
            Self::Quiet => "faint",
        }
    }

    /// Returns whether it waits for the person, and how urgently: lower first. Returns `None` if it does not wait.
    pub const fn urgency(self) -> Option<u8> {
        match self {
            Self::Asking => Some(0),
            Self::Blocked => Some(1),
            Self::Held => Some(2),
            Self::Waiting => Some(3),
            Self::Working | Self::Quiet => None,
        }
    }
}
