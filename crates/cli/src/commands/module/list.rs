//! `steersman module list [--json]`
//!
//! With `--json`: `{"modules": [{"name", "contractName", "on", "byDefault", "builtIn", "about"}]}`.

use event::plain_name;
use project_config::Manifest;
use serde_json::{Value, json};

use crate::commands::Place;
use crate::exit::Exit;
use crate::output::paint::{FAINT, GOOD, STRONG};
use crate::output::table::{Cell, Column, Table};
use crate::output::{self, print, text};

/// List the modules of this workspace: on or off, and their purpose
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print JSON: {"modules": [{name, contractName, on, byDefault, builtIn, about}]}
    #[arg(long)]
    json: bool,
}

/// A module and whether it runs.
struct Row {
    name: String,
    /// The name in journals and states.
    contract_name: String,
    is_on: bool,
    by_default: bool,
    is_built_in: bool,
    about: &'static str,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let manifest = Manifest::load(&place.workspace)?;
    let rows = rows(&manifest);
    if args.json {
        let modules: Vec<Value> = rows
            .iter()
            .map(|row| {
                json!({
                    "name": row.name, "contractName": row.contract_name, "on": row.is_on,
                    "byDefault": row.by_default, "builtIn": row.is_built_in, "about": row.about,
                })
            })
            .collect();
        output::json(&json!({ "modules": modules }))?;
        return Ok(Exit::Fine);
    }
    let mut table = Table::new([Column::whole(""), Column::whole("MODULE"), Column::left("WHAT IT DOES")]);
    for row in rows {
        let (word, style) = if row.is_on { ("on", GOOD) } else { ("off", FAINT) };
        table.push([
            Cell::styled(word, style),
            Cell::styled(text::one_line(&row.name), STRONG),
            row.about.to_owned().into(),
        ]);
    }
    for line in table.lines(output::columns()) {
        print(format_args!("{line}"));
    }
    Ok(Exit::Fine)
}

/// Lists the built-in modules, then the project's own.
fn rows(manifest: &Manifest) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for profile in modules::ALL.iter().map(|module| module.profile()) {
        let entry = manifest.modules.get(profile.name);
        rows.push(Row {
            name: plain_name(profile.name).to_owned(),
            contract_name: profile.name.to_owned(),
            is_on: entry.map_or(profile.on_by_default, |entry| entry.enabled != Some(false)),
            by_default: profile.on_by_default,
            is_built_in: entry.is_none_or(|entry| entry.path.is_none()),
            about: profile.about,
        });
    }
    for (name, entry) in &manifest.modules {
        if rows.iter().all(|row| row.contract_name != *name) {
            rows.push(Row {
                name: name.clone(),
                contract_name: name.clone(),
                is_on: entry.enabled != Some(false),
                by_default: false,
                is_built_in: false,
                about: "a script of this project",
            });
        }
    }
    rows
}
