//! The section `plan-subagent-contract` of `config.json`.

use serde::{Deserialize, Serialize};

/// Which agents plan, and how patient we are with them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PlanContractSettings"))]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// The roles of agents that plan, in any case.
    pub agents: Vec<String>,
    /// How often a planning agent is sent back to mend its plan.
    pub max_retries: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { agents: vec!["Plan".into(), "planner".into()], max_retries: 3 }
    }
}

impl Settings {
    /// Whether an agent of this role plans.
    pub fn plans(&self, role: &str) -> bool {
        self.agents.iter().any(|agent| agent.eq_ignore_ascii_case(role))
    }
}
