//! `steersman plan`: the plan of a session, the status of its nodes, and their validations.

mod check;
mod lookup;
mod mark;
mod plan_tree;
mod show;
mod validator;

use std::collections::BTreeSet;

use super::Place;
use super::group::command_group;

/// Lists the validations of the plan in force, each once. Returns none if no plan can be read.
pub(crate) fn validations(place: &Place) -> Vec<String> {
    let Ok(Some(lookup::Found { plan: Ok(current), .. })) = lookup::search(place, None) else {
        return Vec::new();
    };
    let nodes = current.progress.graph.nodes.iter();
    let all: BTreeSet<&String> = nodes.flat_map(|node| &node.validations).collect();
    all.into_iter().cloned().collect()
}

command_group! {
    /// Show a session's plan, mark its nodes, run its validations
    fn run {
        Show => show,
        Mark => mark,
        Check => check,
    }
}
