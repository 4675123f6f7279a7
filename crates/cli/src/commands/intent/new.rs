//! `steersman intent new NAME --scope GLOB… [--json]`
//!
//! With `--json`: the intent as `intent show --json` has it.

use intent::{IntentId, IntentsFile, NewIntent, Selection, WorkspaceIntents};

use super::show::id;
use super::{refusal, wire};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;

/// Add an intent; the first one writes the file of intents
///
/// Comments, order and layout of the file stay.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A name for people
    name: String,
    /// A glob over paths of this workspace that it may write, such as 'src/login/**'; may be given more than once
    #[arg(long, value_name = "GLOB", required = true)]
    scope: Vec<String>,
    /// What is to be done
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    description: String,
    /// What has to be kept to; may be given more than once
    #[arg(long, value_name = "TEXT")]
    constraint: Vec<String>,
    /// When it is done; may be given more than once
    #[arg(long, value_name = "TEXT")]
    criterion: Vec<String>,
    /// Its id [default: the number after the highest there is]
    #[arg(long, value_name = "ID", value_parser = id)]
    id: Option<IntentId>,
    /// Select it for this workspace, too
    #[arg(long)]
    select: bool,
    /// Print JSON: the intent as `intent show --json` has it
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    if args.name.trim().is_empty() {
        output::complain("an intent needs a name for people");
        return Ok(Exit::Usage);
    }
    let intents = WorkspaceIntents::of(&place.workspace);
    let begins = !intents.file().as_path().exists();
    let new = NewIntent {
        id: args.id.clone(),
        name: args.name.clone(),
        description: args.description.clone(),
        owned_scope: args.scope.clone(),
        constraints: args.constraint.clone(),
        acceptance_criteria: args.criterion.clone(),
    };
    let added =
        intents.add(&new).and_then(|added| if args.select { intents.take_up(&added.id) } else { Ok(added) });
    let added = match added {
        Ok(added) => added,
        Err(error) => return refusal::not_changed(error),
    };
    if args.select {
        Selection::new(added.id.clone(), store::now()).write(&place.workspace)?;
    }
    if args.json {
        output::json(&wire::intent(&added, refusal::selection(place).as_ref()))?;
        return Ok(Exit::Fine);
    }
    let file = IntentsFile::PATH;
    output::note(&format!("✓ {} added to {file}; it is {}", added.id, added.status));
    if begins {
        output::note("  from now on agents here write only what the intent they selected includes");
    }
    if !args.select {
        output::hint(&format!(
            "`steersman intent select {}` lets sessions work on it that have selected none themselves",
            added.id
        ));
    }
    Ok(Exit::Fine)
}
