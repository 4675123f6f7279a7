//! `steersman memory drop ID`

use super::lookup::{Found, Known, shown};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;
use crate::person;

/// Hide a lesson permanently, or delete a memory
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The id of the memory or lesson, or its first characters
    id: String,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    // A memory is what people tell later agents.
    if let Some(exit) = person::refusal_beneath_agent(place, "memory drop") {
        return Ok(exit);
    }
    let known = Known::read(place)?;
    let Some(found) = known.find(&args.id) else { return Ok(Exit::No) };
    let title = match &found {
        Found::Memory(_, memory) => &memory.head.title,
        Found::Lesson(lesson) => &lesson.title,
    };
    known.folder.drop_lesson(found.id(), title, store::now())?;
    if let Found::Memory(path, _) = &found {
        known.folder.remove(path)?;
        output::note(&format!("deleted {}", shown(place, path)));
    }
    output::note(&format!("dropped {}: {}", found.id(), output::text::one_line(title)));
    output::hint("remove it from `.ai/memory/dropped.json` to see it again");
    Ok(Exit::Fine)
}
