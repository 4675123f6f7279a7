//! `steersman ask deny ID [--reason TEXT]`

use asks::Answer;

use crate::commands::Place;
use crate::exit::Exit;

/// Refuse a call that waits for your decision
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The id of the ask, or its first digits
    id: String,
    /// Tell the model why
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    super::answer(place, &args.id, &Answer::Deny { reason: args.reason.clone() })
}
