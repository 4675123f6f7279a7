//! How a person is told that something about intents cannot be done.

use config_file::nearest;
use intent::{ChangeError, IntentId, IntentsFile, LoadError, NotSelectable, Selection, WorkspaceIntents};

use crate::commands::Place;
use crate::exit::Exit;
use crate::output;

/// Reads the intents; if there is no file or it is wrong, says so and returns how to end.
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

/// Reads the default of the workspace. One that is broken is told and taken for none.
pub(super) fn selection(place: &Place) -> Option<Selection> {
    Selection::read(&place.workspace).unwrap_or_else(|error| {
        output::note(&format!("warning: {error}"));
        output::hint("`steersman intent select INT-001` writes it anew");
        None
    })
}

/// Says that there is no file of intents.
pub(super) fn none_here() -> Exit {
    output::complain(&format!("there are no intents here: {} is missing", IntentsFile::PATH));
    output::hint(BEGIN);
    Exit::No
}

/// How a file of intents begins.
pub(super) const BEGIN: &str =
    "`steersman intent new \"Login page\" --scope 'src/login/**'` writes it, with its first intent";

/// Says that there is no such intent.
pub(super) fn unknown(id: &IntentId, intents: &IntentsFile) -> Exit {
    let known: Vec<IntentId> = intents.intents.iter().map(|intent| intent.id.clone()).collect();
    output::complain(&NotSelectable::Unknown { id: id.clone(), known: known.clone() }.to_string());
    if let Some(meant) = nearest(id.as_str(), known.iter().map(IntentId::as_str)) {
        output::hint(&format!("did you mean {meant}?"));
    }
    Exit::No
}

/// Says why the intents were not changed.
pub(super) fn not_changed(error: ChangeError) -> anyhow::Result<Exit> {
    match error {
        error if error.is_of_the_disk() => Err(error.into()),
        ChangeError::Missing => Ok(none_here()),
        ChangeError::Load(error) => Ok(invalid(&error)),
        ChangeError::Edit(intent::EditError::Pattern(bad)) => {
            output::complain(&bad.what);
            output::hint(&bad.hint);
            Ok(Exit::No)
        }
        error => {
            output::complain(&error.to_string());
            output::hint("`steersman intent list` shows what there is");
            Ok(Exit::No)
        }
    }
}

fn invalid(error: &LoadError) -> Exit {
    output::complain(&error.to_string());
    output::hint("mend the file: until then agents can write nothing here");
    Exit::No
}
