//! `steersman plan`: the plan of a session, the status of its nodes, and their validations.

mod check;
mod lookup;
mod mark;
mod new;
mod plan_tree;
mod show;

use std::collections::BTreeSet;

use ::plan::PlanProgress;
use intent::WorkspaceIntents;

use super::Place;
use super::group::command_group;

/// Lists what `steersman trust` covers besides files: the validations of the plan in force and the acceptance commands
/// of all intents, each once, and how a person is
/// notified of asks.
pub(crate) fn validations(place: &Place) -> Vec<String> {
    let mut all: BTreeSet<String> = BTreeSet::new();
    if let Ok(Some(lookup::Found { plan: Ok(current), .. })) = lookup::search(place, None) {
        all.extend(current.progress.graph.nodes.into_iter().flat_map(|node| node.validations));
    }
    if let Ok(Some(file)) = WorkspaceIntents::of(&place.workspace).read() {
        let criteria = file.intents.into_iter().flat_map(|intent| intent.acceptance_criteria);
        all.extend(criteria.filter_map(|it| it.command().map(str::to_owned)));
    }
    all.into_iter().chain(super::ask::to_trust(place)).collect()
}

/// Returns the path of the plan that `plan show` shows, and its progress. Returns `None` without a plan, or if it has
/// mistakes.
pub(crate) fn in_force(place: &Place) -> Option<(String, PlanProgress)> {
    let lookup::Found { plan: Ok(current), .. } = lookup::search(place, None).ok()?? else { return None };
    Some((show::path_of(&current, place), current.progress))
}

command_group! {
    /// Write a plan, show it, mark its nodes, run its validations
    fn run {
        New => new,
        Show => show,
        Mark => mark,
        Check => check,
    }
}
