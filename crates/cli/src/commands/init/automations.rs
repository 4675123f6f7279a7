//! The file of automations a project starts with.

use automation::SourceFile;

use crate::change::{Change, Writer};
use crate::output;

/// What it says at first: nothing that runs by itself, everything to choose from.
const STARTER: &str = include_str!("automations.json");

/// Writes the file if there is none; returns whether that went well.
pub(super) fn write(writer: &mut Writer<'_>) -> bool {
    let file = SourceFile::Akira.name();
    let planned =
        Change::plan(writer.workspace, file, |before| Ok(Some(before.unwrap_or(STARTER).to_owned())));
    match planned {
        Err(trouble) => {
            writer.fail(&trouble);
            false
        }
        Ok(change) if change.is_nothing() => {
            output::note(&format!("  {file} is there already and was left as it is"));
            true
        }
        Ok(change) => {
            let went_well = writer.apply(&change);
            if went_well {
                let did = if writer.writes() { "wrote" } else { "would write" };
                output::note(&format!("✓ {did}: {file}"));
            }
            went_well
        }
    }
}
