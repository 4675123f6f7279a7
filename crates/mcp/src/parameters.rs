//! The parameters of the tools. Models read the descriptions.

use rmcp::schemars::{self, JsonSchema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

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
    #[serde(alias = "path", deserialize_with = "one_or_more")]
    pub paths: Vec<String>,
    /// The intent to check against; the active one if left out.
    #[serde(default, alias = "intentId")]
    pub intent_id: Option<String>,
}

/// `request_scope_expansion`
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ExpansionParameters {
    /// The file, or a glob over paths of the workspace such as src/session/**, that should be in the scope.
    #[serde(alias = "path", alias = "glob", alias = "scope")]
    pub pattern: String,
    /// Why the work cannot be done without it; a person reads this.
    pub reason: String,
    /// The intent whose scope should grow; the active one if left out.
    #[serde(default, alias = "intentId")]
    pub intent_id: Option<String>,
}

/// Accepts an array of at least one path, or a single path: models write both.
fn one_or_more<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a path or an array of paths")]
    enum Given {
        One(String),
        More(Vec<String>),
    }
    match Given::deserialize(input)? {
        Given::One(path) => Ok(vec![path]),
        Given::More(paths) if paths.is_empty() => Err(D::Error::custom("`paths` is empty")),
        Given::More(paths) => Ok(paths),
    }
}
