//! The edges of the transition graph.

use std::collections::BTreeMap;

use crate::definition::Definition;

/// An edge from one agent to another, or to the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// The agent it begins at.
    pub from: String,
    /// The agent it ends at; `complete` is the end of the workflow.
    pub to: String,
    /// The condition under which it is taken.
    pub kind: EdgeKind,
}

/// The condition under which an edge is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EdgeKind {
    /// After success.
    Success,
    /// After failure.
    Failure,
    /// When the iteration limit is reached.
    MaxIterations,
    /// When this condition holds for the agent's output.
    Custom(String),
}

impl EdgeKind {
    /// Returns the label of the edge.
    pub fn label(&self) -> &str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::MaxIterations => "max iterations",
            Self::Custom(condition) => condition,
        }
    }
}

/// Returns every edge, agent by agent, without the implicit retry of an agent after failure.
pub fn edges(agents: &BTreeMap<String, Definition>) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (name, definition) in agents {
        let mut add = |to: &str, kind| edges.push(Edge { from: name.clone(), to: to.to_owned(), kind });
        let transitions = &definition.transitions;
        for custom in &transitions.custom {
            add(&custom.target, EdgeKind::Custom(custom.condition.to_string()));
        }
        add(&transitions.on_success, EdgeKind::Success);
        if let Some(target) = &transitions.on_failure {
            add(target, EdgeKind::Failure);
        }
        if let Some(target) = &transitions.on_max_iterations {
            add(target, EdgeKind::MaxIterations);
        }
    }
    edges
}
