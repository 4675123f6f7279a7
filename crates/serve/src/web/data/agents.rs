//! Fills the page about agents.

use agent::registry::Snapshot;
use page::view::{AgentRow, Agents};
use serde_json::Value;

use super::super::Web;
use crate::registry_file;

/// Returns the agents of the registry that the server keeps.
pub(in crate::web) fn agents(web: &Web) -> Agents {
    let now = store::now();
    let snapshot = Snapshot::of(&registry_file::read(&web.workspace), now);
    let row = |it: agent::registry::EntryRecord| {
        let field = |name: &str| it.schema.as_ref().and_then(|schema| schema.get(name)).cloned();
        let tools = field("tools").and_then(|it| it.as_array().cloned());
        AgentRow {
            tools: tools.map(|all| all.iter().filter_map(Value::as_str).map(str::to_owned).collect()),
            model: field("model").and_then(|it| it.as_str().map(str::to_owned)),
            source: it.source_path.or(it.extension_id).unwrap_or(it.source),
            id: it.id,
            name: it.display_name,
            description: it.description,
            available: it.available,
            unavailable_reason: it.unavailable_reason,
        }
    };
    Agents { ts: now.as_millis(), agents: snapshot.agents.into_iter().map(row).collect() }
}
