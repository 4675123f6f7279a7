//! `steersman memory accept ID`

use super::lookup::{Found, Known, shown};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;
use crate::person;

/// Turn a lesson into a memory: a file in .ai/memory/ that you edit and commit
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The id of the lesson, or its first characters
    id: String,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    // A memory is what people tell later agents.
    if let Some(exit) = person::refusal_beneath_agent(place, "memory accept") {
        return Ok(exit);
    }
    let known = Known::read(place)?;
    match known.find(&args.id) {
        None => Ok(Exit::No),
        Some(Found::Memory(path, _)) => {
            output::error(&format!("this lesson is already a memory: {}", shown(place, path)));
            Ok(Exit::No)
        }
        Some(Found::Lesson(lesson)) => {
            let path = known.folder.accept(lesson, store::now())?;
            output::note(&format!("wrote {}", shown(place, &path)));
            output::hint(
                "edit the text and commit it; the module `rules` adds it to the context of matching calls",
            );
            if lesson.paths.is_empty() && lesson.words.is_empty() {
                output::hint("add `paths` or `words` of matching calls; without them no call matches");
            }
            Ok(Exit::Fine)
        }
    }
}
