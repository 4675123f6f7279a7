//! `steersman intent clear [--json]`
//!
//! With `--json`: `{"cleared": true or false}`.

use intent::Selection;
use serde_json::json;

use crate::commands::Place;
use crate::exit::Exit;
use crate::output;
use crate::person;

/// Deselect the intent of this workspace
///
/// Sessions that selected an intent themselves keep it.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print JSON: {"cleared": true or false}
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    if let Some(exit) = person::refusal(place, "intent clear") {
        return Ok(exit);
    }
    let cleared = Selection::clear(&place.workspace)?;
    person::changed_selection(place);
    if args.json {
        output::json(&json!({"cleared": cleared}))?;
    } else if cleared {
        output::note("✓ deselected the intent of this workspace");
    } else {
        output::note("this workspace had no selected intent");
    }
    Ok(Exit::Fine)
}
