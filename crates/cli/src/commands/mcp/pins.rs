//! `steersman mcp pins [check|accept]`

use std::time::Duration;

use host::Host;
use modules::shell_guard::{DefinedServer, Disk, UserSettings, defined_servers};
use serde_json::{Value, json};
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
///
/// Keys of --json: same, servers [{name, file, definition, state, tools {state, names, changes [{tool, diff}], reason}}].
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
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
    if servers.is_empty() && !args.json {
        output::note("no agent program would load an MCP server here");
        return Ok(Exit::Fine);
    }
    let mut is_same = true;
    let mut shown = Vec::new();
    for server in &servers {
        let state = pins.state(&server.key, &server.definition);
        is_same &= state == PinState::Accepted;
        // A program that the user has not accepted runs only with the user's consent.
        let is_asked = state == PinState::Accepted || accepts;
        let comparison = is_asked.then(|| compare(server, &pins, place, ANSWER_TIMEOUT));
        is_same &= comparison.as_ref().is_none_or(Comparison::is_same);
        if args.json {
            shown.push(as_json(server, state, comparison.as_ref()));
        } else {
            print_server(server, state, comparison.as_ref());
        }
        if accepts {
            pins.accept(server.key.clone(), &server.definition);
            if let Some(Comparison::NeverListed(tools) | Comparison::Changed(tools, _)) = comparison {
                pins.accept_tools(server.key.clone(), tools);
            }
        }
    }
    if accepts {
        pins.save(user_state)?;
    }
    if args.json {
        output::json(&json!({"same": is_same, "servers": shown}))?;
    } else if accepts {
        output::note(&format!("accepted {} MCP servers as they are", servers.len()));
    } else if !is_same {
        output::hint("check each program above, then run `steersman mcp pins accept`");
    }
    Ok(if is_same || accepts { Exit::Fine } else { Exit::No })
}

/// Returns the servers that any agent program would load in this workspace, each once.
pub(in crate::commands) fn servers(place: &Place) -> Vec<DefinedServer> {
    let (home, moved) = (environment::home(), environment::moved_settings());
    let user = UserSettings { home: home.as_ref(), moved: &moved };
    let mut servers: Vec<DefinedServer> = Vec::new();
    for host in Host::ALL {
        for server in defined_servers(host, place.workspace.root(), user, &Disk) {
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

/// Prints a server and the tools that differ from the accepted ones.
fn print_server(server: &DefinedServer, state: PinState, comparison: Option<&Comparison>) {
    print(format_args!("{} {} ({})", sign(state), one_line(&server.name), server.file));
    if state != PinState::Accepted {
        print(format_args!("    {}", one_line(&server.identity)));
    }
    match comparison {
        None | Some(Comparison::Same) => {}
        Some(Comparison::NotListed(why)) => {
            print(format_args!("    tools not compared: {}", one_line(why)));
        }
        Some(Comparison::NeverListed(tools)) => {
            let names: Vec<&str> = tools.keys().map(String::as_str).collect();
            let n_tools = counted(names.len(), "tool", "tools");
            print(format_args!("    {n_tools}: {}", one_line(&names.join(", "))));
        }
        Some(Comparison::Changed(_, changes)) => {
            for change in changes {
                print(format_args!("    tool `{}`:", one_line(&change.name)));
                for line in change.diff.lines() {
                    print(format_args!("      {}", visible(line)));
                }
            }
        }
    }
}

/// Returns a server and its tools for a program to read.
fn as_json(server: &DefinedServer, state: PinState, comparison: Option<&Comparison>) -> Value {
    let tools = match comparison {
        None => json!({"state": "not-asked"}),
        Some(Comparison::Same) => json!({"state": "accepted"}),
        Some(Comparison::NotListed(why)) => json!({"state": "not-compared", "reason": why}),
        Some(Comparison::NeverListed(tools)) => {
            json!({"state": "new", "names": tools.keys().collect::<Vec<_>>()})
        }
        Some(Comparison::Changed(tools, changes)) => {
            let changes: Vec<Value> =
                changes.iter().map(|change| json!({"tool": change.name, "diff": change.diff})).collect();
            json!({"state": "changed", "names": tools.keys().collect::<Vec<_>>(), "changes": changes})
        }
    };
    json!({
        "name": server.name,
        "file": server.file.clone(),
        "definition": server.identity,
        "state": sign(state).trim_end(),
        "tools": tools,
    })
}
