//! `steersman shell`: the effects of command lines, and the guard's verdict on them.

mod answer;
mod batch;
mod explain;
mod reading_view;
mod rules;
mod tree;

pub(crate) use explain::recorded as read_recorded;

use super::Place;
use crate::exit::Exit;

/// Explain command lines, and list the guard's rules
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
