//! `steersman automation edit ID [--json]`

use automation::SourceFile;
use automation::config::{OtherKeys, edit};
use serde_json::{Map, Value};

use super::definition_args::{Definition, DefinitionArgs, put};
use super::definition_change::{ChangeArgs, Verb, declaring_file};
use crate::commands::Place;
use crate::exit::Exit;

/// Change an automation in its file, by options or by JSON on stdin
///
/// JSON on stdin is a merge patch: the keys in it change, `null` removes a key, all others stay. Comments, the order of
/// keys and the layout stay. Writes nothing if the file would be invalid. It runs after `steersman trust`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The id of the automation
    id: String,
    #[command(flatten)]
    definition: DefinitionArgs,
    /// Remove a key: `pattern`, `retry.count`
    #[arg(long, value_name = "KEY")]
    unset: Vec<String>,
    /// Replace the whole definition: remove the keys that the new one does not have
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    change: ChangeArgs,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    if let Some(exit) = args.change.refusal(Verb::Edit, place)? {
        return Ok(exit);
    }
    let file = match declaring_file(&args.id, &args.change, place)? {
        Ok(file) => file,
        Err(exit) => return Ok(exit),
    };
    let mut removed = Map::new();
    for key in &args.unset {
        put(&mut removed, key, Value::Null);
    }
    let mut keys = match args.definition.read(removed)? {
        Definition::Keys(keys) => keys,
        Definition::Invalid(problems) => return args.change.reject(&problems),
        Definition::Usage(exit) => return Ok(exit),
    };
    let rest = if args.replace { OtherKeys::Removed } else { OtherKeys::Kept };
    let id = keys.get("id").and_then(Value::as_str).unwrap_or(&args.id).to_owned();
    args.change.carry_out(Verb::Edit, (file, &id), place, |text| {
        let text = text.unwrap_or_default();
        let edited = edit(text, &args.id, &keys, rest).map_err(|error| error.to_string())?;
        if edited == text || file == SourceFile::Akira || keys.contains_key("modifiedAt") {
            return Ok(edited);
        }
        keys.insert("modifiedAt".to_owned(), store::now().as_millis().into());
        edit(text, &args.id, &keys, rest).map_err(|error| error.to_string())
    })
}
