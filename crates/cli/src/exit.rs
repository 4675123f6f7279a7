//! The exit codes, as the documentation lists them.

use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Fine, or the answer is yes.
    Fine,
    /// The answer is no: invalid, not found, denied.
    No,
    /// The command was used wrongly.
    Usage,
    /// The world failed: disk, network, a missing tool.
    World,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Fine => 0,
            Exit::No => 1,
            // 2, wrong usage, is clap's.
            Exit::Usage => 2,
            Exit::World => 3,
        })
    }
}
