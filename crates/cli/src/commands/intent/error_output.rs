//! Prints errors about intents.

use config_file::nearest;
use intent::{ChangeError, IntentId, IntentsFile, LoadError, NotSelectable, Selection, WorkspaceIntents};

use crate::commands::Place;
use crate::exit::Exit;
use crate::output;

/// Reads the intents. If the file is missing or invalid, reports that and returns the exit code.
pub(super) fn read(place: &Place) -> anyhow::Result<Result<IntentsFile, Exit>> {
    match WorkspaceIntents::of(&place.workspace).read() {
        Ok(Some(intents)) => {
            for warning in &intents.warnings {
                output::note(&format!("warning: {}", warning.brief()));
            }
            Ok(Ok(intents))
        }
        Ok(None) => Ok(Err(none_here())),
        Err(error @ LoadError::Read { .. }) => Err(error.into()),
        Err(error) => Ok(Err(invalid(&error))),
    }
}

/// Reads the workspace's selection. Warns about a broken one and returns `None`.
pub(super) fn selection(place: &Place) -> Option<Selection> {
    Selection::read(&place.workspace).unwrap_or_else(|error| {
        output::note(&format!("warning: {error}"));
        output::hint("run `steersman intent select INT-001` to write it again");
        None
    })
}

/// Reports that the intents file is missing.
pub(super) fn none_here() -> Exit {
    output::error(&format!("cannot read the intents: {} does not exist", IntentsFile::PATH));
    output::hint(BEGIN);
    Exit::No
}

/// The hint for a workspace without an intents file.
pub(super) const BEGIN: &str = "create it with `steersman intent new \"Login page\" --scope 'src/login/**'`";

/// Reports an unknown intent.
pub(super) fn unknown(id: &IntentId, intents: &IntentsFile) -> Exit {
    let known: Vec<IntentId> = intents.intents.iter().map(|intent| intent.id.clone()).collect();
    output::error(&NotSelectable::Unknown { id: id.clone(), known: known.clone() }.to_string());
    if let Some(meant) = nearest(id.as_str(), known.iter().map(IntentId::as_str)) {
        output::hint(&format!("did you mean {meant}?"));
    }
    Exit::No
}

/// Reports why the intents were not changed.
pub(super) fn not_changed(error: ChangeError) -> anyhow::Result<Exit> {
    match error {
        error if error.is_of_the_disk() => Err(error.into()),
        ChangeError::Missing => Ok(none_here()),
        ChangeError::Load(error) => Ok(invalid(&error)),
        ChangeError::Edit(intent::EditError::Pattern(bad)) => {
            output::error(&bad.what);
            output::hint(&bad.hint);
            Ok(Exit::No)
        }
        error => {
            output::error(&error.to_string());
            output::hint("run `steersman intent list` for the intents of this workspace");
            Ok(Exit::No)
        }
    }
}

fn invalid(error: &LoadError) -> Exit {
    output::error(&error.to_string());
    output::hint("correct the file; until then agents can write nothing here");
    Exit::No
}
