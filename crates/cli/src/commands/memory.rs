//! `steersman memory`: the lessons from sessions, and the memories made from them.

mod accept;
mod drop;
mod list;
mod lookup;
mod show;

use store::FileError;

use super::Place;
use super::group::command_group;
use crate::exit::Exit;
use crate::output;

command_group! {
    /// List the lessons from sessions, and keep or drop them
    fn run_verb {
        List => list,
        Show => show,
        Accept => accept,
        Drop => drop,
    }
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    run_verb(args, place).or_else(|error| match error.downcast_ref::<FileError>() {
        // An invalid file is for the user to correct; the disk is in order.
        Some(FileError::Content { .. } | FileError::Format { .. }) => {
            output::error_chain(&error);
            Ok(Exit::No)
        }
        _ => Err(error),
    })
}
