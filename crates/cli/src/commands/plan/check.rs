//! `steersman plan check [NODE…] [--session SID] [--timeout SECONDS] [--yes] [--json]`

use std::time::Duration;

use anyhow::Context;
use config_file::nearest;
use plan::{Node, NodeStatus, PlanProgress, ValidationResult};
use project_config::Config;
use runner::Cancel;
use serde_json::json;
use store::{ScriptFiles, Trust};

use super::lookup;
use crate::acceptance::AcceptanceRunner;
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::{self, print, text};

/// Run the validations of plan nodes
///
/// Only this command and the gate `doneGate` run a plan's validations, and only those that `steersman trust` has listed,
/// confined to the workspace. It records the results in
/// the session's journal. Exits with 1 if a validation fails or must not run.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The nodes [default: all active nodes]
    nodes: Vec<String>,
    /// The session, or the first characters of its id [default: the latest session with a plan]
    #[arg(long, value_name = "SID")]
    session: Option<String>,
    /// The time limit of each validation
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: u64,
    /// Also run commands that the shell guard would ask about
    #[arg(long)]
    yes: bool,
    /// Print JSON: [{node, validation, result: passed|failed|timed-out|read|skipped|refused, message}]
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let Some(found) = lookup::find(place, args.session.as_deref())? else { return Ok(Exit::No) };
    let progress = match found.plan {
        Ok(current) => current.progress,
        Err(problems) => {
            lookup::print_problems(&problems);
            return Ok(Exit::No);
        }
    };
    let Some(nodes) = chosen(args, &progress) else { return Ok(Exit::No) };
    if !args.json && nodes.iter().all(|node| node.validations.is_empty()) {
        note_none(&nodes);
        return Ok(Exit::Fine);
    }
    let trust = Trust::load(place.user_state()?)?;
    if !trust.covers(place.workspace.root(), &ScriptFiles::read(&place.workspace)?.fingerprint()) {
        output::error("cannot run the validations: this workspace is not trusted");
        output::hint("review the validations with `steersman plan show --json`, then run `steersman trust`");
        return Ok(Exit::No);
    }
    let is_new = |it: &&String| !trust.covers_validation(place.workspace.root(), it);
    let untrusted: Vec<&String> = nodes.iter().flat_map(|node| &node.validations).filter(is_new).collect();
    if !untrusted.is_empty() {
        output::error("cannot run validations that you have not trusted:");
        for command in untrusted {
            output::note(&format!("  {}", text::one_line(command)));
        }
        output::hint("review them, then run `steersman trust`");
        return Ok(Exit::No);
    }
    let cancel = Cancel::new();
    let stop = cancel.clone();
    ctrlc::set_handler(move || stop.cancel()).context("cannot install the handler for Ctrl-C")?;
    let config = Config::load(&place.workspace)?;
    let user_state = place.user_state.clone();
    let runner = AcceptanceRunner::new(&place.workspace, user_state, &config, cancel.clone(), args.yes);
    let timeout = Duration::from_secs(args.timeout);
    let mut results = Vec::new();
    let mut checked = Vec::new();
    let mut holds = true;
    for (node, validation) in nodes.iter().flat_map(|node| node.validations.iter().map(move |it| (node, it)))
    {
        if cancel.is_cancelled() {
            holds = false;
            break;
        }
        let checked_one = runner.check(validation, None, timeout);
        let result = checked_one.outcome;
        holds &= result.holds();
        if !args.json {
            print(format_args!("{:8} {}: {}", result.name(), node.id, text::one_line(validation)));
            for line in checked_one.message.lines() {
                print(format_args!("         {}", text::visible(line)));
            }
        }
        checked.push(ValidationResult {
            node: node.id.clone(),
            validation: validation.clone(),
            result: result.name(),
            holds: result.holds(),
        });
        results.push(json!({
            "node": node.id, "validation": validation, "result": result.name(), "message": checked_one.message,
        }));
    }
    if let Some(session) = found.session.filter(|_| !checked.is_empty())
        && let Err(error) = plan::record_validations(&place.workspace, session, &checked)
    {
        output::error(&format!("cannot record the results in the journal of session {session}: {error}"));
    }
    if args.json {
        output::json(&results)?;
    } else if holds {
        output::note(
            "all validations passed; run `steersman plan mark NODE complete` to mark a node as complete",
        );
    }
    Ok(if holds { Exit::Fine } else { Exit::No })
}

/// Reports that there is nothing to run.
fn note_none(nodes: &[&Node]) {
    let ids: Vec<String> =
        nodes.iter().take(5).map(|node| format!("`{}`", text::one_line(&node.id))).collect();
    let verb = if nodes.len() == 1 { "has" } else { "have" };
    output::note(&format!("{} {verb} no validations", ids.join(", ")));
    output::hint(
        "add commands as `validations` of a node; `steersman schema plan-graph` prints the file's schema",
    );
}

/// Returns the nodes to check. Reports an unknown node, or that no node is active, and returns `None`.
fn chosen<'a>(args: &Args, progress: &'a PlanProgress) -> Option<Vec<&'a Node>> {
    if args.nodes.is_empty() {
        let is_active = |node: &&Node| progress.status(node) == NodeStatus::Active;
        let active: Vec<&Node> = progress.graph.nodes.iter().filter(is_active).collect();
        if active.is_empty() {
            output::error("no node is active");
            output::hint("pass the nodes to check; `steersman plan show` lists them");
            return None;
        }
        return Some(active);
    }
    let mut nodes = Vec::new();
    for id in &args.nodes {
        let Some(node) = progress.node(id) else {
            output::error(&format!("the plan has no node `{id}`"));
            match nearest(id, progress.graph.nodes.iter().map(|node| node.id.as_str())) {
                Some(meant) => output::hint(&format!("did you mean `{meant}`?")),
                None => output::hint("run `steersman plan show` for the nodes"),
            }
            return None;
        };
        nodes.push(node);
    }
    Some(nodes)
}
