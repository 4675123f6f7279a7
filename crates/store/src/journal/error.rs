//! The errors of a journal.

use std::io;
use std::path::PathBuf;

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be opened or created.
    #[error("cannot open journal `{}`", path.display())]
    Open {
        /// The journal.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Lines cannot be appended.
    #[error("cannot append to journal `{}`", path.display())]
    Append {
        /// The journal.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// It cannot be read.
    #[error("cannot read journal `{}`", path.display())]
    Read {
        /// The journal.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl JournalError {
    /// Returns whether the folder of the journal does not exist.
    pub fn is_absence(&self) -> bool {
        matches!(self, Self::Open { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}
