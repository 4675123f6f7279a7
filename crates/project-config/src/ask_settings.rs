//! The section `ask` of `config.json`: whether a hook waits for a person where the agent program cannot ask.

use serde::Deserialize;

/// `"ask": { "wait": 120 }`
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct AskSettings {
    /// How many seconds a hook waits for a person's answer before it denies the call. 0: it denies at once.
    #[cfg_attr(feature = "schema", schemars(range(max = 3600)))]
    pub wait: u32,
}

impl AskSettings {
    /// The name of the section.
    pub const SECTION: &'static str = "ask";

    /// The longest wait, in seconds.
    pub const MAX_WAIT: u32 = 3600;
}
