//! Refuses commands that only a person may run, if an agent may have started them.

use session::person::{self, NotAPerson, PersonChanges, PinRecord};

use crate::commands::Place;
use crate::exit::Exit;
use crate::output;
use crate::secret_prompt;

/// Returns the exit code of a refusal, which it prints and records. Returns `None` if a person asks, or gives the PIN
/// in a terminal that an agent shares.
pub(crate) fn refusal(place: &Place, command: &str) -> Option<Exit> {
    let refusal = person::check(&place.workspace, place.user_state.as_ref()).err()?;
    if refusal.may_be_answered() && gives_pin(place, command) {
        return None;
    }
    Some(refused(place, command, &refusal))
}

/// Like [`refusal`], for commands that a PIN does not unlock.
pub(crate) fn refusal_without_pin(place: &Place, command: &str) -> Option<Exit> {
    let refusal = person::check(&place.workspace, place.user_state.as_ref()).err()?;
    Some(refused(place, command, &refusal))
}

/// Like [`refusal`], for what a person also does in a terminal that an agent shares, and whose effect is reported: only a
/// program beneath an agent program is refused.
pub(crate) fn refusal_beneath_agent(place: &Place, command: &str) -> Option<Exit> {
    let refusal = person::check(&place.workspace, place.user_state.as_ref()).err()?;
    matches!(refusal, NotAPerson::BeneathHost { .. }).then(|| refused(place, command, &refusal))
}

/// Asks for the PIN, if one is set and someone sits at the terminal. Returns whether it is right.
fn gives_pin(place: &Place, command: &str) -> bool {
    let Some(user_state) = &place.user_state else { return false };
    let Some(record) = PinRecord::read(user_state) else { return false };
    let Ok(Some(pin)) = secret_prompt::ask(&format!("PIN for `steersman {command}`: ")) else { return false };
    let result = record.check(user_state, &pin);
    person::record_pin(&place.workspace, command, &result);
    if let Err(error) = &result {
        output::error(&error.to_string());
    }
    result.is_ok()
}

fn refused(place: &Place, command: &str, refusal: &NotAPerson) -> Exit {
    person::record_refusal(&place.workspace, command, refusal);
    output::error(&format!("cannot run `steersman {command}`: {refusal}"));
    output::hint(refusal.hint());
    Exit::No
}

/// Records that a person changed the intents file.
pub(crate) fn changed_intents(place: &Place) {
    if let Some(user_state) = &place.user_state {
        PersonChanges::record_intents(&place.workspace, user_state);
    }
}

/// Records that a person selected an intent, or none.
pub(crate) fn changed_selection(place: &Place) {
    if let Some(user_state) = &place.user_state {
        PersonChanges::record_selection(&place.workspace, user_state);
    }
}
