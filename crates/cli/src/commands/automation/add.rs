//! `steersman automation add [--json]`

use automation::SourceFile;
use automation::config::append;
use serde_json::{Map, Value};

use super::definition_args::{Definition, DefinitionArgs};
use super::definition_change::{ChangeArgs, Verb};
use crate::commands::Place;
use crate::exit::Exit;

/// Declare an automation, from options or from JSON on stdin
///
/// Writes it into `.akira/hooks.json`, or into `.vscode/gatomia/hooks.json` if it has an `action` or its `trigger` is
/// an object. Writes nothing if the file would be invalid. It runs after `steersman trust`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Its id
    #[arg(long)]
    id: Option<String>,
    #[command(flatten)]
    definition: DefinitionArgs,
    #[command(flatten)]
    change: ChangeArgs,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    if let Some(exit) = args.change.refusal(Verb::Add, place)? {
        return Ok(exit);
    }
    let id = args.id.as_ref().map(|id| ("id".to_owned(), id.as_str().into()));
    let mut keys = match args.definition.read(id.into_iter().collect::<Map<String, Value>>())? {
        Definition::Keys(keys) => keys,
        Definition::Invalid(problems) => return args.change.reject(&problems),
        Definition::Usage(exit) => return Ok(exit),
    };
    let is_custom = keys.contains_key("action") || keys.get("trigger").is_some_and(Value::is_object);
    let file = if is_custom { SourceFile::Gatomia } else { SourceFile::Akira };
    if is_custom {
        // Automations of one trigger run in this order.
        keys.entry("createdAt").or_insert_with(|| store::now().as_millis().into());
    }
    let id = keys.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
    let hook = [Value::Object(keys)];
    args.change.carry_out(Verb::Add, (file, &id), place, |text| {
        append(text, file, &hook).map_err(|error| error.to_string())
    })
}
