//! The nodes of the plan that are not complete when a turn ends.

use serde::Serialize;

use crate::Context;
use crate::modules::plan_graph_exec;
use crate::plan::NodeStatus;

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

/// Returns the open nodes of the plan in force; none without one, or with one that cannot be read.
/// What must not be done is not open.
pub(super) fn open(context: &Context<'_>) -> Vec<OpenNode> {
    let Ok(Some(standing)) = plan_graph_exec::plan_of(context) else { return Vec::new() };
    let nodes = standing.graph.nodes.iter().map(|node| (node, standing.status(node)));
    let open = nodes.filter(|(_, status)| *status != NodeStatus::Complete && !status.is_shut());
    open.map(|(node, status)| OpenNode {
        id: node.id.clone(),
        description: node.description.clone(),
        status: status.as_str().to_owned(),
    })
    .collect()
}
