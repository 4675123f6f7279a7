//! `steersman intent select ID [--json]`
//!
//! With `--json`: the intent as in `intent show --json`.

use intent::{IntentId, Selection, WorkspaceIntents};

use super::show::id;
use super::{error_output, to_json};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;
use crate::person;

/// Select the intent of sessions that select none themselves
///
/// A PENDING intent becomes `IN_PROGRESS`. COMPLETED and BLOCKED intents cannot be selected.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The intent
    #[arg(value_parser = id)]
    id: IntentId,
    /// Print JSON: the intent as in `intent show --json`
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    if let Some(exit) = person::refusal(place, "intent select") {
        return Ok(exit);
    }
    let intents = match error_output::read(place)? {
        Ok(intents) => intents,
        Err(exit) => return Ok(exit),
    };
    if intents.get(&args.id).is_none() {
        return Ok(error_output::unknown(&args.id, &intents));
    }
    let intent = match WorkspaceIntents::of(&place.workspace).take_up(&args.id) {
        Ok(intent) => intent,
        Err(error) => return error_output::not_changed(error),
    };
    let selection = Selection::new(intent.id.clone(), store::now());
    selection.write(&place.workspace)?;
    person::changed_intents(place);
    person::changed_selection(place);
    if args.json {
        output::json(&to_json(&intent, Some(&selection)))?;
    } else {
        let name = output::text::one_line(&intent.name);
        output::note(&format!("✓ {} ({name}) is selected for this workspace", intent.id));
        output::note("  it applies from the next tool call of every session that selected none itself");
    }
    Ok(Exit::Fine)
}
