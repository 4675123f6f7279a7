//! The agents that the server found.

use serde::Serialize;

/// The agents of the workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "api-agents"))]
#[serde(rename_all = "camelCase")]
pub struct Agents {
    /// When this was computed.
    pub ts: u64,
    /// The agents, in the order of the registry.
    pub agents: Vec<AgentRow>,
}

/// An agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AgentRow {
    /// Its id.
    pub id: String,
    /// Its display name.
    pub name: String,
    /// Its purpose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its file or its extension.
    pub source: String,
    /// Whether it is available.
    pub available: bool,
    /// Why it is unavailable, in capitals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unavailable_reason: Option<String>,
    /// The tools that it may use; without a list, all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// Its model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}
