//! What the tools take. The descriptions are read by models.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `select_active_intent`
#[derive(Debug, Deserialize, JsonSchema)]
pub struct SelectParameters {
    /// The id of the intent to work on, such as INT-001; `list_intents` lists them.
    #[serde(alias = "intentId", alias = "id")]
    pub intent_id: String,
}

/// `check_scope`
#[derive(Debug, Deserialize, JsonSchema)]
pub struct CheckParameters {
    /// The files or folders to be written, relative to the workspace or absolute.
    pub paths: Vec<String>,
    /// The intent to check against; the active one if left out.
    #[serde(default, alias = "intentId")]
    pub intent_id: Option<String>,
}

/// `request_scope_expansion`
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ExpansionParameters {
    /// The file, or a glob over paths of the workspace such as src/session/**, that should be in the scope.
    #[serde(alias = "path")]
    pub pattern: String,
    /// Why the work cannot be done without it; a person reads this.
    pub reason: String,
    /// The intent whose scope should grow; the active one if left out.
    #[serde(default, alias = "intentId")]
    pub intent_id: Option<String>,
}
