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

/// Lists what `steersman trust` covers besides files: the validations of the plan in force, each once, and how a person is
/// notified of asks.
pub(crate) fn validations(place: &Place) -> Vec<String> {
    let mut all: BTreeSet<String> = BTreeSet::new();
    if let Ok(Some(lookup::Found { plan: Ok(current), .. })) = lookup::search(place, None) {
        all.extend(current.progress.graph.nodes.into_iter().flat_map(|node| node.validations));
    }
    all.into_iter().chain(super::ask::to_trust(place)).collect()
}

command_group! {
    /// Show a session's plan, mark its nodes, run its validations
    fn run {
        Show => show,
        Mark => mark,
        Check => check,
    }
}
