//! `steersman intent pin [--remove]`

use session::person::{PinRecord, check_pin_length};

use crate::commands::Place;
use crate::exit::Exit;
use crate::output;
use crate::person;
use crate::secret_prompt;

/// Set a PIN for the commands that only a person may run, in terminals that an agent shares
///
/// In the terminals of VS Code and Cursor steersman cannot tell you from the agent. With a PIN it asks for
/// it there. Set it in a separate terminal.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Remove the PIN
    #[arg(long)]
    remove: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    // A PIN does not help here: an agent that sees it typed once could set another.
    if let Some(exit) = person::refusal_without_pin(place, "intent pin") {
        return Ok(exit);
    }
    let user_state = place.user_state()?;
    if args.remove {
        let was_set = PinRecord::remove(user_state)?;
        output::note(if was_set { "✓ removed the PIN" } else { "no PIN was set" });
        return Ok(Exit::Fine);
    }
    let (Some(pin), Some(again)) = (secret_prompt::ask("new PIN: ")?, secret_prompt::ask("again: ")?) else {
        output::error("cannot ask for a PIN: the standard input is not a terminal");
        output::hint("run the command in a terminal");
        return Ok(Exit::No);
    };
    if pin != again {
        output::error("the two PINs differ");
        return Ok(Exit::No);
    }
    if let Err(error) = check_pin_length(&pin) {
        output::error(&error.to_string());
        return Ok(Exit::No);
    }
    PinRecord::set(user_state, &pin)?;
    output::note("✓ steersman asks for this PIN in terminals that an agent shares");
    Ok(Exit::Fine)
}
