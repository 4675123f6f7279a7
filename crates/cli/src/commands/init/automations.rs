//! The file of automations a project starts with.

use automation::SourceFile;

use super::starting_file::{self, Start};
use crate::change::Writer;

/// What it says at first: nothing that runs by itself, everything to choose from.
const STARTER: &str = include_str!("starter/automations.json");

/// Writes the file if there is none; returns whether that went well.
pub(super) fn write(writer: &mut Writer<'_>) -> bool {
    starting_file::write(writer, SourceFile::Akira.name(), STARTER) != Start::Failed
}
