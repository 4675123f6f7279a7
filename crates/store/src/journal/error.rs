//! What can be wrong with a journal.

use std::io;
use std::path::PathBuf;

/// Why a journal could not be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It could not be opened or made.
    #[error("cannot open journal `{}`", path.display())]
    Open {
        /// The journal.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Lines could not be added.
    #[error("cannot append to journal `{}`", path.display())]
    Append {
        /// The journal.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It could not be read.
    #[error("cannot read journal `{}`", path.display())]
    Read {
        /// The journal.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl JournalError {
    /// Returns whether the folder of the journal is not there.
    pub fn is_absence(&self) -> bool {
        matches!(self, Self::Open { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}
