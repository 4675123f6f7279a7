//! `steersman memory accept ID`

use super::lookup::{Found, Known, shown};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;

/// Make a memory of a lesson: a file in .ai/memory/ that you edit and commit
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The lesson, or the beginning of its id
    id: String,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let known = Known::read(place)?;
    match known.find(&args.id) {
        None => Ok(Exit::No),
        Some(Found::Memory(path, _)) => {
            output::complain(&format!("it is a memory already: {}", shown(place, path)));
            Ok(Exit::No)
        }
        Some(Found::Lesson(lesson)) => {
            let path = known.shelf.accept(lesson, store::now())?;
            output::note(&format!("wrote {}", shown(place, &path)));
            output::hint(
                "say it in your own words and commit it; the module `memory-activation` tells agents when it fits",
            );
            if lesson.paths.is_empty() && lesson.words.is_empty() {
                output::hint(
                    "give it `paths` or `words` of the calls it is about; without any it is never told",
                );
            }
            Ok(Exit::Fine)
        }
    }
}
