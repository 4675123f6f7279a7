//! `steersman untrust`

use store::Trust;

use super::Place;
use crate::exit::Exit;
use crate::output;
use crate::person;

/// Forbid this workspace's scripts, automations and agents to run
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_args: &Args, place: &Place) -> anyhow::Result<Exit> {
    // An agent that could withdraw the trust would switch off the modules and the acceptance commands that hold it.
    if let Some(exit) = person::refusal_beneath_agent(place, "untrust") {
        return Ok(exit);
    }
    let user_state = place.user_state()?;
    let root = place.workspace.root();
    if Trust::change(user_state, |trust| Ok(trust.revoke(user_state, root)))? {
        output::note(&format!(
            "{root} is no longer trusted: steersman skips its scripts and runs none of its automations and agents"
        ));
    } else {
        output::note(&format!("{root} was not trusted"));
    }
    Ok(Exit::Fine)
}
