//! `steersman intent`: the declared work of agents and the files they may write for it.

mod check;
mod clear;
mod effective_intent;
mod error_output;
mod expand;
mod list;
mod new;
mod select;
mod show;
mod status;

use ::intent::{Intent, Selection};
use clap::Subcommand;
use serde_json::{Value, json};

pub(crate) use show::id;

use super::Place;
use crate::exit::Exit;

/// Manage the work that agents may do and the files they may write for it
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    List(list::Args),
    Show(show::Args),
    New(new::Args),
    Select(select::Args),
    Clear(clear::Args),
    Status(status::Args),
    Check(check::Args),
    Expand(expand::Args),
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    match &args.verb {
        Verb::List(args) => list::run(args, place),
        Verb::Show(args) => show::run(args, place),
        Verb::New(args) => new::run(args, place),
        Verb::Select(args) => select::run(args, place),
        Verb::Clear(args) => clear::run(args, place),
        Verb::Status(args) => status::run(args, place),
        Verb::Check(args) => check::run(args, place),
        Verb::Expand(args) => expand::run(args, place),
    }
}

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
