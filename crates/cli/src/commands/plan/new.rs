//! `steersman plan new ID=SCOPE… [--file FILE] [--any-order] [--dry-run]`

use config_file::NewerFormat;
use config_file::jsonc::{self, CstInputValue};
use event::{contract_name, plain_name};
use project_config::Config;
use serde_json::{Value, json};

use crate::change::{Change, ChangeError, Mode, Writer};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;
use crate::person;

/// Write a plan for the agents of this workspace and put it in force
///
/// Writes the file and names it in `.ai/hooks/config.json`. Each node waits for the one before it. Add descriptions,
/// validations and forbidden nodes to the file; `steersman schema plan-graph` prints its schema.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The nodes in their order: an id and the files it may change, such as `api=src/api/**` or `ui=src/ui/**,assets/**`
    #[arg(required = true, value_name = "ID=SCOPE", value_parser = node)]
    nodes: Vec<NewNode>,
    /// The plan's file in the workspace
    #[arg(long, value_name = "FILE", default_value = "docs/plan.json")]
    file: String,
    /// Let every node start at once
    #[arg(long)]
    any_order: bool,
    /// Print the changes as a diff and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// A node of the command line.
#[derive(Debug, Clone)]
struct NewNode {
    id: String,
    scope: Vec<String>,
}

fn node(word: &str) -> Result<NewNode, String> {
    let (id, scope) = word.split_once('=').ok_or("write `ID=SCOPE`, such as `api=src/api/**`")?;
    let scope: Vec<String> = scope.split(',').map(|glob| glob.trim().to_owned()).collect();
    if scope.iter().any(String::is_empty) {
        return Err("name the files of the node after `=`, such as `src/api/**`".to_owned());
    }
    Ok(NewNode { id: id.trim().to_owned(), scope })
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let place = &place.registered();
    // A file that steersman cannot read has no place for the plan.
    Config::load(&place.workspace)?;
    let mode = if args.dry_run { Mode::DryRun } else { Mode::Write };
    if mode == Mode::Write
        && let Some(exit) = person::refusal(place, "plan new")
    {
        return Ok(exit);
    }
    let text = text_of(args);
    let path = place.workspace.root().join(&args.file);
    if let Err(problems) = plan::checked_graph(path.as_path(), text.as_bytes()) {
        for problem in &problems {
            output::error(&problem.to_string());
        }
        return Ok(Exit::No);
    }
    let mut writer = Writer::new(&place.workspace, mode);
    match planned(args, &text, place) {
        Err(error) => writer.fail(&error),
        Ok(changes) => {
            let is_written = changes.iter().all(|change| writer.apply(change));
            if is_written && writer.writes() {
                let n_nodes = args.nodes.len();
                let nodes = if n_nodes == 1 { "1 node".to_owned() } else { format!("{n_nodes} nodes") };
                output::note(&format!("✓ wrote: {} with {nodes}, in force from the next call on", args.file));
                output::hint("describe the nodes there; `steersman plan show` prints the plan");
            }
        }
    }
    Ok(writer.finish())
}

/// Plans both changes, so that a mistake in one file leaves the other unchanged.
fn planned(args: &Args, text: &str, place: &Place) -> Result<[Change; 2], ChangeError> {
    let plan = Change::plan(&place.workspace, &args.file, |before| match before {
        Some(_) => Err(ChangeError::Content {
            what: format!("cannot write `{}`: it exists already", args.file),
            place: None,
            hint: "edit it, or choose another with `--file`".to_owned(),
        }),
        None => Ok(Some(text.to_owned())),
    })?;
    let path = place.workspace.config_file();
    let file = path.below(place.workspace.root()).map_or_else(|_| path.to_string(), |it| it.to_string());
    let config = Change::plan(&place.workspace, &file, |before| {
        let before = before.filter(|text| !text.trim().is_empty()).unwrap_or("{\n  \"version\": 1\n}\n");
        if let Some(format) = NewerFormat::of_json(before, Config::FORMAT.0) {
            return Err(ChangeError::newer(&file, format));
        }
        configured(before, &args.file).map(Some).ok_or_else(|| ChangeError::Content {
            what: format!("cannot edit `{file}`: it is not an object with an object `plan`"),
            place: None,
            hint: "correct the file; `steersman doctor` shows where; steersman did not change it".to_owned(),
        })
    })?;
    Ok([plan, config])
}

/// Returns the settings with this plan and everything else unchanged. Returns `None` if they have another shape.
fn configured(text: &str, plan: &str) -> Option<String> {
    let root = jsonc::parse_editable(text).ok()?;
    let object = root.object_value_or_create()?;
    let name = plain_name(plan::MODULE);
    let contract = contract_name(name);
    let section = if object.get(contract).is_some() { contract } else { name };
    let section = object.object_value_or_create(section)?;
    let value = CstInputValue::String(plan.to_owned());
    match section.get("plan") {
        Some(property) => property.set_value(value),
        None => {
            section.append("plan", value);
        }
    }
    Some(root.to_string())
}

/// Returns the text of the plan's file.
fn text_of(args: &Args) -> String {
    let mut nodes: Vec<Value> = Vec::new();
    for (index, node) in args.nodes.iter().enumerate() {
        let scope: Value = match node.scope.as_slice() {
            [one] => one.as_str().into(),
            more => json!(more),
        };
        let description = format!("the work in {}", node.scope.join(", "));
        let mut entry = json!({"id": node.id, "description": description, "scope": scope});
        if let Some(before) = index.checked_sub(1).filter(|_| !args.any_order) {
            entry["dependencies"] = json!([args.nodes[before].id]);
        }
        nodes.push(entry);
    }
    // Strings and arrays always serialize.
    let text = serde_json::to_string_pretty(&json!({"version": 1, "nodes": nodes})).unwrap_or_default();
    text + "\n"
}
