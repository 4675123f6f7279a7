//! `steersman stop [SID] [--reason TEXT]`

use anyhow::Context;

use super::{Place, session};
use crate::exit::Exit;
use crate::output;

/// End an agent's turn: deny its calls until the next prompt
///
/// Agent programs that can end a turn do so at the next call (Claude Code, Gemini CLI, VS Code) or after the running one
/// (Codex). In the others steersman denies every call of the turn, with the reason.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session, or the first characters of its id; by default the one with the latest event
    sid: Option<String>,
    /// Record why
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let Some(id) = session::find_or_latest(place, args.sid.as_deref())? else { return Ok(Exit::No) };
    let turn = ::session::hold::end_turn(&place.workspace, id, args.reason.as_deref())
        .with_context(|| format!("cannot end the turn of session {id}"))?;
    output::note(&format!(
        "turn {turn} of session {id} ends at its next tool call; the next prompt starts a new one"
    ));
    Ok(Exit::Fine)
}
