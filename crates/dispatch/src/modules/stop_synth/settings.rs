//! The section `stop-synth` of `config.json`.

use serde::{Deserialize, Serialize};

/// What the page has on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "StopSynthSettings"))]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// How long each list may be.
    pub list_items: usize,
    /// Whether decisions are drafted as a record of their own.
    pub adr: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { list_items: 30, adr: true }
    }
}
