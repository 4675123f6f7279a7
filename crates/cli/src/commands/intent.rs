//! `steersman intent`: the declared work of agents and the files they may write for it.

mod changed_folders;
mod check;
mod clear;
mod effective_intent;
mod error_output;
mod expand;
mod list;
mod new;
mod pin;
mod preview;
mod select;
mod show;
mod status;

use ::intent::{Intent, Selection};
use serde_json::{Value, json};

pub(crate) use show::id;

use super::group::command_group;

command_group! {
    /// Manage the declared work of agents and the files it may write
    fn run {
        List => list,
        Show => show,
        New => new,
        Select => select,
        Clear => clear,
        Status => status,
        Check => check,
        Preview => preview,
        Expand => expand,
        Pin => pin,
    }
}

pub(crate) use changed_folders::changed_folders;
pub(crate) use new::create as create_intent;

/// Returns an intent as JSON.
fn to_json(intent: &Intent, selection: Option<&Selection>) -> Value {
    json!({
        "id": intent.id.as_str(),
        "name": intent.name,
        "description": intent.description,
        "status": intent.status.as_str(),
        "selected": selection.is_some_and(|selection| selection.intent_id == intent.id),
        "ownedScope": intent.owned_scope,
        "constraints": intent.constraints,
        "acceptanceCriteria": intent.acceptance_criteria,
        "metadata": intent.metadata,
    })
}
