//! `manifest.json`: the planning agent's description of its plan.

use serde::{Deserialize, Serialize};

/// The manifest beside a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PlanManifest {
    /// The format of this file; 1.
    pub version: u64,
    /// The agent that wrote the plan, by our id.
    pub agent_id: String,
    /// The plan, relative to this file or to the workspace.
    pub plan_graph: String,
    /// When, in milliseconds since 1970.
    pub created_ts: u64,
    /// A summary of the plan, in a few sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}
