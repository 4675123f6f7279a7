//! The tools that an MCP server offers: connects as an agent program does, asks, and disconnects.

mod http;
mod sse;
mod stdio;

use std::collections::BTreeMap;
use std::time::Duration;

use automation::McpServer;
use event::AbsPath;
use runner::Environment;
use serde_json::{Map, Value};

/// The tools of a server: what a model reads about each, by name.
pub type ToolList = BTreeMap<String, String>;

/// Why the tools of a server cannot be listed.
#[derive(Debug, thiserror::Error)]
#[error("cannot list its tools: {0}")]
pub struct ListError(String);

/// Where a server is started, and how long it may take to answer.
#[derive(Debug, Clone, Copy)]
pub struct ListSettings<'a> {
    /// The workspace: the working folder of a program.
    pub root: &'a AbsPath,
    /// The variables of the environment.
    pub environment: &'a Environment,
    /// The time limit for all of it: a first start may download a package.
    pub timeout: Duration,
}

impl ListSettings<'_> {
    fn variable(&self, name: &str) -> Option<String> {
        self.environment.get(name)?.to_str().map(str::to_owned)
    }

    fn filled(&self, text: &str) -> Result<String, ListError> {
        McpServer::fill(text, self.root, &|name| self.variable(name)).map_err(|why| unusable(&why))
    }
}

/// Lists the tools of the server that `entry` of a settings file defines, a program or an address.
pub fn list_tools(entry: &Value, settings: ListSettings<'_>) -> Result<ToolList, ListError> {
    let address = ["httpUrl", "url", "serverUrl"].iter().find_map(|key| entry.get(key)?.as_str());
    let tools = match address {
        Some(address) if entry.get("command").is_none() => http::tools(address, entry, settings)?,
        _ => stdio::tools(entry, settings)?,
    };
    Ok(tools
        .iter()
        .filter_map(|tool| Some((tool.get("name")?.as_str()?.to_owned(), described(tool))))
        .collect())
}

/// Returns the description of a tool that a model reads, as text that a diff can compare.
fn described(tool: &Value) -> String {
    let kept: Map<String, Value> = ["title", "description", "inputSchema", "annotations"]
        .iter()
        .filter_map(|key| Some(((*key).to_owned(), tool.get(key).filter(|value| !value.is_null())?.clone())))
        .collect();
    let mut kept = Value::Object(kept);
    kept.sort_all_objects();
    serde_json::to_string_pretty(&kept).unwrap_or_default() + "\n"
}

fn unusable(why: &str) -> ListError {
    ListError(format!("its definition {why}"))
}
