//! `steersman intent status ID STATUS [--json]`
//!
//! With `--json`: the intent as in `intent show --json`.

use intent::{IntentId, Selection, Status, WorkspaceIntents};

use super::show::id;
use super::{error_output, to_json};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;
use crate::person;

/// Change the status of an intent
///
/// PENDING becomes `IN_PROGRESS`, `IN_PROGRESS` becomes COMPLETED or BLOCKED, BLOCKED becomes `IN_PROGRESS`
/// again. Keeps comments, order and layout of the file.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The intent
    #[arg(value_parser = id)]
    id: IntentId,
    /// PENDING, `IN_PROGRESS`, COMPLETED or BLOCKED
    #[arg(value_parser = parse)]
    status: Status,
    /// Print JSON: the intent as in `intent show --json`
    #[arg(long)]
    json: bool,
}

/// Parses a status as users type it.
fn parse(word: &str) -> Result<Status, String> {
    let plain = word.to_uppercase().replace([' ', '-'], "_");
    Status::parse(&plain).ok_or_else(|| {
        let all: Vec<&str> = Status::ALL.iter().map(|status| status.as_str()).collect();
        format!("expected one of {}", all.join(", "))
    })
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    if let Some(exit) = person::refusal(place, "intent status") {
        return Ok(exit);
    }
    let intents = match error_output::read(place)? {
        Ok(intents) => intents,
        Err(exit) => return Ok(exit),
    };
    let Some(before) = intents.get(&args.id) else { return Ok(error_output::unknown(&args.id, &intents)) };
    if let Err(no_such_step) = before.status.step(args.status) {
        output::error(&format!("{}: {no_such_step}", args.id));
        if let [first, ..] = no_such_step.from.next() {
            output::hint(&format!("the next possible step is `steersman intent status {} {first}`", args.id));
        } else {
            output::hint("add a new intent for more work");
        }
        return Ok(Exit::No);
    }
    let (intent, before) = match WorkspaceIntents::of(&place.workspace).set_status(&args.id, args.status) {
        Ok(changed) => changed,
        Err(error) => return error_output::not_changed(error),
    };
    person::changed_intents(place);
    let selection = error_output::selection(place);
    if args.json {
        output::json(&to_json(&intent, selection.as_ref()))?;
        return Ok(Exit::Fine);
    }
    if before == intent.status {
        output::note(&format!("{} is already {}", intent.id, intent.status));
    } else {
        output::note(&format!("✓ {} changed from {before} to {}", intent.id, intent.status));
    }
    note_selected(&intent.id, intent.status, selection.as_ref());
    Ok(Exit::Fine)
}

fn note_selected(id: &IntentId, status: Status, selection: Option<&Selection>) {
    if selection.is_some_and(|selection| selection.intent_id == *id) && !status.can_be_selected() {
        output::note("  it is still selected for this workspace, but agents can no longer write under it");
        output::hint(
            "select another with `steersman intent select ID`, or none with `steersman intent clear`",
        );
    }
}
