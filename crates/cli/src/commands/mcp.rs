//! `steersman mcp`

pub(super) mod pins;
pub(super) mod tool_changes;

use super::Place;
use crate::exit::Exit;

/// Serve the intents to an agent over MCP, or pin other servers
///
/// Agent programs start this command after it is registered with them under the name `steersman`. It stops at
/// the end of its input or at Ctrl-C.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Pins(pins::Args),
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    match &args.command {
        Some(Command::Pins(args)) => pins::run(args, place),
        None => {
            mcp::serve(place.workspace.clone())?;
            Ok(Exit::Fine)
        }
    }
}
