//! `steersman memory drop ID`

use super::lookup::{Found, Known, shown};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;

/// Never show a lesson again; of a memory, delete its file too
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The memory or lesson, or the beginning of its id
    id: String,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let known = Known::read(place)?;
    let Some(found) = known.find(&args.id) else { return Ok(Exit::No) };
    let title = match &found {
        Found::Memory(_, memory) => &memory.head.title,
        Found::Lesson(lesson) => &lesson.title,
    };
    known.shelf.drop_lesson(found.id(), title, store::now())?;
    if let Found::Memory(path, _) = &found {
        known.shelf.remove(path)?;
        output::note(&format!("deleted {}", shown(place, path)));
    }
    output::note(&format!("{} is dropped: {}", found.id(), output::text::one_line(title)));
    output::hint("`.ai/memory/dropped.json` remembers it; take it out there to see it again");
    Ok(Exit::Fine)
}
