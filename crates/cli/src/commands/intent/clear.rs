//! `steersman intent clear [--json]`
//!
//! With `--json`: `{"cleared": true or false}`.

use intent::Selection;
use serde_json::json;

use crate::commands::Place;
use crate::exit::Exit;
use crate::output;

/// Select no intent for this workspace
///
/// Sessions that have selected an intent themselves keep it.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print JSON: {"cleared": true or false}
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let cleared = Selection::clear(&place.workspace)?;
    if args.json {
        output::json(&json!({"cleared": cleared}))?;
    } else if cleared {
        output::note("✓ no intent is selected for this workspace any more");
    } else {
        output::note("no intent was selected for this workspace");
    }
    Ok(Exit::Fine)
}
