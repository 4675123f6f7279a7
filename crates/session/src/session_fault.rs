//! The failures of opening or writing a session. A hook reports them and answers all the same.

use std::error::Error;
use std::io;

use store::{JournalError, WriteError};

use crate::StateFault;

/// A part of the session cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum SessionFault {
    /// The snapshot is broken or newer.
    #[error(transparent)]
    State(StateFault),
    /// The snapshot cannot be read.
    #[error("cannot read state.json: {0}")]
    StateUnreadable(io::Error),
    /// The snapshot cannot be written; the journal has everything.
    #[error("{}", with_cause(.0))]
    StateUnwritable(WriteError),
    /// The session's folder cannot be created.
    #[error("cannot record anything: {0}")]
    Unwritable(String),
    /// The journal cannot be used.
    #[error("cannot record anything: {}", with_cause(.0))]
    Journal(JournalError),
}

fn with_cause(error: &dyn Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}
