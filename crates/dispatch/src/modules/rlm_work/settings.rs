//! The section `rlm-work` of `config.json`.

use serde::{Deserialize, Serialize};

use crate::Context;

/// Which subagents get a packet, and how much of their results is registered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RlmWorkSettings"))]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// Roles of subagents that get no packet: others tell them where to write.
    pub skip_agents: Vec<String>,
    /// How many files of one subagent are registered.
    pub max_files: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { skip_agents: vec!["Plan".to_owned(), "planner".to_owned()], max_files: 200 }
    }
}

impl Settings {
    /// Reads the section; a mistake in it is told, and the defaults serve.
    pub(super) fn read(context: &Context<'_>) -> (Self, Vec<String>) {
        match context.config.typed(super::NAME) {
            Ok(settings) => (settings, Vec::new()),
            Err(error) => (Self::default(), vec![format!("`{}` uses its defaults: {error}", super::NAME)]),
        }
    }

    /// Returns whether a subagent is somebody else's.
    pub(super) fn skips(&self, role: Option<&str>) -> bool {
        role.is_some_and(|role| self.skip_agents.iter().any(|skipped| skipped.eq_ignore_ascii_case(role)))
    }
}
