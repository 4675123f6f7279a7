//! The section `confine` of `config.json`: when commands run confined, and what they may reach besides their scope.

use serde::{Deserialize, Serialize};

/// `"confine": { "sockets": [], "caches": [] }`
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase")]
pub struct ConfineSettings {
    /// Sockets, and folders of sockets, that confined commands may connect to; `~/` is the home.
    pub sockets: Vec<String>,
    /// Folders that confined commands may write besides the known caches; `~/` is the home.
    pub caches: Vec<String>,
}

impl ConfineSettings {
    /// The name of the section.
    pub const SECTION: &'static str = "confine";
}
