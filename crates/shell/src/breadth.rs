//! How far a command line reaches: searches that nothing bounds, files printed as a whole,
//! downloads of any size.
//!
//! A search is bounded when something in the call keeps it small: a folder below the root, a
//! pattern of names, a depth, a number of results, folders left out, or a next program that
//! shortens the output. The caller decides about unbounded searches.

mod download;
mod look;
mod printed;
mod programs;
mod whole_file;
mod zone;

pub use download::downloads;
pub use whole_file::whole_files;
pub use zone::Zone;

use crate::reading::{Reading, Simple, Site};
use look::Look;
use printed::Printed;

/// A search of a whole tree that nothing bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep<'a> {
    /// The command that searches.
    pub command: &'a Simple,
    /// The folder it starts in.
    pub root: String,
    /// The zone of that folder.
    pub zone: Zone,
    /// The files it searches there.
    pub extent: Extent,
}

/// The files that a search covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Every file, those that version control ignores included, or a list of all of them.
    Everything,
    /// Files that are not ignored, for something in particular: `rg needle`.
    Project,
}

/// Returns the searches nothing bounds; up to `max_lines` lines count as few.
pub fn sweeps(reading: &Reading, max_lines: u64) -> Vec<Sweep<'_>> {
    let mut sweeps = Vec::new();
    for (index, command) in reading.commands.iter().enumerate() {
        if command.site != Site::Local {
            continue;
        }
        let Some(look) = programs::look(reading, index) else { continue };
        let widest = look.roots.iter().filter_map(|root| {
            let path = zone::resolve(root, command.cwd.as_deref(), &reading.home)?;
            Some((zone::of(&path, reading)?, path))
        });
        let Some((zone, root)) = widest.min_by_key(|(zone, _)| *zone) else { continue };
        let printed = printed::of(reading, index, max_lines);
        if !is_bounded(&look, zone, printed, command) {
            // Around the workspace there is no project that could leave something out.
            let extent = if zone == Zone::Everywhere { Extent::Everything } else { look.extent };
            sweeps.push(Sweep { command, root, zone, extent });
        }
    }
    sweeps
}

/// WHY two measures: in the workspace a long output does the harm, everywhere else the walk does,
/// too. `| head` ends a search that prints every file, but not one that waits for its next match.
fn is_bounded(look: &Look<'_>, zone: Zone, printed: Printed, command: &Simple) -> bool {
    let in_time = command.via.iter().any(|wrapper| wrapper == "timeout");
    match zone {
        Zone::Everywhere => {
            let ends_early = look.prints_all_it_sees && printed == Printed::Shortened;
            look.depth || in_time || ends_early
        }
        Zone::Workspace => look.depth || look.narrowed || look.few || printed != Printed::AsItIs,
    }
}
