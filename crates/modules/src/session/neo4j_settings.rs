//! The section `neo4j` of `config.json`.

use serde::{Deserialize, Serialize};
use store::{Workspace, plain_file};

/// The database and its query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Neo4jSettings"))]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// Its address: `bolt://localhost:7687`. Without it nothing is checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// A query that returns the version of the schema as its first value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema_query: Option<String>,
    /// The user name; without it there is no login.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// A file with the password, relative to the workspace: these settings are committed, the file must not be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password_file: Option<String>,
    /// The timeout of the handshake, in milliseconds.
    pub timeout_ms: u64,
    /// The timeout of each answer to the query, in milliseconds.
    pub query_timeout_ms: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            uri: None,
            schema_query: None,
            user: None,
            password_file: None,
            timeout_ms: 300,
            query_timeout_ms: 1000,
        }
    }
}

impl Settings {
    /// Returns name and password; `None` without a login.
    pub(super) fn login(&self, workspace: &Workspace) -> Result<Option<(String, String)>, String> {
        let Some(user) = &self.user else { return Ok(None) };
        let password = match &self.password_file {
            None => String::new(),
            Some(file) => {
                let path = workspace.root().join(file);
                let text = plain_file::read(path.as_path());
                let text = text.map_err(|error| format!("cannot read `{path}`: {error}"))?;
                String::from_utf8_lossy(&text).trim_end().to_owned()
            }
        };
        Ok(Some((user.clone(), password)))
    }
}
