//! The current status of a plan's nodes.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use crate::{Node, NodeStatus, PlanGraph};

/// A plan and the status of its nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanProgress {
    /// The plan as it was accepted.
    pub graph: PlanGraph,
    marks: Map<String, Value>,
    /// The index of each node in the plan, by its id: plans may have thousands.
    places: HashMap<String, usize>,
}

impl PlanProgress {
    /// Returns a plan with the marks from the state's section `plan`.
    pub fn new(graph: PlanGraph, plan: &Map<String, Value>) -> Self {
        let marks = plan.get("nodes").and_then(Value::as_object).cloned().unwrap_or_default();
        let places = graph.nodes.iter().enumerate().map(|(place, node)| (node.id.clone(), place)).collect();
        Self { graph, marks, places }
    }

    /// Returns the status of a node: its mark, else the planned one.
    pub fn status(&self, node: &Node) -> NodeStatus {
        let mark = self.marks.get(&node.id).and_then(Value::as_str);
        mark.and_then(NodeStatus::parse).unwrap_or(node.status)
    }

    /// Returns the node of this id.
    pub fn node(&self, id: &str) -> Option<&Node> {
        self.graph.nodes.get(*self.places.get(id)?)
    }

    /// Returns the dependencies that are not complete.
    pub fn missing<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = &'a Node> {
        let dependencies = node.dependencies.iter().filter_map(|id| self.node(id));
        dependencies.filter(|other| self.status(other) != NodeStatus::Complete)
    }

    /// Returns whether work on a node may start. Returns `false` if a dependency is not loaded: of a large plan
    /// only the nodes of a call are.
    pub fn is_ready(&self, node: &Node) -> bool {
        let complete =
            |id: &String| self.node(id).is_some_and(|other| self.status(other) == NodeStatus::Complete);
        !self.status(node).is_shut() && node.dependencies.iter().all(complete)
    }

    /// Returns whether every node is complete, not counting forbidden and denied ones.
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

/// Returns the patch of the state's section `plan` that ends the work on a plan: the next piece of work has none, or
/// restarts the project's own.
pub fn cleared() -> Value {
    json!({"currentPath": null, "hash": null, "mtime": null, "agentId": null, "nodes": null})
}
