//! The file of intents a project starts with.

use intent::IntentsFile;

use super::starting_file::{self, Start};
use crate::change::Writer;
use crate::output;

/// Writes the file if there is none; returns whether that went well.
pub(super) fn write(writer: &mut Writer<'_>) -> bool {
    let start = starting_file::write(writer, IntentsFile::PATH, IntentsFile::STARTER);
    if start == Start::Written {
        output::note("  note: while it is there, agents write only what the intent they selected includes");
    }
    start != Start::Failed
}
