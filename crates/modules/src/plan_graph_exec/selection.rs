//! Selects the nodes of a large plan that a call needs.
//!
//! INVARIANT: these nodes and their dependencies give the same ruling as the whole plan: the nodes of the call, the node
//! that narrows a search, and the ready nodes.

use event::{ToolCall, ToolKind};
use plan::{NodeLine, NodeStatus};

use super::call_targets;
use super::judge::{MOST_NEXT, covers};
use crate::Context;

/// Returns the indexes of the needed nodes; `statuses` has the status of each node.
pub(super) fn of(
    context: &Context<'_>,
    call: &ToolCall,
    nodes: &[NodeLine<'_>],
    statuses: &[NodeStatus],
) -> Vec<usize> {
    let targets = call_targets::of(context, call);
    let paths: Vec<&str> = targets.iter().filter_map(|target| target.path.as_deref()).collect();
    let has_unknown = targets.iter().any(|target| target.path.is_none());
    let command = call.command.as_ref().map_or("", |command| command.text.as_str());
    // A `steersman plan` command may name any node.
    let names_nodes = command.contains("plan");
    let names_tool = |word: &str| word == "*" || word == call.name || word == call.kind.as_str();
    let fits_tools = |node: &NodeLine<'_>| {
        let mut tools = node.tools().peekable();
        tools.peek().is_none() || tools.any(names_tool)
    };
    let has_scope = |node: &NodeLine<'_>| node.scopes().next().is_some();
    let is_ready = |at: usize| {
        let complete = |place: usize| statuses.get(place) == Some(&NodeStatus::Complete);
        !statuses[at].is_shut() && nodes[at].dependencies().all(complete)
    };
    let mut chosen = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        let in_scope = || node.scopes().any(|scope| paths.iter().any(|path| covers(scope, path)));
        let is_unbound = !has_scope(node) || statuses[at] == NodeStatus::Active;
        // If the files of a call are unknown, a node that names its tool matches.
        let by_tools = is_unbound && fits_tools(node) || has_unknown && node.tools().any(names_tool);
        if by_tools || in_scope() || names_nodes && command.contains(node.id) {
            chosen.push(at);
        }
    }
    let open = |at: &usize| statuses[*at] != NodeStatus::Complete && is_ready(*at);
    chosen.extend((0..nodes.len()).filter(open).take(MOST_NEXT));
    if call.kind == ToolKind::Search {
        let could_be_meant = |at: &usize| {
            statuses[*at] == NodeStatus::Pending && has_scope(&nodes[*at]) && fits_tools(&nodes[*at])
        };
        // Two suffice to know that the match is not unique.
        chosen.extend((0..nodes.len()).filter(|at| could_be_meant(at) && is_ready(*at)).take(2));
    }
    chosen
}
