//! `steersman intent list [--json]`
//!
//! With `--json`: `{"intents": […], "selected": ID or null, "since": time or null}`, in the order of the
//! file, each intent as in `intent show --json`.

use intent::{Intent, IntentsFile, Pattern, Selection, Status, WorkspaceIntents};
use serde_json::json;

use super::{error_output, to_json};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::paint::{BAD, CAREFUL, FAINT, GOOD, PLAIN, STRONG};
use crate::output::table::{Cell, Column, Table};
use crate::output::{self, print, text};

/// List the intents of this workspace
///
/// `●` marks the intent of sessions that selected none themselves.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print JSON: {"intents": [{id, name, description, status, selected, ownedScope, …}], "selected", "since"}
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    // A missing file is a valid state: no intents govern the workspace.
    let governed = WorkspaceIntents::of(&place.workspace).file().as_path().exists();
    let intents = if governed {
        match error_output::read(place)? {
            Ok(intents) => intents,
            Err(exit) => return Ok(exit),
        }
    } else {
        IntentsFile { intents: Vec::new(), warnings: Vec::new() }
    };
    let selection = error_output::selection(place);
    if args.json {
        let all: Vec<_> = intents.intents.iter().map(|intent| to_json(intent, selection.as_ref())).collect();
        let selected = selection.as_ref().map(|selection| selection.intent_id.as_str());
        let since = selection.as_ref().map(|selection| &selection.since);
        output::json(&json!({"intents": all, "selected": selected, "since": since}))?;
        return Ok(Exit::Fine);
    }
    if !governed {
        output::note("no intents here, so only the agents' own rules limit what they write");
        output::hint(error_output::BEGIN);
        return Ok(Exit::Fine);
    }
    if intents.intents.is_empty() {
        output::note(&format!("{} lists no intents, so agents can write nothing here", IntentsFile::PATH));
        output::hint("add one with `steersman intent new \"Login page\" --scope 'src/login/**'`");
        return Ok(Exit::Fine);
    }
    for line in table(&intents.intents, selection.as_ref()).lines(output::columns()) {
        print(format_args!("{line}"));
    }
    note_selection(&intents, selection.as_ref());
    Ok(Exit::Fine)
}

fn table(intents: &[Intent], selection: Option<&Selection>) -> Table {
    let mut table = Table::new([
        Column::left(" "),
        Column::whole("ID"),
        Column::whole("STATUS"),
        Column::left("NAME"),
        Column::left("SCOPE"),
    ]);
    for intent in intents {
        let selected = selection.is_some_and(|selection| selection.intent_id == intent.id);
        let scope: Vec<&str> = intent.owned_scope.iter().map(Pattern::as_str).collect();
        table.push([
            Cell::styled(if selected { "●" } else { " " }, GOOD),
            Cell::styled(intent.id.as_str(), STRONG),
            Cell::styled(intent.status.as_str(), style(intent.status)),
            text::one_line(&intent.name).into(),
            Cell::styled(text::one_line(&scope.join(", ")), FAINT),
        ]);
    }
    table
}

/// Returns the colour of a status.
pub(super) fn style(status: Status) -> anstyle::Style {
    match status {
        Status::Pending => PLAIN,
        Status::InProgress => CAREFUL,
        Status::Completed => GOOD,
        Status::Blocked => BAD,
    }
}

fn note_selection(intents: &IntentsFile, selection: Option<&Selection>) {
    let Some(selection) = selection else {
        output::hint(
            "no intent is selected for this workspace; select one with `steersman intent select ID`, or let the agent choose",
        );
        return;
    };
    if let Err(error) = intents.selectable(&selection.intent_id) {
        output::note(&format!("warning: the selection is no longer valid: {error}"));
        output::hint(
            "select another with `steersman intent select ID`, or none with `steersman intent clear`",
        );
    }
}
