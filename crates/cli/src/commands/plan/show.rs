//! `steersman plan show [--session SID] [--json]`

use plan::{CurrentPlan, PlanProgress};
use serde_json::{Value, json};

use super::{lookup, plan_tree};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;

/// Draw the plan with the status of each node
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session, or the first characters of its id [default: the latest session with a plan]
    #[arg(long, value_name = "SID")]
    session: Option<String>,
    /// Print JSON: {session, path, complete, nodes: [{id, description, status, ready, waitsFor, …}]}
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let Some(found) = lookup::find(place, args.session.as_deref())? else { return Ok(Exit::No) };
    let current = match found.plan {
        Ok(current) => current,
        Err(problems) => {
            lookup::print_problems(&problems);
            return Ok(Exit::No);
        }
    };
    let path = path_of(&current, place);
    if args.json {
        let plan = json!({
            "session": found.session.map(|session| session.to_string()),
            "path": path,
            "complete": current.progress.is_complete(),
            "nodes": nodes(&current.progress),
        });
        output::json(&plan)?;
    } else {
        plan_tree::draw(found.session, &path, &current.progress);
    }
    Ok(Exit::Fine)
}

/// Returns the path of the plan, relative to the workspace if it is in it.
pub(super) fn path_of(current: &CurrentPlan, place: &Place) -> String {
    let root = place.workspace.root();
    current.path.below(root).map_or_else(|_| current.path.to_string(), |below| below.to_string())
}

fn nodes(progress: &PlanProgress) -> Vec<Value> {
    let node = |node: &plan::Node| {
        let waits: Vec<&str> = progress.missing(node).map(|other| other.id.as_str()).collect();
        let tools: Vec<&str> = node.tool_words().collect();
        json!({
            "id": node.id, "description": node.description, "status": progress.status(node).as_str(),
            "ready": progress.is_ready(node), "waitsFor": waits, "dependencies": node.dependencies,
            "tools": tools, "scope": node.scopes(), "reason": node.reason, "validations": node.validations,
        })
    };
    progress.graph.nodes.iter().map(node).collect()
}
