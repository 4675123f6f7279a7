//! `steersman plan`: the plan of a session, the status of its nodes, and their validations.

mod check;
mod lookup;
mod mark;
mod plan_tree;
mod show;
mod validator;

use super::group::command_group;

command_group! {
    /// Show the plan of a session, set the status of its nodes, run its validations
    fn run {
        Show => show,
        Mark => mark,
        Check => check,
    }
}
