//! `steersman session unblock SID`

use dispatch::Unblocked;

use super::which;
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;

/// Lift the block of a session: the work goes on in the phase the block interrupted
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session, or the beginning of its id
    sid: String,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let Some(id) = which::find(place, &args.sid)? else { return Ok(Exit::No) };
    match dispatch::unblock(&place.workspace, id)? {
        Unblocked::Lifted(phase) => {
            output::note(&format!("{id} is no longer blocked; the work is {phase} again"));
            Ok(Exit::Fine)
        }
        Unblocked::NotBlocked(phase) => {
            output::complain(&format!("{id} is not blocked; the work is {phase}"));
            Ok(Exit::No)
        }
    }
}
