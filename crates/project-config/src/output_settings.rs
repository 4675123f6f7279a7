//! The section `output` of `config.json`: the parts of a tool's result that the model reads.

use serde::Deserialize;

/// `"output": { "redact": true, "maxKb": 64 }`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct OutputSettings {
    /// Whether secrets in a result are replaced by `[REDACTED]`, on hosts that permit it.
    pub redact: bool,
    /// How long a text of a result may be, in KiB; of a longer one the model reads head and tail. Absent: any length.
    pub max_kb: Option<u32>,
}

impl OutputSettings {
    /// The name of the section.
    pub const SECTION: &'static str = "output";
}

impl Default for OutputSettings {
    fn default() -> Self {
        Self { redact: true, max_kb: None }
    }
}
