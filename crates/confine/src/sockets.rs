//! The sockets of programs outside, by which a confined command could have others write for it.

use std::path::PathBuf;

/// A socket that takes connections or messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listener {
    /// The path under which it was bound. A relative one started at a folder that is not recorded.
    pub path: PathBuf,
}
