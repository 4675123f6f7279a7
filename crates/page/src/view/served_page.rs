//! The page of another workspace that is served on this machine.

use serde::Serialize;

/// A served workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ServedPage {
    /// The workspace's folder.
    pub workspace: String,
    /// The address of its page.
    pub url: String,
}

impl ServedPage {
    /// Returns the last part of the workspace's folder.
    pub fn name(&self) -> &str {
        self.workspace.rsplit('/').next().unwrap_or(&self.workspace)
    }
}
