//! `steersman mcp`

use super::Place;
use crate::exit::Exit;

/// Serve the intents of this workspace to an agent over MCP (stdin and stdout)
///
/// Agent programs start this command after it is registered with them under the name `steersman`. It stops at
/// the end of its input or at Ctrl-C.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_args: &Args, place: &Place) -> anyhow::Result<Exit> {
    mcp::serve(place.workspace.clone())?;
    Ok(Exit::Fine)
}
