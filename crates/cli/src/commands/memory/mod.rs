//! `steersman memory …`: the lessons that sessions taught, and what a person makes of them.

mod accept;
mod drop;
mod list;
mod lookup;
mod show;

use clap::Subcommand;
use store::FileError;

use super::Place;
use crate::exit::Exit;
use crate::output;

/// Look at what sessions taught, and keep or drop it
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    List(list::Args),
    Show(show::Args),
    Accept(accept::Args),
    Drop(drop::Args),
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let done = match &args.verb {
        Verb::List(args) => list::run(args, place),
        Verb::Show(args) => show::run(args, place),
        Verb::Accept(args) => accept::run(args, place),
        Verb::Drop(args) => drop::run(args, place),
    };
    done.or_else(|error| match error.downcast_ref::<FileError>() {
        // A file with a mistake in it is for the person to mend; the disk is in order.
        Some(FileError::Content { .. } | FileError::Format { .. }) => {
            output::error(&error);
            Ok(Exit::No)
        }
        _ => Err(error),
    })
}
