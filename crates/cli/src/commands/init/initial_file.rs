//! Writes the initial intents and automations of a project once and never overwrites them.

use automation::SourceFile;
use intent::IntentsFile;

use super::Written;
use crate::change::{Change, Writer};
use crate::output;

/// Example automations, all of them disabled.
const AUTOMATIONS: &str = include_str!("starter/automations.json");

/// Returns the example automations as a file.
pub(super) fn automations() -> Written {
    Written::new(SourceFile::Akira.name(), AUTOMATIONS)
}

/// Writes the automations if their file does not exist; returns whether that succeeded.
pub(super) fn write_automations(writer: &mut Writer<'_>) -> bool {
    write(writer, SourceFile::Akira.name(), AUTOMATIONS) != InitialFile::Failed
}

/// Writes the intents if their file does not exist; returns whether that succeeded.
pub(super) fn write_intents(writer: &mut Writer<'_>) -> bool {
    let written = write(writer, IntentsFile::PATH, IntentsFile::STARTER);
    if written == InitialFile::Written {
        output::note(
            "  note: as long as it exists, agents may write only files in the scope of their selected intent",
        );
    }
    written != InitialFile::Failed
}

/// The result of writing an initial file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InitialFile {
    /// Writing failed; the error was printed.
    Failed,
    /// The file existed already.
    WasThere,
    /// The file was written, or would be.
    Written,
}

/// Writes the file if it does not exist.
fn write(writer: &mut Writer<'_>, file: &str, text: &str) -> InitialFile {
    let planned = Change::plan(writer.workspace, file, |before| Ok(Some(before.unwrap_or(text).to_owned())));
    match planned {
        Err(error) => {
            writer.fail(&error);
            InitialFile::Failed
        }
        Ok(change) if change.is_nothing() => {
            output::note(&format!("  {file} already exists and stays unchanged"));
            InitialFile::WasThere
        }
        Ok(change) if !writer.apply(&change) => InitialFile::Failed,
        Ok(_) => {
            let did = if writer.writes() { "wrote" } else { "would write" };
            output::note(&format!("✓ {did}: {file}"));
            InitialFile::Written
        }
    }
}
