//! `steersman ask allow ID [--session]`

use asks::{Answer, Scope};

use crate::commands::Place;
use crate::exit::Exit;

/// Let a call run that waits for your decision
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The id of the ask, or its first digits
    id: String,
    /// Also let the same call run later in this session: the same command in the same folder, or the same tool and path
    #[arg(long)]
    session: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let scope = if args.session { Scope::Session } else { Scope::Once };
    super::answer(place, &args.id, &Answer::Allow { scope })
}
