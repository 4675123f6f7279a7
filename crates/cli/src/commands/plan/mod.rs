//! `steersman plan …`: the plan of a session, how far it has come, and what tells that it is done.

mod check;
mod drawing;
mod mark;
mod show;
mod validation;
mod which;

use clap::Subcommand;

use super::Place;
use crate::exit::Exit;

/// Look at the plan of a session, say how far it has come, check what is done
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
