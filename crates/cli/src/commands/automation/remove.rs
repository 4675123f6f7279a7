//! `steersman automation remove ID [--json]`

use automation::config::remove;

use super::definition_change::{ChangeArgs, Verb, declaring_file};
use crate::commands::Place;
use crate::exit::Exit;

/// Remove an automation from its file
///
/// Comments and the layout of the rest stay. Writes nothing if the file would be invalid, for example because another
/// automation depends on it. The others keep your trust.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The id of the automation
    id: String,
    #[command(flatten)]
    change: ChangeArgs,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    if let Some(exit) = args.change.refusal(Verb::Remove, place)? {
        return Ok(exit);
    }
    let file = match declaring_file(&args.id, &args.change, place)? {
        Ok(file) => file,
        Err(exit) => return Ok(exit),
    };
    args.change.carry_out(Verb::Remove, (file, &args.id), place, |text| {
        remove(text.unwrap_or_default(), &args.id).map_err(|error| error.to_string())
    })
}
