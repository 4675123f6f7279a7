//! `steersman plan check [NODE…] [--session SID] [--timeout SECONDS] [--yes] [--json]`

use std::time::Duration;

use config_file::nearest;
use dispatch::plan::{self, Checked, Node, NodeStatus, Standing};
use serde_json::json;
use store::{ScriptFiles, Trust};

use super::validation::Bench;
use super::which;
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::{self, print, text};

/// Run what tells that nodes are done: those named, else those that are active
///
/// Nothing else ever runs a plan's validations, and only a trusted workspace's are run. What came of them is
/// in the session's journal. Exits with 1 if one of them fails, or may not run.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The nodes; without any, all that are active
    nodes: Vec<String>,
    /// The session, or the beginning of its id; without it the last one at work that has a plan
    #[arg(long, value_name = "SID")]
    session: Option<String>,
    /// How long each validation may take
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: u64,
    /// Run also what the shell guard would ask about
    #[arg(long)]
    yes: bool,
    /// Print JSON: [{node, validation, result: passed|failed|read|skipped|refused, told}]
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let Some(found) = which::find(place, args.session.as_deref())? else { return Ok(Exit::No) };
    let standing = match found.plan {
        Ok(current) => current.standing,
        Err(problems) => {
            which::complain(&problems);
            return Ok(Exit::No);
        }
    };
    let Some(nodes) = chosen(args, &standing) else { return Ok(Exit::No) };
    let trust = Trust::load(place.user_state()?)?;
    if !trust.covers(place.workspace.root(), &ScriptFiles::read(&place.workspace)?.fingerprint()) {
        output::complain("this workspace is not trusted, so nothing of its plan is run");
        output::hint("look at the validations with `steersman plan show --json`, then run `steersman trust`");
        return Ok(Exit::No);
    }
    let bench = Bench::new(place, Duration::from_secs(args.timeout), args.yes)?;
    let mut results = Vec::new();
    let mut checked = Vec::new();
    let mut holds = true;
    for (node, validation) in nodes.iter().flat_map(|node| node.validations.iter().map(move |it| (node, it)))
    {
        if bench.is_cancelled() {
            holds = false;
            break;
        }
        let validated = bench.validate(validation)?;
        holds &= validated.holds();
        if !args.json {
            print(format_args!("{:8} {}: {}", validated.result, node.id, text::one_line(validation)));
            for line in validated.told.lines() {
                print(format_args!("         {}", text::visible(line)));
            }
        }
        checked.push(Checked {
            node: node.id.clone(),
            validation: validation.clone(),
            result: validated.result,
            holds: validated.holds(),
        });
        results.push(json!({
            "node": node.id, "validation": validation, "result": validated.result, "told": validated.told,
        }));
    }
    if let Some(session) = found.session.filter(|_| !checked.is_empty())
        && let Err(error) = plan::note_check(&place.workspace, session, &checked)
    {
        output::complain(&format!("this is not in the journal of session {session}: {error}"));
    }
    if args.json {
        output::json(&results)?;
    } else if results.is_empty() {
        let ids: Vec<String> = nodes.iter().take(5).map(|node| format!("`{}`", node.id)).collect();
        output::note(&format!("{} has no validations", ids.join(", ")));
    } else if holds {
        output::note("everything holds; `steersman plan mark NODE complete` says that a node is done");
    }
    Ok(if holds { Exit::Fine } else { Exit::No })
}

/// Returns the nodes to check; says so if there are none.
fn chosen<'a>(args: &Args, standing: &'a Standing) -> Option<Vec<&'a Node>> {
    if args.nodes.is_empty() {
        let is_active = |node: &&Node| standing.status(node) == NodeStatus::Active;
        let active: Vec<&Node> = standing.graph.nodes.iter().filter(is_active).collect();
        if active.is_empty() {
            output::complain("no node is active");
            output::hint("name the nodes to check; `steersman plan show` lists them");
            return None;
        }
        return Some(active);
    }
    let mut nodes = Vec::new();
    for id in &args.nodes {
        let Some(node) = standing.node(id) else {
            output::complain(&format!("the plan has no node `{id}`"));
            match nearest(id, standing.graph.nodes.iter().map(|node| node.id.as_str())) {
                Some(meant) => output::hint(&format!("did you mean `{meant}`?")),
                None => output::hint("`steersman plan show` lists the nodes"),
            }
            return None;
        };
        nodes.push(node);
    }
    Some(nodes)
}
