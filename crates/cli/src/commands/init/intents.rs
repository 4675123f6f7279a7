//! The file of intents a project starts with.

use intent::IntentsFile;

use crate::change::{Change, Writer};
use crate::output;

/// Writes the file if there is none; returns whether that went well.
pub(super) fn write(writer: &mut Writer<'_>) -> bool {
    let file = IntentsFile::PATH;
    let planned = Change::plan(writer.workspace, file, |before| {
        Ok(Some(before.unwrap_or(IntentsFile::STARTER).to_owned()))
    });
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
                output::note(
                    "  note: while it is there, agents write only what the intent they selected includes",
                );
            }
            went_well
        }
    }
}
