//! The intents: scope, status, their sessions, the files written, and the requests of agents for a wider scope.

use serde::Serialize;

use super::SessionStatus;

/// The intents of the workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "api-intents"))]
#[serde(rename_all = "camelCase")]
pub struct Intents {
    /// When this was computed.
    pub ts: u64,
    /// Whether intents govern the workspace: their file exists.
    pub governed: bool,
    /// Why the file cannot be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The intents, in the order of the file.
    pub intents: Vec<IntentRow>,
    /// The open requests, the oldest first.
    pub requests: Vec<ScopeRequest>,
}

/// An intent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct IntentRow {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The task.
    pub description: String,
    /// Its status.
    pub status: String,
    /// The files it may write, as globs.
    pub scope: Vec<String>,
    /// Whether sessions without a choice of their own have it.
    pub selected: bool,
    /// The latest written files, the latest first.
    pub files: Vec<WrittenFile>,
    /// The sessions that worked under it last, the latest first.
    pub workers: Vec<IntentWorker>,
    /// The number of recorded writes.
    pub n_writes: u64,
}

/// A session that works under an intent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct IntentWorker {
    /// The session.
    pub sid: String,
    /// The agent program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// Its present activity.
    pub status: SessionStatus,
    /// The time of its last event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_event: Option<u64>,
}

/// A file that an agent wrote for an intent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WrittenFile {
    /// Its path, relative to the workspace.
    pub path: String,
    /// How often it was written.
    pub n: u64,
    /// The last write, as ISO 8601.
    pub last: String,
}

/// An agent's request for a wider scope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ScopeRequest {
    /// Its key.
    pub request: String,
    /// The intent.
    pub intent: String,
    /// The glob.
    pub pattern: String,
    /// The agent's reason.
    pub reason: String,
    /// When it was made, as ISO 8601.
    pub timestamp: String,
    /// The change of the intents file, line by line; why it cannot be made, if it cannot.
    pub diff: Vec<DiffLine>,
}

/// A line of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DiffLine {
    /// `+`, `-` or a space.
    pub sign: char,
    /// The line.
    pub text: String,
}
