//! `steersman session unblock SID`

use session::Unblocked;

use super::lookup;
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;
use crate::person;

/// Unblock a session: the work resumes in the interrupted phase
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session, or the first characters of its id
    sid: String,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    if let Some(exit) = person::refusal(place, "session unblock") {
        return Ok(exit);
    }
    let Some(id) = lookup::find(place, &args.sid)? else { return Ok(Exit::No) };
    match session::unblock(&place.workspace, id)? {
        Unblocked::Lifted(phase) => {
            output::note(&format!("{id} is no longer blocked; the work is {phase} again"));
            Ok(Exit::Fine)
        }
        Unblocked::NotBlocked(phase) => {
            output::error(&format!("{id} is not blocked; the work is {phase}"));
            Ok(Exit::No)
        }
    }
}
