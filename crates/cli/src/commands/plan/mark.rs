//! `steersman plan mark NODE STATUS [--session SID] [--json]`

use config_file::nearest;
use dispatch::Config;
use dispatch::plan::{self, MarkError, Marked, NodeStatus};
use event::SessionId;
use serde_json::json;

use super::which;
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;

/// Say where a node of the plan stands
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The node's id
    node: String,
    /// pending, active, complete, forbidden or denied
    #[arg(value_parser = status)]
    status: NodeStatus,
    /// The session, or the beginning of its id; without it the last one at work that has a plan
    #[arg(long, value_name = "SID")]
    session: Option<String>,
    /// Print JSON: {session, node, from, to}
    #[arg(long)]
    json: bool,
}

fn say(args: &Args, session: SessionId, marked: &Marked, told: &str) -> anyhow::Result<()> {
    if args.json {
        return output::json(&json!({
            "session": session.to_string(), "node": args.node,
            "from": marked.from.as_str(), "to": marked.to.as_str(),
        }));
    }
    output::note(&format!("{told} (session {session})"));
    Ok(())
}

fn status(word: &str) -> Result<NodeStatus, String> {
    let words = NodeStatus::ALL.map(NodeStatus::as_str);
    NodeStatus::parse(word).ok_or_else(|| format!("it is one of {}", words.join(", ")))
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let Some(found) = which::find(place, args.session.as_deref())? else { return Ok(Exit::No) };
    let Some(session) = found.session else {
        output::complain("no session works by this plan yet, so there is nothing to mark");
        return Ok(Exit::No);
    };
    let config = Config::load(&place.workspace)?;
    match plan::mark(&place.workspace, session, &config, &args.node, args.status) {
        Ok(marked) if marked.from == marked.to => {
            say(args, session, &marked, &format!("`{}` is {} already", args.node, marked.to))?;
        }
        Ok(marked) => {
            let told = format!("`{}`: {} → {}", args.node, marked.from, marked.to);
            say(args, session, &marked, &told)?;
        }
        Err(error @ MarkError::Session(_)) => return Err(error.into()),
        Err(error) => {
            output::complain(&error.to_string());
            match (&error, &found.plan) {
                (MarkError::NoNode(id), Ok(current)) => {
                    let ids = current.standing.graph.nodes.iter().map(|node| node.id.as_str());
                    match nearest(id, ids) {
                        Some(meant) => output::hint(&format!("did you mean `{meant}`?")),
                        None => output::hint("`steersman plan show` lists the nodes"),
                    }
                }
                (MarkError::Waits { .. }, _) => output::hint("mark those complete first"),
                _ => {}
            }
            return Ok(Exit::No);
        }
    }
    Ok(Exit::Fine)
}
