//! Decides quickly whether a plan is valid, for the plan that every call reads.
//!
//! `check` reports the problems and their places, which takes several times as long. A property test compares the
//! two.

use crate::PlanGraph;
use crate::glob::bad_glob;
use crate::node_id::bad_id;

/// Returns whether a plan has no problem.
pub(super) fn is_valid(graph: &PlanGraph) -> bool {
    let Some(order) = nodes_by_id(graph) else { return false };
    let each = graph.nodes.iter().all(|node| {
        let is_named = !node.id.trim().is_empty() && bad_id(&node.id).is_none();
        is_named
            && !node.description.trim().is_empty()
            && node.scopes().iter().all(|glob| bad_glob(glob).is_none())
    });
    each && graph.version.is_none_or(|version| version <= PlanGraph::FORMAT.0)
        && !graph.nodes.is_empty()
        && is_acyclic(graph, &order)
}

/// Returns the indexes of the nodes in the order of their ids; `None` if two have the same id.
fn nodes_by_id(graph: &PlanGraph) -> Option<Vec<usize>> {
    let id = |index: &usize| graph.nodes[*index].id.as_str();
    let mut order: Vec<usize> = (0..graph.nodes.len()).collect();
    order.sort_unstable_by_key(id);
    let is_twice = order.windows(2).any(|pair| id(&pair[0]) == id(&pair[1]));
    (!is_twice).then_some(order)
}

/// Returns whether every dependency is a node and the dependencies have no cycle.
fn is_acyclic(graph: &PlanGraph, order: &[usize]) -> bool {
    let place = |id: &String| {
        let found = order.binary_search_by_key(&id.as_str(), |index| graph.nodes[*index].id.as_str());
        found.ok().map(|at| order[at])
    };
    let n_nodes = graph.nodes.len();
    let mut waits_for = vec![0; n_nodes];
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); n_nodes];
    for (index, node) in graph.nodes.iter().enumerate() {
        for dependency in &node.dependencies {
            let Some(first) = place(dependency) else { return false };
            waits_for[index] += 1;
            waiting[first].push(index);
        }
    }
    // Removing nodes without open dependencies, again and again, leaves the cycles.
    let mut ready: Vec<usize> = (0..n_nodes).filter(|index| waits_for[*index] == 0).collect();
    let mut n_left = n_nodes;
    while let Some(done) = ready.pop() {
        n_left -= 1;
        for index in &waiting[done] {
            waits_for[*index] -= 1;
            if waits_for[*index] == 0 {
                ready.push(*index);
            }
        }
    }
    n_left == 0
}
