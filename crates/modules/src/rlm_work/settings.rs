//! The section `rlm-work` of `config.json`.

use serde::{Deserialize, Serialize};

use crate::Context;

/// The subagents without a packet, and the limit of registered files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RlmWorkSettings"))]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// Roles of subagents without a packet: another module assigns their folder.
    pub skip_agents: Vec<String>,
    /// The most registered files of one subagent.
    pub max_files: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { skip_agents: vec!["Plan".to_owned(), "planner".to_owned()], max_files: 200 }
    }
}

impl Settings {
    /// Reads the section. Returns the defaults and a warning after a mistake.
    pub(super) fn read(context: &Context<'_>) -> (Self, Vec<String>) {
        match context.config.typed(super::NAME) {
            Ok(settings) => (settings, Vec::new()),
            Err(error) => (
                Self::default(),
                vec![format!("cannot read the settings of `{}`, using defaults: {error}", super::NAME)],
            ),
        }
    }

    /// Returns whether another module manages a subagent.
    pub(super) fn skips(&self, role: Option<&str>) -> bool {
        role.is_some_and(|role| self.skip_agents.iter().any(|skipped| skipped.eq_ignore_ascii_case(role)))
    }
}
