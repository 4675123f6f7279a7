//! The documented exit codes.

use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Success, or the answer is yes.
    Fine,
    /// The answer is no: invalid, not found, denied.
    No,
    /// Wrong usage.
    Usage,
    /// The system failed: disk, network, a missing program.
    World,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Fine => 0,
            Exit::No => 1,
            // clap itself exits with 2 for command lines it cannot parse.
            Exit::Usage => 2,
            Exit::World => 3,
        })
    }
}
