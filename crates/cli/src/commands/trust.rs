//! `steersman trust`

use store::{Trust, scripts_fingerprint};

use super::Place;
use crate::exit::Exit;
use crate::output;

/// Allow this workspace's own scripts to run, as they are now
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let user_state = place.user_state()?;
    let scripts = scripts_fingerprint(&place.workspace)?;
    let mut trust = Trust::load(user_state)?;
    let root = place.workspace.root();
    if trust.covers(root, &scripts) {
        output::note(&format!("{root} is trusted already, and nothing in it has changed"));
        return Ok(Exit::Fine);
    }
    trust.grant(root, &scripts, store::now());
    trust.save(user_state)?;
    output::note(&format!("{root} is trusted as it is now; a change of its scripts has to be trusted anew"));
    Ok(Exit::Fine)
}
