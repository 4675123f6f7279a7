//! `steersman mcp pins [check|accept]`

use std::time::Duration;

use dispatch::modules::shell_guard::{DefinedServer, Disk, defined_servers};
use host::Host;
use store::{McpPins, PinState};

use super::super::Place;
use super::tool_changes::{Comparison, compare};
use crate::exit::Exit;
use crate::output::text::{counted, one_line, visible};
use crate::output::{self, print};
use crate::{environment, person};

/// The time limit for a server: a first start may download a package.
const ANSWER_TIMEOUT: Duration = Duration::from_mins(1);

/// Compare the MCP servers that agent programs would load here with the ones you accepted
///
/// steersman asks before the first call of a server whose definition (program, arguments, names of variables, address) is
/// new or has changed. This command also starts each server that you accepted, or calls its address, and shows the tools
/// whose description or parameters changed. Only a person may accept.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Show new and changed servers and tools; exits with 1 if there are any (the default)
    Check,
    /// Accept all servers and their tools as they are
    Accept,
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let accepts = matches!(args.action, Some(Action::Accept));
    if accepts && let Some(exit) = person::refusal(place, "mcp pins accept") {
        return Ok(exit);
    }
    let user_state = place.user_state()?;
    let mut pins = McpPins::load(user_state)?;
    let servers = servers(place);
    if servers.is_empty() {
        output::note("no agent program would load an MCP server here");
        return Ok(Exit::Fine);
    }
    let mut is_same = true;
    for server in &servers {
        let state = pins.state(&server.key, &server.definition);
        print(format_args!("{} {} ({})", sign(state), one_line(&server.name), server.file));
        if state != PinState::Accepted {
            print(format_args!("    {}", one_line(&server.identity)));
        }
        is_same &= state == PinState::Accepted;
        // A program that the user has not accepted runs only with the user's consent.
        if state == PinState::Accepted || accepts {
            is_same &= compare_tools(server, &mut pins, accepts, place);
        }
        if accepts {
            pins.accept(server.key.clone(), &server.definition);
        }
    }
    if accepts {
        pins.save(user_state)?;
        output::note(&format!("accepted {} MCP servers as they are", servers.len()));
        return Ok(Exit::Fine);
    }
    if !is_same {
        output::hint("check each program above, then run `steersman mcp pins accept`");
    }
    Ok(if is_same { Exit::Fine } else { Exit::No })
}

/// Returns the servers that any agent program would load in this workspace, each once.
pub(in crate::commands) fn servers(place: &Place) -> Vec<DefinedServer> {
    let home = environment::home();
    let mut servers: Vec<DefinedServer> = Vec::new();
    for host in Host::ALL {
        for server in defined_servers(host, place.workspace.root(), home.as_ref(), &Disk) {
            if !servers.iter().any(|known| known.key == server.key) {
                servers.push(server);
            }
        }
    }
    servers
}

fn sign(state: PinState) -> &'static str {
    match state {
        PinState::Accepted => "accepted",
        PinState::Changed => "changed ",
        PinState::New => "new     ",
    }
}

/// Shows the tools that differ from the accepted ones, and records them if the user accepts. Returns whether none
/// differs.
fn compare_tools(server: &DefinedServer, pins: &mut McpPins, accepts: bool, place: &Place) -> bool {
    match compare(server, pins, place, ANSWER_TIMEOUT) {
        Comparison::Same => true,
        Comparison::NotListed(why) => {
            print(format_args!("    tools not compared: {}", one_line(&why)));
            true
        }
        Comparison::NeverListed(tools) => {
            let names: Vec<&str> = tools.keys().map(String::as_str).collect();
            let n_tools = counted(names.len(), "tool", "tools");
            print(format_args!("    {n_tools}: {}", one_line(&names.join(", "))));
            if accepts {
                pins.accept_tools(server.key.clone(), tools);
            }
            false
        }
        Comparison::Changed(tools, changes) => {
            for change in changes {
                print(format_args!("    tool `{}`:", one_line(&change.name)));
                for line in change.diff.lines() {
                    print(format_args!("      {}", visible(line)));
                }
            }
            if accepts {
                pins.accept_tools(server.key.clone(), tools);
            }
            false
        }
    }
}
