//! The section `notify` of `config.json`: how a person learns that an ask waits.

use serde::{Deserialize, Serialize};

/// `"notify": { "command": ["notify-send", "An agent waits"], "webhook": { "url": "https://…", "secretEnv": "NAME" } }`
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct NotifySettings {
    /// A program and its arguments, started in the workspace with the ask as JSON on its stdin.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// An address that gets the ask as JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhook: Option<NotifyWebhook>,
}

/// An address that gets the ask as JSON, signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NotifyWebhook {
    /// The address; `https`, or `http` on this machine.
    pub url: String,
    /// The environment variable with the secret key of the signature.
    pub secret_env: String,
}

impl NotifySettings {
    /// The name of the section.
    pub const SECTION: &'static str = "notify";

    /// Returns the line that a user trusts. Returns `None` without notifications.
    pub fn to_trust(&self) -> Option<String> {
        let is_empty = self.command.is_empty() && self.webhook.is_none();
        (!is_empty).then(|| format!("{} {}", Self::SECTION, serde_json::to_string(self).unwrap_or_default()))
    }
}
