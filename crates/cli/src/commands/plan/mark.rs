//! `steersman plan mark NODE STATUS [--session SID] [--json]`

use config_file::nearest;
use event::SessionId;
use plan::{MarkError, Marked, NodeStatus};
use serde_json::json;

use super::lookup;
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;

/// Set the status of a plan node
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The id of the node
    node: String,
    /// pending, active, complete, forbidden or denied
    #[arg(value_parser = status)]
    status: NodeStatus,
    /// The session, or the first characters of its id [default: the latest session with a plan]
    #[arg(long, value_name = "SID")]
    session: Option<String>,
    /// Print JSON: {session, node, from, to}
    #[arg(long)]
    json: bool,
}

fn print_mark(args: &Args, session: SessionId, marked: &Marked, sentence: &str) -> anyhow::Result<()> {
    if args.json {
        return output::json(&json!({
            "session": session.to_string(), "node": args.node,
            "from": marked.from.as_str(), "to": marked.to.as_str(),
        }));
    }
    output::note(&format!("{sentence} (session {session})"));
    Ok(())
}

fn status(word: &str) -> Result<NodeStatus, String> {
    let words = NodeStatus::ALL.map(NodeStatus::as_str);
    NodeStatus::parse(word).ok_or_else(|| format!("expected one of {}", words.join(", ")))
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let Some(found) = lookup::find(place, args.session.as_deref())? else { return Ok(Exit::No) };
    let Some(session) = found.session else {
        output::error("cannot mark a node: no session uses this plan yet");
        return Ok(Exit::No);
    };
    match plan::mark(&place.workspace, session, found.configured.as_deref(), &args.node, args.status) {
        Ok(marked) if marked.from == marked.to => {
            print_mark(args, session, &marked, &format!("`{}` is already {}", args.node, marked.to))?;
        }
        Ok(marked) => {
            let sentence = format!("`{}`: {} → {}", args.node, marked.from, marked.to);
            print_mark(args, session, &marked, &sentence)?;
        }
        Err(error @ MarkError::Session(_)) => return Err(error.into()),
        Err(error) => {
            output::error(&error.to_string());
            match (&error, &found.plan) {
                (MarkError::NoNode(id), Ok(current)) => {
                    let ids = current.progress.graph.nodes.iter().map(|node| node.id.as_str());
                    match nearest(id, ids) {
                        Some(meant) => output::hint(&format!("did you mean `{meant}`?")),
                        None => output::hint("run `steersman plan show` for the nodes"),
                    }
                }
                (MarkError::Waits { .. }, _) => output::hint("mark these nodes as complete first"),
                _ => {}
            }
            return Ok(Exit::No);
        }
    }
    Ok(Exit::Fine)
}
