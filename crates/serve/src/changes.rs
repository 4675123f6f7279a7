//! What the file watcher has seen since it was last asked.
//!
//! A set, not a list: twenty thousand writes to five hundred files take the room of five hundred.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Shared between the watcher's thread and the server's.
#[derive(Debug, Clone, Default)]
pub(crate) struct Changes {
    seen: Arc<Mutex<Seen>>,
}

#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Files that were written or moved into place.
    pub(crate) written: HashSet<PathBuf>,
    /// Files and folders that were removed or moved away.
    pub(crate) gone: HashSet<PathBuf>,
    /// Folders that appeared.
    pub(crate) folders: HashSet<PathBuf>,
    /// Whether the system could not keep up, so that anything may have happened.
    pub(crate) overflowed: bool,
}

impl Seen {
    fn is_empty(&self) -> bool {
        self.written.is_empty() && self.gone.is_empty() && self.folders.is_empty() && !self.overflowed
    }
}

impl Changes {
    /// Notes something and returns whether nothing was noted before, so that somebody has to be woken.
    pub(crate) fn note(&self, note: impl FnOnce(&mut Seen)) -> bool {
        let mut seen = self.seen();
        let was_empty = seen.is_empty();
        note(&mut seen);
        was_empty
    }

    /// Takes all that was noted.
    pub(crate) fn take(&self) -> Seen {
        std::mem::take(&mut *self.seen())
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
