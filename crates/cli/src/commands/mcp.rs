//! `steersman mcp`

use super::Place;
use crate::exit::Exit;

/// Serve the intents of this workspace to an agent over MCP, on stdin and stdout
///
/// Agent programs start it once it is registered with them as `steersman mcp`, under the name
/// `steersman`. It ends with its input, or with Ctrl-C.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_args: &Args, place: &Place) -> anyhow::Result<Exit> {
    mcp::serve(place.workspace.clone())?;
    Ok(Exit::Fine)
}
