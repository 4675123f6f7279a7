//! The section `loop` of `config.json`: when a repeated failure counts as a loop.

use serde::Deserialize;

/// `"loop": { "after": 3 }`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct LoopSettings {
    /// After how many denials or failures of the same call in a row the agent reads that it will not work; after twice as
    /// many the session is held. 0: never.
    #[cfg_attr(feature = "schema", schemars(range(max = 100)))]
    pub after: u32,
}

impl LoopSettings {
    /// The name of the section.
    pub const SECTION: &'static str = "loop";
}

impl Default for LoopSettings {
    fn default() -> Self {
        Self { after: 3 }
    }
}
