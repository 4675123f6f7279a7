//! `steersman approve`: the calls that steersman approved in place of the user.

mod stats;

use super::group::command_group;

command_group! {
    /// Show how many prompts steersman saved you
    fn run {
        Stats => stats,
    }
}
