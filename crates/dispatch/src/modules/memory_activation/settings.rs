//! The section `memory-activation` of `config.json`.

use serde::{Deserialize, Serialize};

/// How much is brought to mind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// How many bytes of memories one call is told at most.
    pub max_bytes: usize,
    /// How many memories one call is told at most.
    pub max_memories: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { max_bytes: 2000, max_memories: 3 }
    }
}
