//! `steersman intent new NAME --scope GLOB… | --from-diff [--json]`
//!
//! With `--json`: the intent as in `intent show --json`.

use intent::{Criterion, Intent, IntentId, IntentsFile, NewIntent, Pattern, Selection, WorkspaceIntents};

use super::show::id;
use super::{changed_folders, error_output, to_json};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;
use crate::person;

/// Add an intent; creates the intents file if it does not exist
///
/// Keeps comments, order and layout of the file.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The name of the intent
    name: String,
    /// A glob of paths that agents may write, such as 'src/login/**'; repeatable
    #[arg(long, value_name = "GLOB", required_unless_present = "from_diff")]
    scope: Vec<String>,
    /// Add the folders of the files that differ from the last commit to the scope
    #[arg(long)]
    from_diff: bool,
    /// A description of the work
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    description: String,
    /// A constraint on the work; repeatable
    #[arg(long, value_name = "TEXT")]
    constraint: Vec<String>,
    /// An acceptance criterion; repeatable
    #[arg(long, value_name = "TEXT")]
    criterion: Vec<String>,
    /// A command that must exit with 0 before the work is done; repeatable
    #[arg(long, value_name = "COMMAND")]
    check: Vec<String>,
    /// The id [default: the next free number]
    #[arg(long, value_name = "ID", value_parser = id)]
    id: Option<IntentId>,
    /// Also select it for this workspace
    #[arg(long)]
    select: bool,
    /// Print JSON: the intent as in `intent show --json`
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    if let Some(exit) = person::refusal(place, "intent new") {
        return Ok(exit);
    }
    if args.name.trim().is_empty() {
        output::error("the name of an intent must not be empty");
        return Ok(Exit::Usage);
    }
    let mut scope = args.scope.clone();
    if args.from_diff {
        let Some(folders) = changed_folders(place) else {
            output::error("cannot compare with the last commit: git does not answer here");
            output::hint("name the files with `--scope 'src/**'`");
            return Ok(Exit::No);
        };
        scope.extend(folders.into_iter().filter(|glob| !args.scope.contains(glob)));
        if scope.is_empty() {
            output::error("no file differs from the last commit, so the scope would be empty");
            output::hint("name the files with `--scope 'src/**'`");
            return Ok(Exit::No);
        }
    }
    let begins = !WorkspaceIntents::of(&place.workspace).file().as_path().exists();
    let new = NewIntent {
        id: args.id.clone(),
        name: args.name.clone(),
        description: args.description.clone(),
        owned_scope: scope,
        constraints: args.constraint.clone(),
        acceptance_criteria: criteria(args),
    };
    let added = match create(&new, args.select, place)? {
        Ok(added) => added,
        Err(exit) => return Ok(exit),
    };
    if args.json {
        output::json(&to_json(&added, error_output::selection(place).as_ref()))?;
        return Ok(Exit::Fine);
    }
    let file = IntentsFile::PATH;
    output::note(&format!("✓ {} added to {file}; it is {}", added.id, added.status));
    if args.from_diff {
        let scope: Vec<&str> = added.owned_scope.iter().map(Pattern::as_str).collect();
        output::note(&format!("  its scope: {}", scope.join(", ")));
    }
    if begins {
        output::note("  from now on agents here may write only files in the scope of their selected intent");
    }
    if !args.select {
        output::hint(&format!(
            "run `steersman intent select {}` to make it the default of sessions that select none",
            added.id
        ));
    }
    Ok(Exit::Fine)
}

/// Adds an intent and, if asked to, selects it for the workspace. Reports an intent that cannot be added and returns the exit
/// code.
fn criteria(args: &Args) -> Vec<Criterion> {
    let texts = args.criterion.iter().cloned().map(Criterion::Text);
    texts.chain(args.check.iter().map(|run| Criterion::Run { run: run.clone() })).collect()
}

pub(crate) fn create(new: &NewIntent, selects: bool, place: &Place) -> anyhow::Result<Result<Intent, Exit>> {
    let intents = WorkspaceIntents::of(&place.workspace);
    let added =
        intents.add(new).and_then(|added| if selects { intents.take_up(&added.id) } else { Ok(added) });
    let added = match added {
        Ok(added) => added,
        Err(error) => return error_output::not_changed(error).map(Err),
    };
    if selects {
        Selection::new(added.id.clone(), store::now()).write(&place.workspace)?;
        person::changed_selection(place);
    }
    person::changed_intents(place);
    Ok(Ok(added))
}
