//! The calls that wait for a person's decision.

use serde::Serialize;

/// The asks of the workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "api-asks"))]
#[serde(rename_all = "camelCase")]
pub struct Asks {
    /// When this was computed.
    pub ts: u64,
    /// The asks, the oldest first.
    pub asks: Vec<AskRow>,
}

/// A call that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AskRow {
    /// Its id.
    pub id: String,
    /// The session.
    pub session: String,
    /// The agent program.
    pub host: String,
    /// The agent within the session.
    pub agent: String,
    /// The tool.
    pub tool: String,
    /// The call in one line.
    pub call: String,
    /// Why a person must decide. Absent where the agent program itself asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When the hook began to wait, in milliseconds since 1970.
    pub opened: u64,
    /// When it denies the call without an answer, in milliseconds since 1970.
    pub until: u64,
}
