//! `steersman intent select ID [--json]`
//!
//! With `--json`: the intent as `intent show --json` has it.

use intent::{IntentId, Selection, WorkspaceIntents};

use super::show::id;
use super::{refusal, wire};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;

/// Choose the intent of sessions that have selected none themselves
///
/// One that is PENDING is `IN_PROGRESS` from then on. One that is COMPLETED or BLOCKED cannot be
/// selected.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The intent
    #[arg(value_parser = id)]
    id: IntentId,
    /// Print JSON: the intent as `intent show --json` has it
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let intents = match refusal::read(place)? {
        Ok(intents) => intents,
        Err(exit) => return Ok(exit),
    };
    if intents.get(&args.id).is_none() {
        return Ok(refusal::unknown(&args.id, &intents));
    }
    let intent = match WorkspaceIntents::of(&place.workspace).take_up(&args.id) {
        Ok(intent) => intent,
        Err(error) => return refusal::not_changed(error),
    };
    let selection = Selection::new(intent.id.clone(), store::now());
    selection.write(&place.workspace)?;
    if args.json {
        output::json(&wire::intent(&intent, Some(&selection)))?;
    } else {
        let name = output::text::one_line(&intent.name);
        output::note(&format!("✓ {} ({name}) is selected for this workspace", intent.id));
        output::note("  it applies to the next tool call of every session that has selected none itself");
    }
    Ok(Exit::Fine)
}
