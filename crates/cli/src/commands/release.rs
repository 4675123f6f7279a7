//! `steersman release [SID | --all]`

use ::session::history::overviews;
use anyhow::Context;
use event::SessionId;
use store::HoldOfAll;

use super::{Place, session};
use crate::exit::Exit;
use crate::{output, person};

/// Release a held agent
///
/// Without a session, releases the only one that is held. Only a person may do this.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session, or the first characters of its id
    #[arg(conflicts_with = "all")]
    sid: Option<String>,
    /// Every session of this workspace, and those that start later
    #[arg(long)]
    all: bool,
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    if let Some(exit) = person::refusal(place, "release") {
        return Ok(exit);
    }
    if args.all {
        return release_all(place);
    }
    let id = match &args.sid {
        Some(named) => session::find(place, named)?,
        None => only_held(place)?,
    };
    let Some(id) = id else { return Ok(Exit::No) };
    let is_held_with_all = order_about_all(place).is_some();
    if !release(place, id)? && !is_held_with_all {
        output::error(&format!("session {id} is not held"));
        return Ok(Exit::No);
    }
    output::note(&format!("released: session {id}"));
    Ok(Exit::Fine)
}

fn release_all(place: &Place) -> anyhow::Result<Exit> {
    let was_held = HoldOfAll::remove(&place.workspace, place.user_state()?)
        .context("cannot remove the order to hold all sessions")?;
    let held = held_sessions(place)?;
    for id in &held {
        release(place, *id)?;
    }
    if !was_held && held.is_empty() {
        output::error("no session of this workspace is held");
        return Ok(Exit::No);
    }
    output::note(&format!("released: every session of {}", place.workspace.root()));
    Ok(Exit::Fine)
}

fn release(place: &Place, id: SessionId) -> anyhow::Result<bool> {
    let whose = (&place.workspace, place.user_state.as_ref());
    ::session::hold::release(whose, id).with_context(|| format!("cannot release session {id}"))
}

/// Returns the only held session. Reports if none or several are, and returns `None`.
fn only_held(place: &Place) -> anyhow::Result<Option<SessionId>> {
    let held = held_sessions(place)?;
    match held.as_slice() {
        [id] => return Ok(Some(*id)),
        [] if order_about_all(place).is_some() => {
            output::error("every session of this workspace is held");
            output::hint("run `steersman release --all`, or name one session");
        }
        [] => output::error("no session of this workspace is held"),
        several => {
            let ids: Vec<_> = several.iter().map(ToString::to_string).collect();
            output::error(&format!("several sessions are held: {}", ids.join(", ")));
            output::hint("name one of them, or pass `--all`");
        }
    }
    Ok(None)
}

fn held_sessions(place: &Place) -> anyhow::Result<Vec<SessionId>> {
    let sessions = overviews(&place.workspace).context("cannot list the sessions")?;
    let has_record = |id: SessionId| {
        let state = place.user_state.as_ref();
        state.is_some_and(|state| HoldOfAll::load_one(&place.workspace, id, state).is_some())
    };
    let held = sessions.iter().filter(|session| session.hold.is_in_force() || has_record(session.id));
    Ok(held.map(|session| session.id).collect())
}

fn order_about_all(place: &Place) -> Option<HoldOfAll> {
    HoldOfAll::load(&place.workspace, place.user_state.as_ref()?)
}
