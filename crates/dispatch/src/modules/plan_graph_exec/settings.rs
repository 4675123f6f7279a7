//! The section `planGraph-exec` of `config.json`.

use serde::{Deserialize, Serialize};

/// How calls are held against the plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PlanGraphExecSettings"))]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// A plan for every session that has none of its own, relative to the workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// A call that belongs to no node is refused.
    pub strict: bool,
}
