//! `steersman trace`: which intent wrote which lines, according to the trace.

mod anchor;
mod blame;
mod export;
mod filter;
mod journals;
mod log;
mod provenance;
mod records;
mod stats;
mod verify;

use clap::Subcommand;

use super::Place;
use crate::exit::Exit;

/// Show which intent wrote which lines, when and in which session
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Log(log::Args),
    Blame(blame::Args),
    Verify(verify::Args),
    Anchor(anchor::Args),
    Stats(stats::Args),
    Export(export::Args),
}

pub(crate) use provenance::sessions_of_uncommitted_lines;

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    match &args.verb {
        Verb::Log(args) => log::run(args, place),
        Verb::Blame(args) => blame::run(args, place),
        Verb::Verify(args) => verify::run(args, place),
        Verb::Anchor(args) => anchor::run(args, place),
        Verb::Stats(args) => stats::run(args, place),
        Verb::Export(args) => export::run(args, place),
    }
}
