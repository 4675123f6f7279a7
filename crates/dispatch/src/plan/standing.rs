//! Where the nodes of a plan stand now.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::{Node, NodeStatus, PlanGraph};

/// A plan and what became of its nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The plan as it was accepted.
    pub graph: PlanGraph,
    marks: Map<String, Value>,
    /// Where each node stands in the plan, by its id: plans may have thousands.
    places: HashMap<String, usize>,
}

impl Standing {
    /// Returns a plan with what the state's section `plan` says of its nodes.
    pub fn new(graph: PlanGraph, plan: &Map<String, Value>) -> Self {
        let marks = plan.get("nodes").and_then(Value::as_object).cloned().unwrap_or_default();
        let places = graph.nodes.iter().enumerate().map(|(place, node)| (node.id.clone(), place)).collect();
        Self { graph, marks, places }
    }

    /// Returns where a node stands: as marked since, else as planned.
    pub fn status(&self, node: &Node) -> NodeStatus {
        let mark = self.marks.get(&node.id).and_then(Value::as_str);
        mark.and_then(NodeStatus::parse).unwrap_or(node.status)
    }

    /// Returns the node of this id.
    pub fn node(&self, id: &str) -> Option<&Node> {
        self.graph.nodes.get(*self.places.get(id)?)
    }

    /// Returns the nodes that have to be complete first and are not.
    pub fn missing<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = &'a Node> {
        let dependencies = node.dependencies.iter().filter_map(|id| self.node(id));
        dependencies.filter(|other| self.status(other) != NodeStatus::Complete)
    }

    /// Whether a node may be worked on. What waits for a node that is not here, of a large plan that was
    /// read in part, is not among the nodes that anybody asked for.
    pub fn is_ready(&self, node: &Node) -> bool {
        let complete =
            |id: &String| self.node(id).is_some_and(|other| self.status(other) == NodeStatus::Complete);
        !self.status(node).is_shut() && node.dependencies.iter().all(complete)
    }

    /// Whether nothing is left to do: what must not be done does not count.
    pub fn is_complete(&self) -> bool {
        let mut open = self.graph.nodes.iter().map(|node| self.status(node));
        open.all(|status| status == NodeStatus::Complete || status.is_shut())
    }

    /// Returns the patch of the state that marks a node.
    pub fn patch(id: &str, status: NodeStatus) -> Map<String, Value> {
        let marks = Map::from_iter([(id.to_owned(), Value::from(status.as_str()))]);
        Map::from_iter([("plan".to_owned(), json!({"nodes": marks}))])
    }
}

/// Returns the patch of the state's section `plan` with which the work on a plan is over: the next
/// piece of work has none, or begins the project's own anew.
pub(crate) fn over() -> Value {
    json!({"currentPath": null, "hash": null, "mtime": null, "agentId": null, "nodes": null})
}
