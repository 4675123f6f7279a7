//! `steersman module`: which modules of the pipeline run here.

mod list;
mod switch;

use super::group::command_group;

command_group! {
    /// List the modules, and turn them on or off in this workspace
    fn run {
        List => list,
        /// Turn a module on
        On => switch(true),
        /// Turn a module off
        Off => switch(false),
    }
}
