//! `steersman trace`: which intent wrote which lines, according to the trace.

mod anchor;
mod blame;
mod export;
mod filter;
mod journals;
mod log;
mod moved_files;
mod provenance;
mod records;
mod stats;
mod verify;

use super::group::command_group;

command_group! {
    /// Show which intent wrote which lines, when and in which session
    fn run {
        Log => log,
        Blame => blame,
        Verify => verify,
        Anchor => anchor,
        Stats => stats,
        Export => export,
    }
}

pub(crate) use anchor::{
    at_end_of_turn as anchor_at_end_of_turn, sessions_of_newest as sessions_of_newest_anchor,
};
pub(crate) use blame::of_file as blame_file;
pub(crate) use provenance::sessions_of_uncommitted_lines;
