//! A file a project starts with: written once, never over what is there.

use crate::change::{Change, Writer};
use crate::output;

/// What came of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// It could not be written; the person was told.
    Failed,
    /// There was one already.
    WasThere,
    /// It is written, or would be.
    Written,
}

/// Writes the file if there is none.
pub(super) fn write(writer: &mut Writer<'_>, file: &str, text: &str) -> Start {
    let planned = Change::plan(writer.workspace, file, |before| Ok(Some(before.unwrap_or(text).to_owned())));
    match planned {
        Err(trouble) => {
            writer.fail(&trouble);
            Start::Failed
        }
        Ok(change) if change.is_nothing() => {
            output::note(&format!("  {file} is there already and was left as it is"));
            Start::WasThere
        }
        Ok(change) if !writer.apply(&change) => Start::Failed,
        Ok(_) => {
            let did = if writer.writes() { "wrote" } else { "would write" };
            output::note(&format!("✓ {did}: {file}"));
            Start::Written
        }
    }
}
