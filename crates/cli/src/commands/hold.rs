//! `steersman hold [SID | --all] [--after N] [--reason TEXT]`

use anyhow::Context;
use store::HoldOfAll;

use super::{Place, session};
use crate::exit::Exit;
use crate::output;

/// Deny every further tool call of a session until `release`
///
/// Without a session, holds the one with the latest event. It takes effect at the agent's next call, in every agent program.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session, or the first characters of its id
    #[arg(conflicts_with = "all")]
    sid: Option<String>,
    /// Every session of this workspace, also those that start later
    #[arg(long)]
    all: bool,
    /// Let N more calls pass first
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=::session::hold::MAX_CALLS))]
    after: u64,
    /// Tell the agent why
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let reason = args.reason.as_deref();
    let when = match args.after {
        0 => String::new(),
        1 => " after one more call".to_owned(),
        n => format!(" after {n} more calls"),
    };
    if args.all {
        let order = HoldOfAll::new(store::now().as_millis(), args.after, reason);
        order.save(&place.workspace, place.user_state()?).context("cannot hold all sessions")?;
        output::note(&format!("held{when}: every session of {}", place.workspace.root()));
        output::hint("run `steersman release --all` to let them continue");
        return Ok(Exit::Fine);
    }
    let Some(id) = session::find_or_latest(place, args.sid.as_deref())? else { return Ok(Exit::No) };
    ::session::hold::hold((&place.workspace, place.user_state.as_ref()), id, args.after, reason)
        .with_context(|| format!("cannot hold session {id}"))?;
    output::note(&format!("held{when}: session {id}"));
    output::hint(&format!("run `steersman release {id}` to let it continue"));
    Ok(Exit::Fine)
}
