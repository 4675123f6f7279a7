//! `steersman shell`: what command lines do, and what the guard says about them.

mod answer;
mod batch;
mod explain;
mod rules;
mod tree;

use super::Place;
use crate::exit::Exit;

/// What a command line will run, read, write and delete, and what the guard says
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Explain(explain::Args),
    Rules(rules::Args),
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    match &args.command {
        Command::Explain(args) => explain::run(args, place),
        Command::Rules(args) => Ok(rules::run(args)),
    }
}
