//! The plan of the latest session that has one.

use serde::Serialize;

/// The plan in force.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "api-plan"))]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// When this was computed.
    pub ts: u64,
    /// The session. Without it and without problems, no session has a plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The file of the plan.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// Why the plan cannot be used.
    pub problems: Vec<String>,
    /// The nodes, in the order of the file.
    pub nodes: Vec<PlanNode>,
}

/// A node of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PlanNode {
    /// Its name.
    pub id: String,
    /// The task.
    pub description: String,
    /// `pending`, `active`, `complete`, `forbidden` or `denied`.
    pub status: String,
    /// Whether it can start now.
    pub ready: bool,
    /// The nodes that must be complete first.
    pub dependencies: Vec<String>,
    /// Those of them that are not complete.
    pub waits_for: Vec<String>,
    /// Its files, as globs.
    pub scope: Vec<String>,
    /// Its checks.
    pub validations: Vec<String>,
    /// Why it is forbidden or denied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
