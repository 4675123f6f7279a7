//! The nodes of the plan that are not complete when a turn ends.

use std::fs;

use serde::{Deserialize, Serialize};

use crate::Context;

/// A plan is never larger than this; what is, is something else.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// A node that is not complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct OpenNode {
    /// Its id in the plan.
    pub(super) id: String,
    /// What is to be done.
    pub(super) description: String,
    /// `pending`, `active`, `forbidden` or `denied`.
    pub(super) status: String,
}

/// What is read of a plan. Whether it is right is `plan-subagent-contract`'s business.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PlanWire {
    nodes: Vec<NodeWire>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct NodeWire {
    id: String,
    description: String,
    status: Option<String>,
}

/// Returns the open nodes of the accepted plan; none without one.
pub(super) fn open(context: &Context<'_>) -> Vec<OpenNode> {
    let path = context.state.plan.get("currentPath").and_then(|path| path.as_str());
    let Some(path) = path.map(|path| context.workspace.root().join(path)) else { return Vec::new() };
    let is_ours = path.below(context.workspace.root()).is_ok();
    let is_small = fs::metadata(path.as_path()).is_ok_and(|meta| meta.is_file() && meta.len() <= MOST_BYTES);
    if !is_ours || !is_small {
        return Vec::new();
    }
    let text = fs::read(path.as_path()).unwrap_or_default();
    let plan: PlanWire = serde_json::from_slice(&text).unwrap_or_default();
    let nodes = plan.nodes.into_iter().map(|node| OpenNode {
        id: node.id,
        description: node.description,
        status: node.status.unwrap_or_else(|| "pending".to_owned()),
    });
    nodes.filter(|node| node.status != "complete").collect()
}
