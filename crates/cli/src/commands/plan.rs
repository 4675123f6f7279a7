//! `steersman plan`: the plan of a session, the status of its nodes, and their validations.

mod check;
mod lookup;
mod mark;
mod plan_tree;
mod show;
mod validator;

use clap::Subcommand;

use super::Place;
use crate::exit::Exit;

/// Show the plan of a session, set the status of its nodes, run its validations
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Show(show::Args),
    Mark(mark::Args),
    Check(check::Args),
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    match &args.verb {
        Verb::Show(args) => show::run(args, place),
        Verb::Mark(args) => mark::run(args, place),
        Verb::Check(args) => check::run(args, place),
    }
}
