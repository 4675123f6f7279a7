//! The open nodes of the plan at the end of a turn.

use plan::NodeStatus;
use serde::Serialize;

use crate::Context;
use crate::modules::plan_graph_exec;

/// A node that is not complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct OpenNode {
    /// Its id in the plan.
    pub(super) id: String,
    /// Its task.
    pub(super) description: String,
    /// `pending`, `active`, `forbidden` or `denied`.
    pub(super) status: String,
}

/// Returns the open nodes of the plan in force, except forbidden ones; empty without a plan or with an unreadable one.
pub(super) fn open(context: &Context<'_>) -> Vec<OpenNode> {
    let Ok(Some(progress)) = plan_graph_exec::plan_of(context) else { return Vec::new() };
    let nodes = progress.graph.nodes.iter().map(|node| (node, progress.status(node)));
    let open = nodes.filter(|(_, status)| *status != NodeStatus::Complete && !status.is_shut());
    open.map(|(node, status)| OpenNode {
        id: node.id.clone(),
        description: node.description.clone(),
        status: status.as_str().to_owned(),
    })
    .collect()
}
