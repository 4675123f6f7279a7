//! Refuses what only a person may do if an agent may have started the command.

use session::person;

use crate::commands::Place;
use crate::exit::Exit;
use crate::output;

/// Returns the exit code of a refusal, which it prints and records. Returns `None` if a person asks.
pub(crate) fn refusal(place: &Place, command: &str) -> Option<Exit> {
    let refusal = person::check(&place.workspace, place.user_state.as_ref()).err()?;
    person::record_refusal(&place.workspace, command, &refusal);
    output::error(&format!("cannot run `steersman {command}`: {refusal}"));
    output::hint(refusal.hint());
    Some(Exit::No)
}
