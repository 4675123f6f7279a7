//! The arrows of the picture.

use std::collections::BTreeMap;

use crate::definition::Definition;

/// An arrow from one agent to another, or to the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// Where it begins.
    pub from: String,
    /// Where it ends; `complete` is the end of all.
    pub to: String,
    /// When it is gone along.
    pub kind: EdgeKind,
}

/// When an arrow is gone along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EdgeKind {
    /// After success.
    Success,
    /// After failure.
    Failure,
    /// When the agent may not run again.
    MaxIterations,
    /// When this holds for what the agent said.
    Custom(String),
}

impl EdgeKind {
    /// Returns the words beside the arrow.
    pub fn label(&self) -> &str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::MaxIterations => "max iterations",
            Self::Custom(condition) => condition,
        }
    }
}

/// Returns every arrow, agent by agent. That an agent tries again after failure when its
/// file does not say otherwise is not drawn.
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
