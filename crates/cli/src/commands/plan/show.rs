//! `steersman plan show [--session SID] [--json]`

use dispatch::plan::Standing;
use serde_json::{Value, json};

use super::{drawing, which};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;

/// Draw the plan: what is done, active, ready, waiting, forbidden
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session, or the beginning of its id; without it the last one at work that has a plan
    #[arg(long, value_name = "SID")]
    session: Option<String>,
    /// Print JSON: {session, path, complete, nodes: [{id, description, status, ready, waitsFor, …}]}
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let Some(found) = which::find(place, args.session.as_deref())? else { return Ok(Exit::No) };
    let current = match found.plan {
        Ok(current) => current,
        Err(problems) => {
            which::complain(&problems);
            return Ok(Exit::No);
        }
    };
    let root = place.workspace.root();
    let path = current.path.below(root).map_or_else(|_| current.path.to_string(), |below| below.to_string());
    if args.json {
        let plan = json!({
            "session": found.session.map(|session| session.to_string()),
            "path": path,
            "complete": current.standing.is_complete(),
            "nodes": nodes(&current.standing),
        });
        output::json(&plan)?;
    } else {
        drawing::draw(found.session, &path, &current.standing);
    }
    Ok(Exit::Fine)
}

fn nodes(standing: &Standing) -> Vec<Value> {
    let node = |node: &dispatch::plan::Node| {
        let waits: Vec<&str> = standing.missing(node).map(|other| other.id.as_str()).collect();
        let tools: Vec<&str> = node.tool_words().collect();
        json!({
            "id": node.id, "description": node.description, "status": standing.status(node).as_str(),
            "ready": standing.is_ready(node), "waitsFor": waits, "dependencies": node.dependencies,
            "tools": tools, "scope": node.scopes(), "reason": node.reason, "validations": node.validations,
        })
    };
    standing.graph.nodes.iter().map(node).collect()
}
