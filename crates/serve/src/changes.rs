//! The file changes that the watcher reported since the server last took them.
//!
//! Sets, not lists: twenty thousand writes to five hundred files take the memory of five hundred.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The changes, shared between the watcher's thread and the server's.
#[derive(Debug, Clone, Default)]
pub(crate) struct SharedChanges {
    seen: Arc<Mutex<FileChanges>>,
}

#[derive(Debug, Default)]
pub(crate) struct FileChanges {
    /// Files that were written or moved into place.
    pub(crate) written: HashSet<PathBuf>,
    /// Files and folders that were removed or moved away.
    pub(crate) gone: HashSet<PathBuf>,
    /// Files and folders that were moved, with their new name.
    pub(crate) moved: HashSet<(PathBuf, PathBuf)>,
    /// Folders that appeared.
    pub(crate) folders: HashSet<PathBuf>,
    /// Whether the system dropped events, so that any file may have changed.
    pub(crate) overflowed: bool,
}

impl FileChanges {
    fn is_empty(&self) -> bool {
        self.written.is_empty()
            && self.gone.is_empty()
            && self.moved.is_empty()
            && self.folders.is_empty()
            && !self.overflowed
    }
}

impl SharedChanges {
    /// Records a change. Returns whether it is the first, so that the server must be woken.
    pub(crate) fn note(&self, note: impl FnOnce(&mut FileChanges)) -> bool {
        let mut seen = self.seen();
        let was_empty = seen.is_empty();
        note(&mut seen);
        was_empty
    }

    /// Takes all recorded changes.
    pub(crate) fn take(&self) -> FileChanges {
        std::mem::take(&mut *self.seen())
    }

    fn seen(&self) -> MutexGuard<'_, FileChanges> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
