//! `steersman mcp pins [check|accept]`

use dispatch::modules::shell_guard::{DefinedServer, Disk, defined_servers};
use host::Host;
use similar::TextDiff;
use store::{McpPins, PinState};

use super::super::Place;
use super::tool_list::{Listed, list_tools};
use crate::environment;
use crate::exit::Exit;
use crate::output::{self, print};

/// Compare the MCP servers that agent programs would load here with the ones you accepted
///
/// steersman asks before the first call of a server whose definition (program, arguments, names of variables, address) is
/// new or has changed. This command also starts each server that a JSON file defines and compares its tools.
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
    let user_state = place.user_state()?;
    let mut pins = McpPins::load(user_state)?;
    let servers = servers(place);
    if servers.is_empty() {
        output::note("no agent program would load an MCP server here");
        return Ok(Exit::Fine);
    }
    let accepts = matches!(args.action, Some(Action::Accept));
    let mut is_same = true;
    for server in &servers {
        let state = pins.state(&server.key, &server.definition);
        print(format_args!("{} {} ({})", sign(state), server.name, server.file));
        if state != PinState::Accepted {
            print(format_args!("    {}", server.identity.trim().replace('\n', "\n    ")));
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

/// Starts a server, shows the tools that differ from the accepted ones, and records them if the user accepts. Returns
/// whether none differs.
fn compare_tools(server: &DefinedServer, pins: &mut McpPins, accepts: bool, place: &Place) -> bool {
    let tools = match list_tools(server, place.workspace.root()) {
        Listed::Tools(tools) => tools,
        Listed::NotStarted(why) => {
            print(format_args!("    tools not compared: {why}"));
            return true;
        }
    };
    let known = pins.tools(&server.key).cloned();
    let mut is_same = true;
    if let Some(known) = &known {
        let names = known.keys().chain(tools.keys().filter(|name| !known.contains_key(*name)));
        for name in names {
            let (before, after) = (known.get(name), tools.get(name));
            if before == after {
                continue;
            }
            is_same = false;
            print(format_args!("    tool `{name}`:"));
            let (before, after) = (before.map_or("", String::as_str), after.map_or("", String::as_str));
            for line in
                TextDiff::from_lines(before, after).unified_diff().context_radius(1).to_string().lines()
            {
                print(format_args!("      {line}"));
            }
        }
    }
    if accepts || known.is_none() && pins.state(&server.key, &server.definition) == PinState::Accepted {
        if known.is_none() && !accepts {
            print(format_args!("    {} tools, not accepted yet", tools.len()));
            return false;
        }
        pins.accept_tools(server.key.clone(), tools);
    }
    is_same
}
