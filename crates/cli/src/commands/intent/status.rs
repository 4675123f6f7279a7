//! `steersman intent status ID STATUS [--json]`
//!
//! With `--json`: the intent as `intent show --json` has it.

use intent::{IntentId, Selection, Status, WorkspaceIntents};

use super::show::id;
use super::{refusal, wire};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;

/// Put an intent into another state
///
/// PENDING becomes `IN_PROGRESS`, `IN_PROGRESS` becomes COMPLETED or BLOCKED, BLOCKED becomes
/// `IN_PROGRESS` again. Comments, order and layout of the file stay.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The intent
    #[arg(value_parser = id)]
    id: IntentId,
    /// PENDING, `IN_PROGRESS`, COMPLETED or BLOCKED
    #[arg(value_parser = parse)]
    status: Status,
    /// Print JSON: the intent as `intent show --json` has it
    #[arg(long)]
    json: bool,
}

/// Reads a state as people type it.
fn parse(word: &str) -> Result<Status, String> {
    let plain = word.to_uppercase().replace([' ', '-'], "_");
    Status::parse(&plain).ok_or_else(|| {
        let all: Vec<&str> = Status::ALL.iter().map(|status| status.as_str()).collect();
        format!("it is one of {}", all.join(", "))
    })
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let intents = match refusal::read(place)? {
        Ok(intents) => intents,
        Err(exit) => return Ok(exit),
    };
    let Some(before) = intents.get(&args.id) else { return Ok(refusal::unknown(&args.id, &intents)) };
    if let Err(no_such_step) = before.status.step(args.status) {
        output::complain(&format!("{}: {no_such_step}", args.id));
        if let [first, ..] = no_such_step.from.next() {
            output::hint(&format!("`steersman intent status {} {first}` is a step from there", args.id));
        } else {
            output::hint("what is done stays done: add a new intent for more work");
        }
        return Ok(Exit::No);
    }
    let (intent, before) = match WorkspaceIntents::of(&place.workspace).set_status(&args.id, args.status) {
        Ok(changed) => changed,
        Err(error) => return refusal::not_changed(error),
    };
    let selection = refusal::selection(place);
    if args.json {
        output::json(&wire::intent(&intent, selection.as_ref()))?;
        return Ok(Exit::Fine);
    }
    if before == intent.status {
        output::note(&format!("{} is {} already", intent.id, intent.status));
    } else {
        output::note(&format!("✓ {} was {before} and is {} now", intent.id, intent.status));
    }
    say_selected(&intent.id, intent.status, selection.as_ref());
    Ok(Exit::Fine)
}

fn say_selected(id: &IntentId, status: Status, selection: Option<&Selection>) {
    if selection.is_some_and(|selection| selection.intent_id == *id) && !status.can_be_selected() {
        output::note(
            "  it is still selected for this workspace, where agents can write nothing under it now",
        );
        output::hint("`steersman intent select ID` selects another, `steersman intent clear` none");
    }
}
