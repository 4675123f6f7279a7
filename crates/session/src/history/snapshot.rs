//! Reads the current state of a session without writing it.

use std::io;

use store::{SessionDir, plain_file, read_lines};

use crate::open_session::fold;
use crate::{State, StateFault};

/// Why the state of a session cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// A newer build wrote it.
    #[error(transparent)]
    State(#[from] StateFault),
    /// The disk refused.
    #[error("cannot read the session: {0}")]
    Read(#[from] io::Error),
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] store::JournalError),
}

/// Reads the state and brings it up to date with the journal. Rebuilds a lost or broken state from the journal.
pub fn snapshot(session: &SessionDir) -> Result<State, SnapshotError> {
    let mut state = read(session)?;
    let missed = read_lines(&session.events_file(), state.core.last_event_offset)?;
    fold(&mut state, &missed);
    Ok(state)
}

/// Reads the state file; a lost or broken one is an empty state.
pub(super) fn read(session: &SessionDir) -> Result<State, SnapshotError> {
    match plain_file::read(session.state_file().as_path()) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(State::new())
        }
        Err(error) => Err(error.into()),
        Ok(bytes) => match State::parse(&bytes) {
            Err(newer @ StateFault::Newer(_)) => Err(newer.into()),
            Err(StateFault::Broken(_)) => Ok(State::new()),
            Ok(state) => Ok(state),
        },
    }
}
