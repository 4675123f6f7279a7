//! Offers to declare the first intent: without one, agents can write nothing.

use intent::{NewIntent, WorkspaceIntents};

use crate::commands::Place;
use crate::commands::intent::{changed_folders, create_intent};
use crate::output;
use crate::question;

/// The scope that `init` suggests in a project without changes.
const USUAL: &str = "src/**";

/// Asks in a terminal for the first intent if the file lists none; elsewhere prints how to declare it.
pub(super) fn offer(place: &Place, skips_questions: bool) {
    let is_empty = matches!(
        WorkspaceIntents::of(&place.workspace).read(),
        Ok(Some(intents)) if intents.intents.is_empty()
    );
    if !is_empty {
        return;
    }
    output::note(
        "  until the intents file lists an intent, agents can write nothing here and run no command that may write",
    );
    let name = if skips_questions {
        None
    } else {
        question::line("Name of the first intent? (empty: decide later) ")
    };
    if let Some(name) = name.filter(|name| !name.is_empty())
        && declare(&name, place)
    {
        return;
    }
    output::hint(
        "declare the work: `steersman intent new \"Login page\" --scope 'src/**' --select`, or `--from-diff` for the folders that you have changed",
    );
    output::hint(
        "to begin without refusals, set `\"intent\": { \"mode\": \"observe\" }` in .ai/hooks/config.json; `steersman intent preview` lists the calls that would have been refused",
    );
}

/// Asks for the scope and declares the intent. Returns whether it exists now.
fn declare(name: &str, place: &Place) -> bool {
    let changed = changed_folders(place).filter(|globs| !globs.is_empty());
    let suggested = changed.map_or_else(|| USUAL.to_owned(), |globs| globs.join(" "));
    let answer =
        question::line(&format!("Files that it may write? Globs separated by spaces [{suggested}] "))
            .unwrap_or_default();
    let scope = if answer.is_empty() { suggested } else { answer };
    let new = NewIntent {
        id: None,
        name: name.to_owned(),
        description: String::new(),
        owned_scope: scope.split_whitespace().map(str::to_owned).collect(),
        constraints: Vec::new(),
        acceptance_criteria: Vec::new(),
    };
    match create_intent(&new, true, place) {
        Ok(Ok(added)) => {
            output::note(&format!("✓ {} ({name}) declared and selected for this workspace", added.id));
            true
        }
        Ok(Err(_)) => false,
        Err(error) => {
            output::error_chain(&error);
            false
        }
    }
}
