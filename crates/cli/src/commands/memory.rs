//! `steersman memory`: the lessons from sessions, and the memories made from them.

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

/// List the lessons from sessions, and keep or drop them
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
        // An invalid file is for the user to correct; the disk is in order.
        Some(FileError::Content { .. } | FileError::Format { .. }) => {
            output::error_chain(&error);
            Ok(Exit::No)
        }
        _ => Err(error),
    })
}
