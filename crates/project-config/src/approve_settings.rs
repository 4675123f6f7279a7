//! The setting `approve` of `config.json`: which calls pass without the host's prompt.

use serde::{Deserialize, Serialize};

/// `"approve": "read-only"`
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ApproveMode {
    /// None: the host asks as it does without steersman.
    #[default]
    Off,
    /// Calls that are proven to change nothing and to read only inside of the workspace.
    ReadOnly,
    /// Those, and calls whose writes are all known, inside of the workspace and in the scope of the active intent.
    InScope,
}

impl ApproveMode {
    /// The name of the setting.
    pub const SECTION: &'static str = "approve";

    /// Returns its name in the settings.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::ReadOnly => "read-only",
            Self::InScope => "in-scope",
        }
    }

    /// Returns the mode with this name; `None` for any other name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Off, Self::ReadOnly, Self::InScope].into_iter().find(|mode| mode.as_str() == name)
    }
}
